import ParseModel
import SyncModel

/// The store of the sync engine of one author: the gateway or one user, as whom the engine acts at the remote. Changes,
/// pulls, cursors, unanswered requests and unseen writes are those of this author. Each method makes all its changes in
/// one transaction.
package protocol SyncStore: SyncClassStore, PullStore, RelationStore, SweepStore, RemovalStore, UnseenWriteStore,
    OutboxStore, WatchStore,
    FileUploadStore, RemoteStateStore
{}

/// Stores the progress of file uploads. A sync uploads a file before it sends a change that contains the file.
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

/// The stored state of syncing: whether the remote accepts clients' ids, whether syncing is paused, and the last sync's time.
package protocol RemoteStateStore: Sendable {
    /// Whether the remote accepts object ids that clients choose; nil if not known yet.
    func remoteAcceptsChosenIds() async throws -> Bool?

    func setRemoteAcceptsChosenIds(_ accepts: Bool?) async throws

    func setPaused(_ paused: Bool) async throws

    func setLastSync(_ date: ParseDate) async throws
}
