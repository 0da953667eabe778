import ParseModel
import SyncModel

/// The stored state of syncing: whether the remote accepts chosen ids, whether syncing is paused, and the time of the last sync.
package protocol RemoteStateStore: Sendable {
    /// Whether the remote accepts chosen ids; nil before the probe.
    func remoteAcceptsChosenIds() async throws -> Bool?

    func setRemoteAcceptsChosenIds(_ accepts: Bool?) async throws

    func setPaused(_ paused: Bool) async throws

    func setLastSync(_ date: ParseDate) async throws
}
