import StoreService

/// Downloads files that exist only on the remote.
package protocol RemoteFiles: Sendable {
    /// Downloads the content of a file, and returns the file with it. Concurrent requests for the same file share one download.
    /// - Throws: `APIError` if the remote sends no content; `ParseError.objectNotFound` if the remote has no such file.
    func fetch(_ file: StoredFile) async throws -> StoredFile
}
