extension FieldOperation {
    /// Reads and validates an operation from a request body: `{"__op":…}` or a plain value.
    /// - Throws: Parse error 107 (invalid JSON), 108 (command unavailable) for an unknown operator, 111 (incorrect type), 116
    ///   (object too large) for too many members of a relation, 121 (invalid nested key), or 123 (invalid ACL).
    package init(json: JSONValue, field: String, className: String) throws(ParseError) {
        guard let object = json.object, let name = object["__op"] else {
            self = try Self.plain(json, field, className)
            return
        }
        switch name.string {
        case "Delete": self = .delete
        case "SetOnInsert" where field == "ACL": self = .delete
        case "Increment":
            guard let amount = object["amount"]?.number else {
                throw ParseError(.invalidJSON, "incrementing must provide a number")
            }
            self = .increment(try amount.asFieldValue())
        case "Add": self = .add(try Self.elements(of: object, to: "add"))
        case "AddUnique": self = .addUnique(try Self.elements(of: object, to: "add"))
        case "Remove": self = .remove(try Self.elements(of: object, to: "remove"))
        case let name? where RelationChange.operators.contains(name):
            self = .relation(try RelationChange(json: object, field: field, className: className))
        default:
            let shown = name.string ?? name.jsonText
            throw ParseError(.commandUnavailable, "The \(shown) operator is not supported yet.")
        }
        if field == "ACL" { self = try Self.acl(json) }
    }

    private static func plain(_ value: JSONValue, _ field: String, _ className: String) throws(ParseError) -> Self {
        guard let type = FieldType(of: value) else { return .delete }
        if field == "ACL", value.object?["__type"]?.isTruthy != true { return try acl(value) }
        let value = try value.asFieldValue()
        // An unknown `__type` is an error only at the top level of a field, as on Parse Server.
        if type == .object, let name = value.object?["__type"], name.isTruthy {
            throw ParseError(.incorrectType, "This is not a valid \(name.string ?? name.jsonText)")
        }
        return field == "ACL" ? try acl(value) : .set(value)
    }

    /// The operation for a value of the field `ACL`. As in Parse Server, each value and each operator sets an ACL. A
    /// value without entries, or a Delete, sets an ACL by which only the master key may read and write the object.
    /// - Throws: Parse error 123 (invalid ACL), 107 (invalid JSON) for an entity that cannot be stored.
    private static func acl(_ value: JSONValue) throws(ParseError) -> Self {
        // The SDKs write this entry for a user who was never saved.
        guard value.object?["*unresolved"]?.isTruthy != true else { throw ParseError(.invalidACL, "Invalid ACL.") }
        let acl = AccessControlList.canonical(value) ?? [:]
        for (entity, _) in acl.object ?? [:] { try entity.checkStorable() }
        return .set(acl)
    }

    private static func elements(of object: JSONObject, to verb: String) throws(ParseError) -> [JSONValue] {
        guard let elements = object["objects"], elements.array != nil else {
            throw ParseError(.invalidJSON, "objects to \(verb) must be an array")
        }
        return try elements.asFieldValue().array ?? []
    }

    /// Reads a stored operation in the form of ``json``. Does not validate it.
    init(stored: JSONValue) {
        let elements = { stored.object?["objects"]?.array ?? [] }
        self =
            switch stored.object?["__op"]?.string {
            case "Delete": .delete
            case "Increment": .increment(stored.object?["amount"]?.number ?? JSONNumber(0))
            case "Add": .add(elements())
            case "AddUnique": .addUnique(elements())
            case "Remove": .remove(elements())
            case let name? where RelationChange.operators.contains(name):
                .relation(RelationChange(stored: stored.object ?? [:]))
            default: stored.isNull ? .delete : .set(stored)
            }
    }

    /// The operation as in a request body: `{"__op":…}` or a plain value.
    package var json: JSONValue {
        switch self {
        case .set(let value): value
        case .delete: ["__op": "Delete"]
        case .increment(let amount): ["__op": "Increment", "amount": .number(amount)]
        case .add(let elements): ["__op": "Add", "objects": .array(elements)]
        case .addUnique(let elements): ["__op": "AddUnique", "objects": .array(elements)]
        case .remove(let elements): ["__op": "Remove", "objects": .array(elements)]
        case .relation(let change): change.json
        }
    }
}
