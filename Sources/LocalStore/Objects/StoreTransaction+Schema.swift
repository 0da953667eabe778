import GRDB
import ParseModel
import StoreService

extension StoreTransaction {
    /// Holds a write to its class's schema. A store that is the authority adds the fields that are new, as a Parse Server
    /// does on its own; in a replica what the remote has said counts, and new fields and defaults are its matter.
    /// - Parameter creates: the object is new.
    /// - Returns: what the object gets besides.
    /// - Throws: `ParseError` 111 where a field has another type already, 142 where something required is missing.
    func check(
        _ operations: FieldOperations, of body: WriteBody, className: String, creates: Bool
    ) throws -> SchemaAdditions {
        guard let schema = try knownSchema(of: className) else { return SchemaAdditions() }
        try schema.checkTypes(of: operations)
        try schema.checkRelations(of: body)
        try schema.checkRequired(body, creates: creates)
        guard !isReplica else { return SchemaAdditions() }
        try schema.checkPlaces(in: operations)
        var types = body.relations.mapValues(FieldType.relation)
        for field in operations.fields { types[field] = operations[field]?.type }
        var additions = SchemaAdditions(
            defaults: creates ? schema.defaults(for: body) : [:], relations: schema.relations)
        for (field, type) in types where schema[field] == nil {
            schemas.forget()
            try execute(
                "INSERT INTO fields (class, name, type) VALUES (?, ?, ?)", [className, field, type.json.jsonText])
            guard case .relation(let memberClass) = type else { continue }
            let value = RelationChange(memberClass: memberClass).fieldValue
            additions.relations[field] = value
            try show(relation: field, value, in: className)
        }
        return additions
    }

    /// The schema that writes are checked against; none in a replica whose remote has not told of the class.
    func knownSchema(of className: String) throws -> ClassSchema? {
        try schemas.schema(of: className) {
            isReplica ? try ClassSchema(ofRemote: className, in: db) : try ClassSchema(stored: className, in: db)
        }
    }

    /// All objects of a class have a relation from now on. As on a Parse Server, that is no update of them.
    func show(relation field: String, _ value: JSONValue, in className: String) throws {
        try execute(
            """
            UPDATE objects SET view = json_set(view, ?1, json(?2))
            WHERE class = ?3 AND view IS NOT NULL AND json_type(view, ?1) IS NULL
            """, ["$.\"\(field)\"", value.jsonText, className])
    }
}

/// What the schema of its class gives to an object that is written.
struct SchemaAdditions {
    /// Values of fields that a create does not name.
    var defaults = JSONObject()
    /// The class's relations, which each of its objects shows.
    var relations = JSONObject()
}
