import GatewayAPI
import ParseModel

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
