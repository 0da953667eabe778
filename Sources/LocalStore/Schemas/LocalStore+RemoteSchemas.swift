import ParseModel
import StoreService
import SyncModel

/// The schemas of the remote's classes, as the remote describes them. Local writes that contradict a schema are refused
/// immediately, because the remote would refuse them later.
extension LocalStore {
    /// Replaces the stored schemas of the remote's classes.
    package func takeRemoteSchemas(_ schemas: [ClassSchema]) async throws {
        precondition(configuration.identity.isReplica, "a standalone store has schemas of its own")
        let known = try remoteSchemas()
        let schemas = try keepingConvertedTypes(schemas)
        guard known != Set(schemas) else { return }
        let knownByName = Dictionary(known.map { ($0.className, $0) }, uniquingKeysWith: { first, _ in first })
        let mapped = schemas.map(\.className).filter { configuration.valueRules?.mapsValues(of: $0) == true }
        try await write { transaction in
            let mappings = ClassMappings(db: transaction.db)
            let before = try mapped.map { try mappings.mapping(of: $0) }
            try SchemaTable(db: transaction.db).replace(with: schemas, known: knownByName)
            for (name, mapping) in zip(mapped, before) where try mappings.mapping(of: name) != mapping {
                try PullTable.readAllAgain(name, in: transaction.db)
            }
        }
    }

    /// The remote's schemas, with the declared and learned types of fields that the remote does not describe or describes as
    /// texts.
    private func keepingConvertedTypes(_ schemas: [ClassSchema]) throws -> [ClassSchema] {
        try schemas.map { schema in
            guard configuration.valueRules?.mapsValues(of: schema.className) == true else { return schema }
            var schema = schema
            let stored = try read { try ClassSchema(stored: schema.className, in: $0) }
            for (name, field) in stored.added where ClassMapping.converts(field.type) {
                if [nil, .string].contains(schema[name]?.type) { schema.added[name] = field }
            }
            return schema
        }
    }

    /// The stored schemas of the remote's classes.
    package func remoteSchemas() throws -> Set<ClassSchema> { try read { try SchemaTable(db: $0).ofRemote() } }
}
