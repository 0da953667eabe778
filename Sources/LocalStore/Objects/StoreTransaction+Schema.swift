import GRDB
import ParseModel

extension StoreTransaction {
    /// Holds a write to its class's schema. A store that is the authority adds the fields that are new, as a Parse Server
    /// does on its own; in a replica what the remote has said counts, and new fields and defaults are its matter.
    /// - Parameter creates: the object is new.
    /// - Returns: what the object gets besides, because the schema has defaults.
    /// - Throws: `ParseError` 111 where a field has another type already, 142 where something required is missing.
    func check(
        _ operations: FieldOperations, of body: WriteBody, className: String, creates: Bool
    ) throws -> JSONObject {
        let known =
            isReplica ? try ClassSchema(ofRemote: className, in: db) : try ClassSchema(stored: className, in: db)
        guard let schema = known else { return [:] }
        try schema.checkTypes(of: operations)
        try schema.checkRequired(body, creates: creates)
        guard !isReplica else { return [:] }
        try schema.checkPlaces(in: operations)
        for field in operations.fields {
            guard let type = operations[field]?.type, schema[field] == nil else { continue }
            try execute(
                "INSERT INTO fields (class, name, type) VALUES (?, ?, ?)", [className, field, type.json.jsonText])
        }
        return creates ? schema.defaults(for: body) : [:]
    }
}
