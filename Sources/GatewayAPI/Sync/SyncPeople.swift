import ParseModel
import StoreService

/// Supplies the parts of `/sync` that concern users: lists, figures and the user of a decision. Each product has its own
/// implementation.
protocol SyncPeople: Sendable {
    /// The members of `GET /sync` that concern users.
    /// - Parameters:
    ///   - report: the sync state of this gateway.
    ///   - principal: who asks.
    func members(_ report: SyncReport, for principal: Principal) async throws -> JSONObject

    /// The entries of a list in the spaces of all users, as the master key sees them.
    /// - Parameter mayHaveEntries: whether the space of a user may have entries. Other spaces are not opened.
    func entries(
        where mayHaveEntries: (UserStatus) -> Bool, _ read: (any SyncControl) async throws -> [JSONObject]
    ) async throws -> [JSONObject]

    /// All users.
    /// - Throws: `ParseError` 119 (operation forbidden) if the gateway has no data of single users.
    func users() async throws -> [UserStatus]

    /// Whether a session is open.
    func isUsable(_ token: String) -> Bool
}

extension SyncPeople {
    func entries(
        where mayHaveEntries: (UserStatus) -> Bool, _ read: (any SyncControl) async throws -> [JSONObject]
    ) async throws -> [JSONObject] { [] }

    func users() async throws -> [UserStatus] {
        throw ParseError(.operationForbidden, "This gateway has no data of single users.")
    }
}

/// The implementation for a gateway without users.
struct NoSyncPeople: SyncPeople {
    func members(_ report: SyncReport, for principal: Principal) async throws -> JSONObject { [:] }
    func isUsable(_ token: String) -> Bool { true }
}

/// The implementation for the space of one user.
struct OneSyncUser: SyncPeople {
    let userId: String
    let overview: any ReplicaUsers

    func members(_ report: SyncReport, for principal: Principal) async throws -> JSONObject {
        ["user": .object(try await overview.standing(of: userId, UserWork(report.figures)).json)]
    }

    func isUsable(_ token: String) -> Bool { overview.isUsable(token) }
}

/// The implementation for a site replica, whose users share the gateway's store.
struct SyncUsersOfSite: SyncPeople {
    let site: any UsersOfSite

    func members(_ report: SyncReport, for principal: Principal) async throws -> JSONObject {
        guard let user = principal.user else { return try await site.countsOfUsers() }
        let work = try site.work(of: user.objectId)
        return [
            "user": .object(try await site.standing(of: user.objectId, work).json),
            "pending": .int(work.pending), "rejections": .int(work.rejections), "conflicts": .int(work.conflicts),
        ]
    }

    func users() async throws -> [UserStatus] { try await site.users() }
    func isUsable(_ token: String) -> Bool { site.isUsable(token) }
}

/// The implementation for a personal replica, in which each user has a space.
struct SyncUsersOfSpaces: SyncPeople {
    let spaces: any UserSpaces

    func members(_ report: SyncReport, for principal: Principal) async throws -> JSONObject {
        try await spaces.countsOfUsers()
    }

    func users() async throws -> [UserStatus] { try await spaces.users() }

    /// Each entry has the id of its user in `user` and `space`.
    func entries(
        where mayHaveEntries: (UserStatus) -> Bool, _ read: (any SyncControl) async throws -> [JSONObject]
    ) async throws -> [JSONObject] {
        var all: [JSONObject] = []
        for user in try await users() where user.hasSpace && mayHaveEntries(user) {
            let userId = user.standing.objectId
            guard let control = try await spaces.api(ofUser: userId).control else { continue }
            for var entry in try await read(control) {
                entry["user"] = .string(userId)
                // The gateway's own entries can have a user, too, if it was a site before.
                entry["space"] = .string(userId)
                all.append(entry)
            }
        }
        return all
    }

    func isUsable(_ token: String) -> Bool { spaces.isUsable(token) }
}

extension ReplicaUsers {
    fileprivate func countsOfUsers() async throws -> JSONObject {
        let (users, waiting) = try await counts()
        return ["people": ["mode": .string(mode), "users": .int(users), "waitingForLogIn": .int(waiting)]]
    }
}
