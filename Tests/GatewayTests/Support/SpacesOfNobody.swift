import GatewayAPI
import ParseModel
import StoreService

/// A fake of the users of a personal replica. Only one user has a space (an own database), which the test opens
/// itself.
struct SpacesOfNobody: UserSpaces {
    func openPlace(of token: String) -> UserPlace? { nil }
    func place(of token: String) async throws -> UserPlace { throw ParseError.invalidSession }
    func api(ofUser userId: String) async throws -> any SpaceAPI { throw none }
    func isOnlyOfGateway(_ object: Pointer) throws -> Bool { false }
    func unsentFile(_ name: String) throws -> UnsentFile? { nil }
    func shareFile(_ name: String) async throws -> Bool { false }
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
    var mode: String { "personal" }
    func standing(of userId: String, _ work: UserWork) async throws -> UserStanding { throw none }
    func counts() async throws -> (users: Int, waitingForLogIn: Int) { (0, 0) }
    func export(of user: String) async throws -> UserExport { throw none }
    func forget(_ user: String, exported: String?) async throws -> KnownUser { throw none }
}
