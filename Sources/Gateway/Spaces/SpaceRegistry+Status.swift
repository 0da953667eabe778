import GatewayAPI
import ParseModel
import StoreService

/// Lists the waiting changes of all users. No function here opens a space, except `api(ofUser:)`.
extension SpaceRegistry {
    var mode: String { PeopleSettings.Mode.personal.rawValue }

    func users() async throws -> [UserStatus] {
        var all: [UserStatus] = []
        let uses = try lastUses()
        for userId in try people.userIds() {
            let hasSpace = hasSpace(userId)
            guard try hasSpace || !people.sessions(of: userId).isEmpty else { continue }
            let work = hasSpace ? try await work(of: userId) : .none
            let isOpen = state.withLock { $0.open[userId] != nil }
            var standing = try await standing(of: userId, work)
            // A user without a space has no data to read without the remote.
            if !hasSpace { standing.offlineUntil = nil }
            all.append(
                UserStatus(
                    standing: standing, hasSpace: hasSpace, isOpen: isOpen, work: work, lastRequestAt: uses[userId]))
        }
        return all
    }

    func standing(of userId: String, _ work: UserWork) async throws -> UserStanding {
        try await book.standing(of: userId, hasChanges: work.pending > 0)
    }

    func counts() async throws -> (users: Int, waitingForLogIn: Int) {
        var (users, waiting) = (0, 0)
        for userId in try people.userIds() {
            let hasSpace = hasSpace(userId)
            guard try hasSpace || !people.sessions(of: userId).isEmpty else { continue }
            users += 1
            // Only the changes of users without a usable session count as waiting for a log-in.
            if hasSpace, await !book.canSend(userId) { waiting += try await work(of: userId).pending }
        }
        return (users, waiting)
    }

    func api(ofUser userId: String) async throws -> any SpaceAPI {
        guard try people.user(userId) != nil, hasSpace(userId) else {
            throw StoreError.notFound(what: "data of a user with the objectId \(userId)")
        }
        return try await space(of: userId).api
    }

    /// The numbers of waiting changes and decisions in a user's space. Those of a closed space are cached, because only
    /// an open space changes them.
    private func work(of userId: String) async throws -> UserWork {
        let (space, known) = state.withLock { ($0.open[userId]?.space, $0.workOfClosed[userId]) }
        if let space { return UserWork(try await space.store.figures()) }
        if let known { return known }
        let figures: SyncFigures?
        do { figures = try readsFigures(path(of: userId)) } catch {
            // A damaged file of one user must not hide the entries of the others.
            logger.error("what waits in the data of the user \(userId) cannot be read: \(error)")
            return .none
        }
        guard let figures else { return .none }
        let work = UserWork(figures)
        state.withLock { state in
            guard state.open[userId] == nil, state.opening[userId] == nil, !state.leaving.contains(userId) else {
                return
            }
            state.workOfClosed[userId] = work
        }
        return work
    }
}
