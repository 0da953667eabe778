import ParseModel

/// Reads the schemas of a remote.
package protocol RemoteSchemaService: Sendable {
    /// The known schemas: of the given classes, and of further classes if the remote lists all its classes.
    /// - Parameter classes: the classes that are registered locally.
    /// - Returns: nil if the remote does not describe its classes. The schemas that are stored locally then stay.
    func classSchemas(of classes: [String]) async throws(RemoteError) -> [ClassSchema]?
}
