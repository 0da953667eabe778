import GatewayAPI
import StoreService

/// Metrics of the users, by state. No metric names a user.
extension SpaceRegistry {
    func families() async throws -> [MetricFamily] {
        let users = try await users()
        let openCount = users.count { $0.isOpen }
        let closedCount = users.count { $0.hasSpace && !$0.isOpen }
        let spaces = MetricFamily.gauge(
            "tidegate_user_spaces", "Spaces of users.",
            [(["state": "open"], Double(openCount)), (["state": "closed"], Double(closedCount))])
        return [spaces] + UserMetrics.families(users, sessions: try people.sessionCounts())
    }
}
