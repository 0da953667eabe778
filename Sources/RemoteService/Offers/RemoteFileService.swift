import ParseModel
import SyncModel

/// The files of a remote. Their contents are sent separately from the objects that refer to them.
package protocol RemoteFileService: Sendable {
    /// Uploads the content of a file. A repeated upload creates a second file under another name.
    /// - Returns: the reference for objects.
    func upload(_ file: FileUpload) async throws(RemoteError) -> FileReference

    /// Downloads the content of a file from its URL.
    /// - Returns: its content type; nil if the answer has none.
    /// - Throws: also for an incomplete content; the caller must then discard the bytes given to `sink`. `.refused` with code
    ///   101: the file does not exist. `.refused` with code 119: downloads from the address are not allowed.
    func download(_ url: String, into sink: any ContentSink) async throws(RemoteError) -> String?
}
