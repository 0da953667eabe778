import ParseModel

/// Reads the schemas of a remote.
package protocol RemoteSchemaService: Sendable {
    /// The schemas of all classes.
    func classSchemas() async throws(RemoteError) -> [ClassSchema]
}
