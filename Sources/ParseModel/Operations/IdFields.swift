/// The fields of a class whose strings are ids of other objects. The string can be the field's value, or inside an
/// array or object in the field.
package struct IdFields: Sendable, Hashable {
    /// The class of the objects to which the ids belong, by field.
    package var targets: [String: String]

    package init(_ targets: [String: String] = [:]) { self.targets = targets }

    /// - Parameter json: an object in the form of the property `json`.
    /// - Returns: nil if the class of a field is not a string.
    package init?(json: JSONObject) {
        self.init()
        for (field, target) in json {
            guard let target = target.string else { return nil }
            targets[field] = target
        }
    }

    package var isEmpty: Bool { targets.isEmpty }

    /// The class of the objects to which the ids belong, by field, sorted by field: `{"ownerId": "Person"}`.
    package var json: JSONObject {
        JSONObject(targets.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }

    /// Pointers to the objects whose ids may be in strings of the write. A string that does not look like a generated
    /// id is left out.
    package func pointers(in operations: FieldOperations) -> [Pointer] {
        targets.sorted { $0.key < $1.key }.flatMap { field, target in
            (operations[field]?.values ?? []).flatMap { value in
                value.collecting { Self.id(in: $0).map { Pointer(className: target, objectId: $0) } }
            }
        }
    }

    /// The write with each id in a string replaced by the id that `replacement` returns.
    package func replacingIds(
        in operations: FieldOperations, _ replacement: (Pointer) -> Pointer
    ) -> FieldOperations {
        var result = operations
        for (field, target) in targets {
            guard let operation = operations[field] else { continue }
            result[field] = operation.mapValues { Self.replacingIds(in: $0, of: target, replacement) }
        }
        return result
    }

    /// The fields of an object with each id in a string replaced by the id that `replacement` returns.
    package func replacingIds(in fields: JSONObject, _ replacement: (Pointer) -> Pointer) -> JSONObject {
        var result = fields
        for (field, target) in targets {
            result[field] = fields[field].map { Self.replacingIds(in: $0, of: target, replacement) }
        }
        return result
    }

    /// The value with each id of an object of the class `target` replaced by the id that `replacement` returns.
    static func replacingIds(
        in value: JSONValue, of target: String, _ replacement: (Pointer) -> Pointer
    ) -> JSONValue {
        value.replacing { part in
            id(in: part).map { .string(replacement(Pointer(className: target, objectId: $0)).objectId) }
        }
    }

    /// The string in the value if it looks like a generated id; nil otherwise.
    private static func id(in value: JSONValue) -> String? {
        guard let text = value.string, text.utf8.count == Environment.objectIdLength,
            text.utf8.allSatisfy(\.isASCIILetterOrDigit)
        else { return nil }
        return text
    }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }
}
