import Foundation
import GatewayAPI
import ParseModel
import StoreService

/// Counts the waiting changes and decisions of each user of a personal replica, and exports them. A user's space is
/// opened only for an export.
struct SpaceOverview: Sendable {
    let registry: SpaceRegistry

    private var people: any PeopleStore { registry.people }

    func users() async throws -> [UserStatus] {
        var all: [UserStatus] = []
        let uses = try registry.lastUses()
        for userId in try people.userIds() {
            let hasSpace = registry.hasSpace(userId)
            guard try hasSpace || !people.sessions(of: userId).isEmpty else { continue }
            let work = hasSpace ? try await work(of: userId) : .none
            let open = registry.state.withLock { $0.open[userId]?.space }
            var standing = try await registry.standing(of: userId, work)
            // A user without a space has no data here, and cannot work without the remote.
            if !hasSpace { standing.offlineUntil = nil }
            all.append(
                UserStatus(
                    standing: standing, hasSpace: hasSpace, isOpen: open != nil, work: work,
                    stalled: open?.syncing?.stalls?.changeCount ?? 0, lastRequestAt: uses[userId]))
        }
        return all
    }

    func counts() async throws -> (users: Int, waitingForLogIn: Int) {
        var (users, waiting) = (0, 0)
        for userId in try people.userIds() {
            let hasSpace = registry.hasSpace(userId)
            guard try hasSpace || !people.sessions(of: userId).isEmpty else { continue }
            users += 1
            // The changes of a user with a usable session do not wait for a log-in, so they are not counted.
            if hasSpace, await !registry.book.canSend(userId) { waiting += try await work(of: userId).pending }
        }
        return (users, waiting)
    }

    /// The numbers of waiting changes and decisions in a user's space. For a closed space they are read once, because
    /// only an open space changes them.
    private func work(of userId: String) async throws -> UserWork {
        let (space, known) = registry.state.withLock { ($0.open[userId]?.space, $0.workOfClosed[userId]) }
        if let space { return UserWork(try await space.store.figures()) }
        if let known { return known }
        let figures: SyncFigures?
        do { figures = try registry.readsFigures(registry.path(of: userId)) } catch {
            // A damaged file of one user must not prevent the list of the other users.
            registry.logger.error("what waits in the data of the user \(userId) cannot be read: \(error)")
            return .none
        }
        guard let figures else { return .none }
        let work = UserWork(figures)
        registry.state.withLock { state in
            guard state.open[userId] == nil, state.opening[userId] == nil, !state.leaving.contains(userId) else {
                return
            }
            state.workOfClosed[userId] = work
        }
        return work
    }

    func export(of user: String) async throws -> UserExport {
        let user = try KnownUser(user, in: people)
        guard FileManager.default.fileExists(atPath: registry.path(of: user.objectId)) else {
            return try UserExport(user: user, work: nil)
        }
        let work = try await registry.space(of: user.objectId).store.waitingWork()
        let export = try UserExport(user: user, work: work)
        registry.audit.note(.exported(userId: user.objectId, entries: export.entries.count))
        return export
    }

    /// Metrics of the users, by state. No metric names a user.
    func families() async throws -> [MetricFamily] {
        let users = try await users()
        let openCount = users.count { $0.isOpen }
        let closedCount = users.count { $0.hasSpace && !$0.isOpen }
        let spaces = MetricFamily.gauge(
            "tidegate_user_spaces", "Spaces of users.",
            [(["state": "open"], Double(openCount)), (["state": "closed"], Double(closedCount))])
        let stalled = MetricFamily.gauge(
            "tidegate_user_stalled_changes",
            "Objects in spaces of users with changes that have waited for longer than --stall-alarm while the remote answered.",
            Double(users.reduce(0) { $0 + $1.stalled }))
        return [spaces, stalled] + UserMetrics.families(users, sessions: try people.sessionCounts())
    }
}
