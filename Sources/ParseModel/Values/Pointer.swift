/// A pointer to an object: `{"__type":"Pointer","className":…,"objectId":…}`.
package struct Pointer: Hashable, Sendable {
    package let className: String
    package let objectId: String

    package init(className: String, objectId: String) {
        self.className = className
        self.objectId = objectId
    }

    package init?(_ value: JSONValue) {
        guard let object = value.object, object["__type"] == "Pointer",
            let className = object["className"]?.string, let objectId = object["objectId"]?.string
        else { return nil }
        self.init(className: className, objectId: objectId)
    }

    /// The pointer in Parse's JSON format.
    package var json: JSONValue {
        ["__type": "Pointer", "className": .string(className), "objectId": .string(objectId)]
    }
}

extension JSONValue {
    /// All pointers inside the value, also in arrays and nested objects, in depth-first order.
    package var pointers: [Pointer] { collecting(Pointer.init) }

    /// The value with each pointer replaced by the result of `replacement`.
    package func replacingPointers(_ replacement: (Pointer) throws -> Pointer) rethrows -> JSONValue {
        try replacing { value in
            guard let pointer = Pointer(value) else { return nil }
            let replaced = try replacement(pointer)
            return replaced == pointer ? value : replaced.json
        }
    }
}
