import GRDB
import ParseModel

/// Checks writes of local clients against the schema of their class.
struct SchemaCheck {
    private let db: Database
    private let isReplica: Bool
    private let enforcesRights: Bool
    private let cache: SchemaCache
    private let objects: ObjectCache
    /// The maximum number of fields of a class. Local writes above the limit are refused, because each field makes every later
    /// write of the class slower. Pulled rows have no limit.
    private let fieldsMax: Int

    init(_ transaction: StoreTransaction) {
        db = transaction.db
        isReplica = transaction.isReplica
        enforcesRights = transaction.access.isEnforced
        cache = transaction.schemas
        objects = transaction.objects
        fieldsMax = transaction.store.classFieldsMax
    }

    /// Checks a write against the schema of its class. A standalone store adds new fields to the schema, as Parse Server does. In
    /// a replica the remote's schema applies, and the remote adds fields and defaults.
    /// - Parameters:
    ///   - creates: whether the object is new.
    ///   - mayAddFields: throws if the principal may not add a field to the class.
    /// - Returns: the values that the schema adds to the object.
    /// - Throws: `ParseError` 111 (incorrect type) for a value that does not fit the type of its field, and for a second GeoPoint
    ///   field; 142 (validation failed) if a required value is missing; the errors of `mayAddFields`.
    func check(
        _ operations: FieldOperations, of body: WriteBody, className: String, creates: Bool,
        mayAddFields: () throws -> Void
    ) throws -> SchemaAdditions {
        guard let schema = try knownSchema(of: className) else { return SchemaAdditions() }
        var types = body.relations.mapValues(FieldType.relation)
        for field in operations.fields { types[field] = operations[field]?.type }
        // As in Parse Server, before the types.
        if enforcesRights, types.contains(where: { schema[$0.key] == nil }) { try mayAddFields() }
        try schema.checkTypes(of: operations)
        try schema.checkRelations(of: body)
        try schema.checkRequired(body, creates: creates)
        guard !isReplica else { return SchemaAdditions() }
        try schema.checkPlaces(in: operations)
        var additions = SchemaAdditions(
            defaults: creates ? schema.defaults(for: body) : [:], relations: schema.relations)
        let table = SchemaTable(db: db)
        for (field, type) in types where schema[field] == nil {
            cache.forget()
            try table.add(field, type.json, to: className)
            guard case .relation(let memberClass) = type else { continue }
            let value = RelationChange(memberClass: memberClass).fieldValue
            additions.relations[field] = value
            try table.show(relation: field, value, in: className)
            objects.removeAllAtCommit()
        }
        return additions
    }

    /// The schema for the checks; nil in a replica if no type of the class is known.
    private func knownSchema(of className: String) throws -> ClassSchema? {
        try cache.schema(of: className) {
            isReplica ? try ClassSchema(inReplica: className, in: db) : try ClassSchema(stored: className, in: db)
        }
    }

    /// Checks the number of fields that the class would have after a write.
    /// - Parameters:
    ///   - body: the unchecked body of a create or an update.
    ///   - present: the present object; empty for a new one.
    /// - Throws: `ParseError` 111 (incorrect type) if the class would have too many fields.
    func checkFieldCount(_ body: JSONObject, className: String, present: JSONObject) throws {
        let schema = try knownSchema(of: className)
        // Without a schema, only the object's own fields are counted.
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
