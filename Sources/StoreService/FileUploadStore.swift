import ParseModel
import SyncModel

/// The uploads of files. A sync uploads a file before it sends a change that contains the file.
package protocol FileUploadStore: Sendable {
    /// The files of waiting changes that are still to be uploaded, in the order of the changes.
    func filesToUpload(limit: Int) async throws -> [FileUpload]

    /// Records that the remote has the file. Replaces the local name of the file with the remote's name in
    /// all objects and changes.
    func fileIsUploaded(_ name: String, as remote: FileReference) async throws

    /// Records that the remote refused the file permanently. The changes that contain the file become rejections.
    /// - Returns: the class of each rejected change.
    func fileIsRefused(_ name: String, code: Int, message: String) async throws -> [String]

    /// Records a failed upload. A later sync tries again.
    func fileUploadFailed(_ name: String, reason: String) async throws
}
