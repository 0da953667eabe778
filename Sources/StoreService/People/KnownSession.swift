import ParseModel

/// A session of the remote, as a replica knows it.
package struct KnownSession: Sendable, Hashable {
    package enum State: String, Sendable, CaseIterable {
        /// The user works with the session.
        case open
        /// The session is logged out here. The remote is told when the user's earlier writes have arrived.
        case loggedOut
        /// The remote has refused the token.
        case refused
    }

    package let digest: SessionDigest
    package let userId: String
    /// The end of the session by the remote; nil for none, and if it is unknown.
    package let expiresAt: ParseDate?
    /// The last time at which the remote has accepted the token.
    package var confirmedAt: ParseDate
    package var state: State
    /// The time of the last change of `state`.
    package var changedAt: ParseDate
    /// The encrypted token.
    package let sealed: [UInt8]

    package init(
        digest: SessionDigest, userId: String, expiresAt: ParseDate?, confirmedAt: ParseDate, state: State = .open,
        changedAt: ParseDate, sealed: [UInt8]
    ) {
        self.digest = digest
        self.userId = userId
        self.expiresAt = expiresAt
        self.confirmedAt = confirmedAt
        self.state = state
        self.changedAt = changedAt
        self.sealed = sealed
    }
}
