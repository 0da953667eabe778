import GatewayAPI
import StoreService

/// Metrics of the users, by state. No metric names a user.
extension SpaceRegistry {
    func families() async throws -> [MetricFamily] {
        let users = try await users()
        let openCount = users.count { $0.isOpen }
        let closedCount = users.count { $0.hasSpace && !$0.isOpen }
        let sessions = try people.sessionCounts()
        return [
            .gauge(
                "tidegate_user_spaces", "Spaces of users.",
                [(["state": "open"], Double(openCount)), (["state": "closed"], Double(closedCount))]),
            .gauge(
                "tidegate_users_waiting_for_login", "Users whose changes wait for them to log in.",
                Double(users.count { $0.standing.waitsForLogIn })),
            .gauge(
                "tidegate_user_sessions", "Known sessions of users.",
                KnownSession.State.allCases.map { (["state": $0.rawValue], Double(sessions[$0] ?? 0)) }),
            .gauge(
                "tidegate_user_outbox_objects", "Objects with unsent changes in the spaces of users.",
                Double(users.reduce(0) { $0 + $1.work.pending })),
        ]
    }
}
