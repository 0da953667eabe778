import StoreService

/// Downloads files that exist only on the remote.
package protocol RemoteFiles: Sendable {
    /// Downloads the content of a file into the store. Concurrent requests for the same file share one download.
    /// - Returns: the file, with the digest and size of its content.
    /// - Throws: `APIError` if the remote sends no content; `ParseError.objectNotFound` if the remote has no such file.
    func fetch(_ file: StoredFile) async throws -> StoredFile

    /// Notes that a client has read the content of a file.
    func noteUse(of file: StoredFile) async throws
}
