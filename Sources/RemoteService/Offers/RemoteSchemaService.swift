import ParseModel

/// Reads the schemas of a remote.
package protocol RemoteSchemaService: Sendable {
    /// The schemas that the remote describes: of the given classes, and of further classes if the remote lists all its classes. They
    /// replace the stored schemas of the remote.
    /// - Parameter classes: the classes that are registered locally.
    /// - Returns: nil if the remote does not describe its classes. The schemas that are stored locally then stay.
    func classSchemas(of classes: [String]) async throws(RemoteError) -> [ClassSchema]?

    /// The schemas that are read along with pulls; nil if pulls read none.
    var pulledSchemas: PulledSchemas? { get }
}

extension RemoteSchemaService {
    package var pulledSchemas: PulledSchemas? { nil }
}
