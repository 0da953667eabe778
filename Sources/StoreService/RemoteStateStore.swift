import ParseModel
import SyncModel

/// Facts about the remote, and the state of syncing.
package protocol RemoteStateStore: Sendable {
    /// Whether the remote accepts chosen ids; nil before the probe.
    func remoteAcceptsChosenIds() async throws -> Bool?

    func setRemoteAcceptsChosenIds(_ accepts: Bool?) async throws

    func setPaused(_ paused: Bool) async throws

    func setLastSync(_ date: ParseDate) async throws
}
