/// What a sync that somebody asks for shall do.
package struct SyncCall: Sendable, Hashable {
    /// Send what waits here.
    package var pushes: Bool
    /// Bring what is new there.
    package var pulls: Bool
    /// Compare all that is pulled with the remote, whether or not that is due.
    package var audits: Bool

    package init(pushes: Bool = true, pulls: Bool = true, audits: Bool = false) {
        self.pushes = pushes
        self.pulls = pulls
        self.audits = audits && pulls
    }

    package static let full = SyncCall()

    /// One sync that does what both ask for.
    func joined(with other: SyncCall) -> SyncCall {
        SyncCall(pushes: pushes || other.pushes, pulls: pulls || other.pulls, audits: audits || other.audits)
    }
}
