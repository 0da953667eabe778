import ParseModel
import SyncModel

/// Files to upload before the changes that contain them.
package protocol FileUploadStore: Sendable {
    /// Files of pending changes that the remote does not have, in the order of the changes.
    func filesToUpload(limit: Int) async throws -> [FileUpload]

    /// Records an uploaded file. Objects and changes with the file refer to the remote's name from now on.
    func fileIsUploaded(_ name: String, as remote: FileReference) async throws

    /// Records that the remote refused the file permanently. The changes that contain it become rejections.
    /// - Returns: the class of each such change.
    func fileIsRefused(_ name: String, code: Int, message: String) async throws -> [String]

    /// Records a failed upload. A later sync tries again.
    func fileUploadFailed(_ name: String, reason: String) async throws
}
