import ParseModel
import SyncModel

/// The stored state of syncing: whether the remote accepts clients' ids, whether syncing is paused, and the last sync's time.
package protocol RemoteStateStore: Sendable {
    /// Whether the remote accepts object ids that clients choose; nil if not known yet.
    func remoteAcceptsChosenIds() async throws -> Bool?

    func setRemoteAcceptsChosenIds(_ accepts: Bool?) async throws

    func setPaused(_ paused: Bool) async throws

    func setLastSync(_ date: ParseDate) async throws
}
