import ParseModel

/// All users of a replica with spaces, for the local master key and for the sync status.
package protocol SpaceOverview: Sendable {
    /// The users who have a space or a session that has not ended, ordered by id. Opens no space.
    /// - Throws: `StoreError` if a file cannot be read.
    func users() async throws -> [UserStatus]

    /// How the users are served: `personal` or `site`.
    var mode: String { get }

    /// The work of a user in the file that all users share; nil if each user has a space.
    func sharedWork(of userId: String) throws -> UserWork?

    /// The standing of a user.
    /// - Parameter work: the work that waits in the user's space.
    func standing(of userId: String, _ work: UserWork) async throws -> UserStanding

    /// The number of users in `users()`, and the number of changed objects that wait for their author to log in. Opens no space.
    func counts() async throws -> (users: Int, waitingForLogIn: Int)

    /// The API of a user's space. Opens the space.
    /// - Throws: `StoreError.notFound` for a user without a space.
    func api(ofUser userId: String) async throws -> any SpaceAPI
}

extension SpaceOverview {
    /// Reads entries from the spaces of all users, with the id of their user in `user` and `space`.
    /// - Parameter mayHaveEntries: whether the space of a user may have entries. Other spaces are not opened.
    func entries(
        where mayHaveEntries: (UserStatus) -> Bool,
        _ read: (any SyncControl) async throws -> [JSONObject]
    ) async throws -> [JSONObject] {
        var all: [JSONObject] = []
        for user in try await users() where user.hasSpace && mayHaveEntries(user) {
            let userId = user.standing.objectId
            guard let control = try await api(ofUser: userId).control else { continue }
            for var entry in try await read(control) {
                entry["user"] = .string(userId)
                // The gateway's own entries can have a user, too, if it was a site before.
                entry["space"] = .string(userId)
                all.append(entry)
            }
        }
        return all
    }
}
