import GatewayAPI
import ParseModel
import StoreService

/// A fake of the users of a site replica: every session is valid, and its token is the id of its user. A batch and a
/// change stream accept a session only if the store has it, too.
struct NamedUsers: UsersOfSite {
    /// The names of each user's roles, by the user's id.
    var roles: [String: Set<String>] = [:]

    func knownUser(of token: String) -> SignedInUser? {
        SignedInUser(objectId: token, roles: roles[token] ?? [], sessionId: SessionDigest(of: token).text)
    }

    func user(of token: String) async throws -> SignedInUser { throw ParseError.invalidSession }
    func onSessionEnd(_ observer: @escaping @Sendable () -> Void) {}
    func isUsable(_ token: String) -> Bool { true }

    func noteOpened(_ token: String) async {}
    func noteRefused(_ token: String) async {}
    func noteEnded(_ token: String) async {}
    func refresh(_ token: String) async {}
    func confirmSessions(of userId: String) async {}
    func hasEnded(_ token: String) throws -> Bool { false }
    func checkRoom(for name: LogInName) async throws {}
    func checkRoom(forSession token: String) async throws {}
    func logOut(_ token: String) async throws {}
    var offlineSignIn: (any OfflineSignIn)? { nil }
    func fields(of userId: String) throws -> JSONObject { [:] }
    func isFromHere(_ token: String) throws -> Bool { false }

    private var none: StoreError { .notFound(what: "the user") }
    func users() async throws -> [UserStatus] { [] }
    var mode: String { "site" }
    func work(of userId: String) throws -> UserWork { .none }
    func standing(of userId: String, _ work: UserWork) async throws -> UserStanding { throw none }
    func counts() async throws -> (users: Int, waitingForLogIn: Int) { (0, 0) }
    func export(of user: String) async throws -> UserExport { throw none }
    func forget(_ user: String, exported: String?) async throws -> KnownUser { throw none }
}
