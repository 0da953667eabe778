import ParseModel
import StoreService

/// The schemas of the remote's classes, as the remote describes them. Local writes that contradict a schema are refused
/// immediately, because the remote would refuse them later.
extension LocalStore {
    /// Replaces the stored schemas of the remote's classes.
    package func takeRemoteSchemas(_ schemas: [ClassSchema]) async throws {
        precondition(configuration.identity.isReplica, "a standalone store has schemas of its own")
        let known = try remoteSchemas()
        guard known != Set(schemas) else { return }
        let knownByName = Dictionary(known.map { ($0.className, $0) }, uniquingKeysWith: { first, _ in first })
        try await write { try SchemaTable(db: $0.db).replace(with: schemas, known: knownByName) }
    }

    /// The stored schemas of the remote's classes.
    package func remoteSchemas() throws -> Set<ClassSchema> { try read { try SchemaTable(db: $0).ofRemote() } }
}
