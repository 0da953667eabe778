/// The locally stored contents of the remote's files.
package protocol FileCache: Sendable {
    /// The files that are due for download, sorted by due time.
    func filesToDownload(limit: Int) throws -> [FileDownload]

    /// Stores the downloaded content of a known file.
    func keepContent(_ draft: FileDraft, of name: String, contentType: String?) async throws -> StoredFile

    /// Records a failed download. The file is due again after one minute. The delay doubles with each further failure, up to
    /// one day.
    /// - Parameter isGone: whether a retry is useless, for example because the remote no longer has the file. The file is then
    /// not downloaded until a client reads it.
    func downloadFailed(_ name: String, reason: String, isGone: Bool) async throws

    /// Evicts the least recently used contents, until the contents that are also on the remote take at most `bytesMax` bytes.
    /// Contents of pending changes, and contents that exist only locally, stay.
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
