import ParseModel
import StoreService

/// The numbers of waiting changes, rejections, conflicts and unconfirmed removals in a user's data.
package struct UserWork: Sendable, Hashable {
    /// The number of objects with changes that wait to be sent, or with sent changes without a known outcome.
    package let pending: Int
    package let rejections: Int
    package let conflicts: Int
    package let removals: Int

    /// No waiting changes and no open decisions.
    package static let none = UserWork(pending: 0, rejections: 0, conflicts: 0, removals: 0)

    package init(pending: Int, rejections: Int, conflicts: Int, removals: Int) {
        (self.pending, self.rejections, self.conflicts, self.removals) = (pending, rejections, conflicts, removals)
    }

    package init(_ figures: SyncFigures) {
        self.init(
            pending: figures.pending, rejections: figures.rejections, conflicts: figures.conflicts,
            removals: figures.removals)
    }

    package var isNone: Bool { self == .none }
}

/// A user, and the time until which the user may work without the remote.
package struct UserStanding: Sendable, Hashable {
    package let objectId: String
    /// The name as the remote has shown it last; nil if it has shown none.
    package let username: String?
    /// Whether the user's changes cannot be sent before the user logs in again.
    package let waitsForLogIn: Bool
    /// The time until which one of the user's sessions is valid without the remote; nil without an open session. In the
    /// list of all users, also nil for a user without data on this machine.
    package var offlineUntil: ParseDate?

    package init(objectId: String, username: String?, waitsForLogIn: Bool, offlineUntil: ParseDate?) {
        self.objectId = objectId
        self.username = username
        self.waitsForLogIn = waitsForLogIn
        self.offlineUntil = offlineUntil
    }

    /// `user` in the answer of `GET /sync`.
    var json: JSONObject {
        [
            "objectId": .string(objectId), "username": username.map(JSONValue.string) ?? .null,
            "waitsForLogIn": .bool(waitsForLogIn),
            "offlineUntil": offlineUntil.map { .string($0.iso) } ?? .null,
        ]
    }
}

/// A user with a space or a session, as `GET /sync/users` lists the user for the local master key.
package struct UserStatus: Sendable, Hashable {
    package let standing: UserStanding
    /// Whether the user has a space. A user whose space was removed to make room for others has none until the next request.
    package let hasSpace: Bool
    /// Whether the space is open. A closed space syncs nothing. After a start, the gateway opens all spaces, and later
    /// closes those that are idle.
    package let isOpen: Bool
    package let work: UserWork
    /// The number of objects with changes that have waited for a long time while the remote answered. Only the spaces of
    /// a personal replica count them here.
    package let stalled: Int
    /// The time of the user's last request since the start of the gateway; nil without one.
    package let lastRequestAt: ParseDate?

    package init(
        standing: UserStanding, hasSpace: Bool, isOpen: Bool, work: UserWork, stalled: Int = 0,
        lastRequestAt: ParseDate?
    ) {
        self.standing = standing
        self.hasSpace = hasSpace
        self.isOpen = isOpen
        self.work = work
        self.stalled = stalled
        self.lastRequestAt = lastRequestAt
    }

    /// An entry in the answer of `GET /sync/users`.
    var json: JSONObject {
        [
            "objectId": .string(standing.objectId), "username": standing.username.map(JSONValue.string) ?? .null,
            "isOpen": .bool(isOpen), "pending": .int(work.pending), "rejections": .int(work.rejections),
            "conflicts": .int(work.conflicts), "removals": .int(work.removals), "stalled": .int(stalled),
            "waitsForLogIn": .bool(standing.waitsForLogIn),
            "offlineUntil": standing.offlineUntil.map { .string($0.iso) } ?? .null,
            "lastRequestAt": lastRequestAt.map { .string($0.iso) } ?? .null,
        ]
    }
}
