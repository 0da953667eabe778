import GatewayAPI
import ParseModel
import RemoteService
import SyncEngine

/// The users whom a replica serves, with the work in the background.
protocol ServedPeople: UserSpaces, MetricsSource {
    var book: SessionBook { get }

    /// The accesses of authors to the remote; nil if each user has an engine of its own.
    var authors: (any AuthorRemotes)? { get }

    /// Sets where the contents of the remote's files are kept. Called before the first request.
    func setFiles(_ files: SharedFiles?)

    /// Sets the engine of the gateway itself, which sends the changes of a site's users. Called before the first request.
    func setEngine(_ engine: SyncEngine)

    /// Sets the API of the gateway itself, which has the streams of a site's users. Called before the first request.
    func setAPI(_ api: GatewayAPI)

    /// Lets the users follow the classes and the pauses of the gateway.
    func followGateway() async

    /// Works in the background until the task is cancelled.
    func tend() async

    /// Called after each sync of the gateway without an error.
    func noteSyncEnd() async

    func stop() async
}

/// Users with an engine and an API of their own do not need those of the gateway.
extension ServedPeople {
    func setEngine(_ engine: SyncEngine) {}
    func setAPI(_ api: GatewayAPI) {}
}

/// The book of sessions learns of the beginnings and ends.
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
