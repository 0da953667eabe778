import ParseModel
import StoreService

/// The schemas of the remote's classes, as the remote describes them. Local writes that contradict a schema are refused
/// immediately, because the remote would refuse them later.
extension LocalStore {
    /// Replaces the stored schemas of the remote's classes.
    package func takeRemoteSchemas(_ schemas: [ClassSchema]) async throws {
        precondition(configuration.identity.isReplica, "a standalone store has schemas of its own")
        // Most calls bring the stored schemas. They are compared without a write transaction first.
        guard try remoteSchemas() != Set(schemas) else { return }
        try await write { try RemoteSchemaIntake(transaction: $0).take(schemas) }
    }

    /// The stored schemas of the remote's classes.
    package func remoteSchemas() throws -> Set<ClassSchema> { try read { try SchemaTable(db: $0).ofRemote() } }
}
