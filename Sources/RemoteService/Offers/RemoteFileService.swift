import ParseModel
import SyncModel

/// Files of a remote: their contents are sent apart from the objects that carry them.
package protocol RemoteFileService: Sendable {
    /// Sends the content of a file. A repeated upload makes a second file under another name.
    /// - Returns: the reference that objects carry.
    func upload(_ file: FileUpload) async throws(RemoteError) -> FileReference

    /// Fetches the content of a file from its address.
    /// - Returns: its content type; nil if the answer has none.
    /// - Throws: also if the content is not complete; then the bytes given to `sink` are of no use. `.refused` with code 101: the
    ///   file does not exist. `.refused` with code 119: files are not fetched from the address.
    func download(_ url: String, into sink: any ContentSink) async throws(RemoteError) -> String?
}
