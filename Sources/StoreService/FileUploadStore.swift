import ParseModel
import SyncModel

/// Files to upload before the changes that carry them.
package protocol FileUploadStore: Sendable {
    /// Files of waiting changes that the remote does not have, in the order of the changes.
    func filesToUpload(limit: Int) async throws -> [FileUpload]

    /// The remote has the file. Objects and changes with the file refer to the remote's name now.
    func fileIsUploaded(_ name: String, as remote: FileReference) async throws

    /// The remote refused the file for good. The changes that carry it become rejections.
    /// - Returns: the class of each such change.
    func fileIsRefused(_ name: String, code: Int, message: String) async throws -> [String]

    /// The upload failed. A later sync tries again.
    func fileUploadFailed(_ name: String, reason: String) async throws
}
