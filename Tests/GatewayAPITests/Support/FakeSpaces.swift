import GatewayAPI
import ParseModel
import StoreService
import Synchronization

/// A fake of the users of a personal replica. Only Ada has a space (her own database), and one session. It records the
/// sessions that it is asked about.
final class FakeSpaces: UserSpaces {
    static let token = "r:known"
    /// The token of a session that this gateway has opened itself, without the remote.
    static let tokenFromHere = "r:here"
    let offlineSignIn: (any OfflineSignIn)?
    let asked = Mutex<[String]>([])
    let ended = Mutex<[String]>([])
    /// The sync engine of Ada's space.
    let sync = FakeSync()
    /// Ada's pending changes. If there are any, they wait until she logs in. Other users have none.
    let work: UserWork
    private let space = Mutex<Gateway?>(nil)

    /// - Parameters:
    ///   - offlineSignIn: the log-ins without the remote; nil if they are off.
    ///   - change: changes the configuration of the API that serves Ada.
    init(
        work: UserWork = .none, offlineSignIn: (any OfflineSignIn)? = nil, storeId: String = "",
        _ change: (inout APIConfiguration) -> Void = { _ in }
    ) {
        self.work = work
        self.offlineSignIn = offlineSignIn
        let user = SpaceUser(objectId: "ada") { ["objectId": "ada", "username": "Ada"] }
        let gateway = Gateway.make(sync: sync, users: .space(user, of: self, storeId: storeId), change)
        space.withLock { $0 = gateway }
    }

    /// The store of Ada's space.
    var store: MemoryStore? { space.withLock { $0?.store } }

    private var api: GatewayAPI {
        get throws {
            guard let gateway = space.withLock({ $0 }) else { throw StoreError.notFound(what: "the space") }
            return gateway.api
        }
    }

    func openPlace(of token: String) -> UserPlace? { nil }

    func isOnlyOfGateway(_ object: Pointer) throws -> Bool { false }
    func unsentFile(_ name: String) throws -> UnsentFile? { nil }
    func shareFile(_ name: String) async throws -> Bool { false }

    func isUsable(_ token: String) -> Bool {
        token == Self.token && !ended.withLock { $0.contains(token) }
    }

    func place(of token: String) async throws -> UserPlace {
        asked.withLock { $0.append(token) }
        guard token == Self.token else { throw ParseError.invalidSession }
        return UserPlace(api: try api, user: SignedInUser(objectId: "ada", roles: [], sessionId: ""))
    }

    func fields(of userId: String) throws -> JSONObject { [:] }
    var mode: String { "personal" }
    func isFromHere(_ token: String) throws -> Bool { token == Self.tokenFromHere }
    func noteOpened(_ token: String) async {}
    func noteRefused(_ token: String) async {}
    func noteEnded(_ token: String) async {}
    func refresh(_ token: String) async {}
    func confirmSessions(of userId: String) async {}
    func hasEnded(_ token: String) throws -> Bool { false }
    func checkRoom(for name: LogInName) async throws {}
    func checkRoom(forSession token: String) async throws {}
    func logOut(_ token: String) async throws { ended.withLock { $0.append(token) } }

    func users() async throws -> [UserStatus] {
        let ada = UserStatus(
            standing: try await standing(of: "ada", work), hasSpace: true, isOpen: true, work: work,
            lastRequestAt: ParseDate(milliseconds: 1000))
        let ben = UserStatus(
            standing: UserStanding(objectId: "ben", username: nil, waitsForLogIn: false, offlineUntil: nil),
            hasSpace: false, isOpen: false, work: .none, lastRequestAt: nil)
        return [ada, ben]
    }

    func standing(of userId: String, _ work: UserWork) async throws -> UserStanding {
        UserStanding(
            objectId: userId, username: "Ada", waitsForLogIn: work.pending > 0,
            offlineUntil: ParseDate(milliseconds: 604_800_000))
    }

    func counts() async throws -> (users: Int, waitingForLogIn: Int) { (2, work.pending) }

    func api(ofUser userId: String) async throws -> any SpaceAPI {
        guard userId == "ada" else { throw StoreError.notFound(what: "the user") }
        return try api
    }

    func export(of user: String) async throws -> UserExport {
        guard user == "ada" else { throw StoreError.notFound(what: "the user \(user)") }
        return UserExport(user: KnownUser(objectId: "ada", name: "Ada"), entries: [["entry": "change"]])
    }

    func forget(_ user: String, exported: String?) async throws -> KnownUser {
        let export = try await export(of: user)
        guard exported == export.digest else { throw StoreError.notPossible(reason: "not exported") }
        return export.user
    }
}
