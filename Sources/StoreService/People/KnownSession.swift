import ParseModel

/// A user's session, as recorded in a replica.
package struct KnownSession: Sendable, Hashable {
    package enum State: String, Sendable, CaseIterable {
        /// The session is valid for requests.
        case open
        /// The user has logged out here. The remote learns of the log-out after it has received the user's earlier
        /// writes.
        case loggedOut
        /// The user has deleted or locked their own account here, and the remote does not know it yet. The session is
        /// used only to send the user's changes.
        case leaving
        /// The session has ended: the remote has refused its token, or this gateway has ended a session that it opened
        /// itself.
        case refused
    }

    package enum Origin: String, Sendable {
        /// The remote has opened the session.
        case remote
        /// This gateway has opened the session while the remote was not reachable. The remote does not know its token.
        case here
    }

    package let digest: SessionDigest
    package let userId: String
    package let origin: Origin
    /// The time at which the session ends; nil if it has no end or the end is unknown.
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
