import ParseModel
import StoreService
import SyncModel

/// Stores the schemas that the remote describes, and keeps the earlier types that `ClassMappings` needs to convert
/// values.
struct RemoteSchemaIntake {
    let transaction: StoreTransaction

    /// Replaces the stored schemas of the remote's classes. If the values of a class are converted by stored types, its
    /// schema stays even if the remote no longer describes the class.
    func take(_ described: [ClassSchema]) throws {
        let table = SchemaTable(db: transaction.db)
        let known = try table.ofRemote()
        let names = Set(described.map(\.className))
        let kept = known.filter { needsMapping($0.className) && !names.contains($0.className) }
        let schemas = try described.map(keepingConvertedTypes) + kept
        guard known != Set(schemas) else { return }
        let mapped = schemas.map(\.className).filter(needsMapping)
        let mappings = ClassMappings(db: transaction.db)
        let before = try mapped.map(mappings.mapping)
        let permissions = transaction.access.permissions(in: transaction.db)
        let concerned = Set(known.map(\.className)).union(names).sorted()
        let permissionsBefore = try concerned.map(permissions.permissions)
        let losing = try table.replace(
            with: schemas, known: Dictionary(known.map { ($0.className, $0) }, uniquingKeysWith: { first, _ in first }))
        // A removed field changes no `updatedAt`, so the rows must be read again.
        for name in losing { try PullTable.readAllAgain(name, in: transaction.db) }
        for (name, before) in zip(concerned, permissionsBefore) {
            let after = try permissions.permissions(of: name)
            guard after != before else { continue }
            try RightsChanges(transaction).record(of: name, from: before, to: after)
        }
        for name in names.sorted() { try ClassRegistration(name, in: transaction).followSchema() }
        for (name, mapping) in zip(mapped, before) where try mappings.mapping(of: name) != mapping {
            try PullTable.readAllAgain(name, in: transaction.db)
        }
    }

    private func needsMapping(_ className: String) -> Bool {
        transaction.store.valueRules?.mapsValues(of: className) == true
    }

    /// The remote's schema, with the stored types of fields that the remote does not describe, or describes as strings.
    private func keepingConvertedTypes(_ schema: ClassSchema) throws -> ClassSchema {
        guard needsMapping(schema.className) else { return schema }
        var schema = schema
        let stored = try ClassSchema(stored: schema.className, in: transaction.db)
        for (name, field) in stored.added where ClassMapping.converts(field.type) {
            if [nil, .string].contains(schema[name]?.type) { schema.added[name] = field }
        }
        return schema
    }
}
