/// The parts of a sync that is asked for.
package struct SyncRequest: Sendable, Hashable {
    /// Send the changes that wait here.
    package var pushes: Bool
    /// Take in the changes of the remote.
    package var pulls: Bool
    /// Compare all pulled objects with the remote, whether or not an audit is due.
    package var audits: Bool

    package init(pushes: Bool = true, pulls: Bool = true, audits: Bool = false) {
        self.pushes = pushes
        self.pulls = pulls
        self.audits = audits && pulls
    }

    package static let full = SyncRequest()

    /// One sync with the parts of both.
    package func joined(with other: SyncRequest) -> SyncRequest {
        SyncRequest(pushes: pushes || other.pushes, pulls: pulls || other.pulls, audits: audits || other.audits)
    }
}
