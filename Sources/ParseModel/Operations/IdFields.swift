/// The fields of a class whose texts are ids of other objects: a text, or the texts in an array or an object, at any depth.
package struct IdFields: Sendable, Hashable {
    /// By field, the class of the objects.
    package var targets: [String: String]

    package init(_ targets: [String: String] = [:]) { self.targets = targets }

    /// - Parameter json: the form of `json`.
    /// - Returns: nil if a class is not a text.
    package init?(json: JSONObject) {
        self.init()
        for (field, target) in json {
            guard let target = target.string else { return nil }
            targets[field] = target
        }
    }

    package var isEmpty: Bool { targets.isEmpty }

    /// The class of the objects by field, sorted by field: `{"ownerId": "Person"}`.
    package var json: JSONObject {
        JSONObject(targets.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })
    }

    /// The objects that the texts of a write may name. A text that cannot be a generated id is left out.
    package func pointers(in operations: FieldOperations) -> [Pointer] {
        targets.sorted { $0.key < $1.key }.flatMap { field, target in
            (operations[field]?.values ?? []).flatMap { value in
                value.collecting { Self.id(in: $0).map { Pointer(className: target, objectId: $0) } }
            }
        }
    }

    /// The write with the id of each object replaced by that of `replacement`.
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

    /// The object's fields with each id replaced.
    package func replacingIds(in fields: JSONObject, _ replacement: (Pointer) -> Pointer) -> JSONObject {
        var result = fields
        for (field, target) in targets {
            result[field] = fields[field].map { Self.replacingIds(in: $0, of: target, replacement) }
        }
        return result
    }

    /// The value with the ids of objects of the class `target` replaced.
    static func replacingIds(
        in value: JSONValue, of target: String, _ replacement: (Pointer) -> Pointer
    ) -> JSONValue {
        value.replacing { part in
            id(in: part).map { .string(replacement(Pointer(className: target, objectId: $0)).objectId) }
        }
    }

    /// The value, if it is a text with the form of a generated id.
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
