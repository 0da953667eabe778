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
