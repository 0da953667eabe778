/// The contents that a replica keeps of the remote's files.
package protocol FileCache: Sendable {
    /// Files to download, those due first.
    func filesToDownload(limit: Int) throws -> [FileDownload]

    /// Stores a downloaded content of a known file.
    func keepContent(_ draft: FileDraft, of name: String, contentType: String?) async throws -> StoredFile

    /// A download failed. The next attempt follows after a minute, then after twice as long each time, up to a day.
    /// - Parameter isGone: the remote has no such file: the file is not downloaded again until a client reads it.
    func downloadFailed(_ name: String, reason: String, isGone: Bool) async throws

    /// Drops the least recently used contents that the remote has too, until these need at most `bytesMax` bytes. Contents that
    /// only this machine has, and those of pending changes, stay.
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
