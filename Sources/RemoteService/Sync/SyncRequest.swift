/// The phases that a requested sync includes.
package struct SyncRequest: Sendable, Hashable {
    /// Whether to send pending changes.
    package var pushes: Bool
    /// Whether to pull remote changes.
    package var pulls: Bool
    /// Whether to audit all pulled objects, even if no audit is due.
    package var audits: Bool

    package init(pushes: Bool = true, pulls: Bool = true, audits: Bool = false) {
        self.pushes = pushes
        self.pulls = pulls
        self.audits = audits && pulls
    }

    package static let full = SyncRequest()

    /// Merges two requests into one with the phases of both.
    package func joined(with other: SyncRequest) -> SyncRequest {
        SyncRequest(pushes: pushes || other.pushes, pulls: pulls || other.pulls, audits: audits || other.audits)
    }
}
