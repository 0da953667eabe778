import GRDB
import ParseModel

/// Checks writes of local clients against the schema of their class.
struct SchemaCheck {
    private let enforcesRights: Bool
    private let cache: SchemaCache
    private let read: (_ className: String) throws -> ClassSchema?
    /// The maximum number of fields of a class. Local writes above the limit are refused, because each field makes every later
    /// write of the class slower. Pulled rows have no limit.
    private let fieldsMax: Int

    /// A write that has passed the check, with the schema and the types that the check has read.
    struct Checked {
        /// The schema of the class; nil if no type of the class is known.
        let schema: ClassSchema?
        let body: WriteBody
        let operations: FieldOperations
        /// The types of the written fields that the schema lacks.
        let added: [String: FieldType]
    }

    /// - Parameter read: reads the schema of a class; nil if no type of the class is known.
    init(_ transaction: StoreTransaction, read: @escaping (_ className: String) throws -> ClassSchema?) {
        self.read = read
        enforcesRights = transaction.access.isEnforced
        cache = transaction.schemas
        fieldsMax = transaction.store.classFieldsMax
    }

    /// Checks a write against the schema of its class.
    /// - Parameters:
    ///   - creates: whether the object is new.
    ///   - mayAddFields: throws if the principal may not add a field to the class.
    /// - Throws: `ParseError` 111 (incorrect type) for a value that does not fit the type of its field; 142 (validation failed)
    ///   if a required value is missing; the errors of `mayAddFields`.
    func check(
        _ operations: FieldOperations, of body: WriteBody, className: String, creates: Bool,
        mayAddFields: () throws -> Void
    ) throws -> Checked {
        guard let schema = try knownSchema(of: className) else {
            return Checked(schema: nil, body: body, operations: operations, added: [:])
        }
        var added: [String: FieldType] = [:]
        for (field, memberClass) in body.relations where schema[field] == nil { added[field] = .relation(memberClass) }
        for (field, operation) in operations.members where schema[field] == nil { added[field] = operation.type }
        // As in Parse Server, the right to add fields is checked before the types.
        if enforcesRights, !added.isEmpty { try mayAddFields() }
        try schema.checkTypes(of: operations)
        try schema.checkRelations(of: body)
        try schema.checkRequired(body, creates: creates)
        return Checked(schema: schema, body: body, operations: operations, added: added)
    }

    private func knownSchema(of className: String) throws -> ClassSchema? {
        try cache.schema(of: className) { try read(className) }
    }

    /// Checks the number of fields that the class would have after a write.
    /// - Parameters:
    ///   - body: the unchecked body of a create or an update.
    ///   - present: the present object; empty for a new one.
    /// - Throws: `ParseError` 111 (incorrect type) if the class would have too many fields.
    func checkFieldCount(_ body: JSONObject, className: String, present: JSONObject) throws {
        let schema = try knownSchema(of: className)
        // If the class has no schema, only the fields of the object are counted.
        let known = max(schema?.added.count ?? 0, present.count - (present["ACL"] == nil ? 0 : 1))
        guard known + body.count > fieldsMax else { return }
        var new: Set<Substring> = []
        for (name, _) in body {
            let field = name.prefix { $0 != "." }
            guard present[String(field)] == nil, schema?[String(field)] == nil, !Self.isCommon(field) else { continue }
            new.insert(field)
            guard new.count <= fieldsMax - known else {
                throw ParseError.tooManyFields(className, max: fieldsMax)
            }
        }
    }

    private static func isCommon(_ field: Substring) -> Bool {
        DefaultFields.common.contains { $0.name == field }
    }
}

/// The values that the schema of the class adds to a written object.
struct SchemaAdditions {
    /// Defaults of fields that a create does not name.
    var defaults = JSONObject()
    /// The relation fields of the class. Every object of the class shows all relation fields.
    var relations = JSONObject()
}
