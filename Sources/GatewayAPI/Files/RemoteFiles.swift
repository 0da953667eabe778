import StoreService

/// Fetches files that are on the remote and not here.
package protocol RemoteFiles: Sendable {
    /// Brings the content here; requests for the same file share one fetching.
    /// - Throws: `APIError` where the remote gives no content; `ParseError.objectNotFound` where the remote has no such file.
    func fetch(_ file: StoredFile) async throws -> StoredFile
}
