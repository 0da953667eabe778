import GatewayAPI
import StoreService

/// Metrics of the users of a replica, by state. No metric names a user.
enum UserMetrics {
    /// - Parameter sessions: the number of known sessions in each state.
    static func families(_ users: [UserStatus], sessions: [KnownSession.State: Int]) -> [MetricFamily] {
        [
            .gauge(
                "tidegate_users_waiting_for_login", "Users whose changes wait for them to log in.",
                Double(users.count { $0.standing.waitsForLogIn })),
            .gauge(
                "tidegate_user_sessions", "Known sessions of users.",
                KnownSession.State.allCases.map { (["state": $0.rawValue], Double(sessions[$0] ?? 0)) }),
            .gauge(
                "tidegate_user_outbox_objects", "Objects with unsent changes of users.",
                Double(users.reduce(0) { $0 + $1.work.pending })),
        ]
    }
}
