import ParseModel
import StoreService

/// Supplies the data about users in the answers of `/sync`, for example the counts of users. Each product has its own
/// implementation.
protocol SyncPeople: Sendable {
    /// The members of `GET /sync` that concern users.
    /// - Parameters:
    ///   - report: the sync state of this gateway.
    ///   - principal: the caller.
    func members(_ report: SyncReport, for principal: Principal) async throws -> JSONObject

    /// The entries of a list, for example of pending changes, from the spaces of all users. The master key may read
    /// them all.
    /// - Parameter mayHaveEntries: whether the space of a user may have entries. Other spaces are not opened.
    func entries(
        where mayHaveEntries: (UserStatus) -> Bool, _ read: (any SyncControl) async throws -> [JSONObject]
    ) async throws -> [JSONObject]

    /// All users who have data here or a session that has not ended.
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

/// Adds nothing to the answers of `/sync`, in a gateway without users.
struct NoSyncPeople: SyncPeople {
    func members(_ report: SyncReport, for principal: Principal) async throws -> JSONObject { [:] }
    func isUsable(_ token: String) -> Bool { true }
}

/// Adds the user of a space (the data of one user) to the answers of `/sync` from that space.
struct OneSyncUser: SyncPeople {
    let userId: String
    let overview: any ReplicaUsers

    func members(_ report: SyncReport, for principal: Principal) async throws -> JSONObject {
        ["user": .object(try await overview.standing(of: userId, UserWork(report.figures)).json)]
    }

    func isUsable(_ token: String) -> Bool { overview.isUsable(token) }
}

/// Adds the caller, or for the master key the counts of users, to the answers of `/sync` in a site replica, whose users
/// share the gateway's store.
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

/// Adds the counts of users, and for the master key the entries of all users' spaces, to the answers of `/sync` in a
/// personal replica.
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
                // `space` tells these entries from the gateway's own, which also have a `user` if the gateway was a
                // site replica before.
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
