import ParseModel
import SyncModel

/// Uploads and downloads file contents. Objects only contain references to files.
package protocol RemoteFileService: Sendable {
    /// Uploads a file. Repeating an upload creates a second file under another name.
    /// - Returns: the reference to put into objects.
    func upload(_ file: FileUpload) async throws(RemoteError) -> FileReference

    /// Downloads a file from its URL.
    /// - Returns: the content type; nil if the answer has none.
    /// - Throws: `.refused` with code 101 (object not found) if the file does not exist. `.refused` with code 119 (operation
    ///   forbidden) if downloads from this URL are not allowed. After any error, the bytes in `sink` must be discarded.
    func download(_ url: String, into sink: any ContentSink) async throws(RemoteError) -> String?
}

/// Receives a file's content piece by piece.
package protocol ContentSink: Sendable {
    /// - Parameter bytes: the next piece. The memory is valid only during the call.
    func write(_ bytes: UnsafeRawBufferPointer) throws
}
