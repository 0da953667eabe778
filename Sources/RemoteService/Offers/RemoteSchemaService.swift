import ParseModel

/// Reads the schemas of a remote.
package protocol RemoteSchemaService: Sendable {
    /// The schemas of the given classes, and of all other classes if the remote lists its classes. They replace the
    /// remote's schemas in the store.
    /// - Parameter classes: the classes that are registered locally.
    /// - Returns: nil if the remote does not describe its classes. The schemas in the store then stay.
    func classSchemas(of classes: [String]) async throws(RemoteError) -> [ClassSchema]?

    /// The schemas that are read in the same requests as a pull; nil if pulls read no schemas.
    var pulledSchemas: PulledSchemas? { get }
}

extension RemoteSchemaService {
    package var pulledSchemas: PulledSchemas? { nil }
}
