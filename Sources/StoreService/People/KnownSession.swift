import ParseModel

/// A session of a user, as a replica knows it.
package struct KnownSession: Sendable, Hashable {
    package enum State: String, Sendable, CaseIterable {
        /// The session is valid for requests.
        case open
        /// The session is logged out here. The remote is told when the user's earlier writes have arrived.
        case loggedOut
        /// The user has deleted or locked the own account here, and the remote does not know it yet. The session is used
        /// only to send the user's changes.
        case leaving
        /// The session has ended: the remote has refused the token, or a session of this gateway was ended here.
        case refused
    }

    package enum Origin: String, Sendable {
        /// The remote has opened the session.
        case remote
        /// This gateway has opened the session without the remote, which does not know the token.
        case here
    }

    package let digest: SessionDigest
    package let userId: String
    package let origin: Origin
    /// The end of the session; nil for none, and if it is unknown.
    package let expiresAt: ParseDate?
    /// The last time at which the remote has accepted the token. For a session of origin `here`, the time of the log-in.
    package var confirmedAt: ParseDate
    package var state: State
    /// The time of the last change of `state`.
    package var changedAt: ParseDate
    /// The encrypted token; empty for a session of origin `here`, which needs no token.
    package let sealed: [UInt8]

    package init(
        digest: SessionDigest, userId: String, origin: Origin = .remote, expiresAt: ParseDate?, confirmedAt: ParseDate,
        state: State = .open, changedAt: ParseDate, sealed: [UInt8]
    ) {
        self.digest = digest
        self.userId = userId
        self.origin = origin
        self.expiresAt = expiresAt
        self.confirmedAt = confirmedAt
        self.state = state
        self.changedAt = changedAt
        self.sealed = sealed
    }
}
