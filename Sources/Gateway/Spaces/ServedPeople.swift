import GatewayAPI
import ParseModel
import StoreService

/// The users of a replica, and the background work for them: ending sessions, sending log-outs, closing idle spaces.
protocol ServedPeople: ReplicaUsers, MetricsSource {
    var book: SessionBook { get }

    /// Runs the background work until the task is cancelled.
    func tend() async

    /// Called after each sync of the gateway without an error.
    func noteSyncEnd() async

    func stop() async
}

/// Passes the beginnings and ends of sessions on to the book of sessions.
extension ServedPeople {
    func noteOpened(_ token: String) async { await book.noteOpened(token) }
    func noteRefused(_ token: String) async { await book.noteRefused(token) }
    func noteEnded(_ token: String) async { await book.noteEnded(token) }
    func refresh(_ token: String) async { await book.refresh(token) }
    func confirmSessions(of userId: String) async { await book.confirmSessions(of: userId) }
    func checkRoom(forSession token: String) async throws { try await book.checkRoom(forSession: token) }
    func logOut(_ token: String) async throws { try await book.logOut(token) }
    var offlineSignIn: (any OfflineSignIn)? { book.offlineSignIn }
    func fields(of userId: String) throws -> JSONObject { try book.people.user(userId) ?? [:] }
    func hasEnded(_ token: String) throws -> Bool { try book.hasEnded(token) }
    func isFromHere(_ token: String) throws -> Bool { try book.isFromHere(token) }
    func isUsable(_ token: String) -> Bool { book.isUsable(token) }
}

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
