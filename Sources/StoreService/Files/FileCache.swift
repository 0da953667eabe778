/// The stored contents of the remote's files in a replica.
package protocol FileCache: Sendable {
    /// Files to download, those due first.
    func filesToDownload(limit: Int) throws -> [FileDownload]

    /// Stores a downloaded content of a known file.
    func keepContent(_ draft: FileDraft, of name: String, contentType: String?) async throws -> StoredFile

    /// Records a failed download. The next attempt follows after a minute. The delay doubles with each failure, up to a day.
    /// - Parameter isGone: whether the remote has no such file. The file is then not downloaded again until a client reads it.
    func downloadFailed(_ name: String, reason: String, isGone: Bool) async throws

    /// Evicts the least recently used contents that the remote has too, until the remaining ones take at most `bytesMax` bytes.
    /// Contents that only this machine has, and contents of pending changes, stay.
    func evictContents(bytesMax: Int) async throws
}

/// A file to download.
package struct FileDownload: Sendable, Hashable {
    package let name: String
    package let url: String

    package init(name: String, url: String) {
        self.name = name
        self.url = url
    }
}
