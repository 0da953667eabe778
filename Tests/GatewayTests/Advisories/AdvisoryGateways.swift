import Foundation
import GatewayAPI
import LocalStore
import ParseModel
import StoreService
import StoreSupport

@testable import Gateway

/// Makes the gateways of `AdvisoryWorld`, one for each door of `AdvisoryRequest`, in one mode.
struct AdvisoryGateways {
    let mode: AdvisoryMode
    let remote: AdvisoryRemote
    /// The gateway's directory. It contains a directory of page files, beside one that must not be served.
    let directory: String
    /// In a personal replica, the data directory of the one user.
    let directoryOfSpace: String
    private let clock = TestClock()

    init(_ mode: AdvisoryMode, _ remote: AdvisoryRemote, in directories: [TemporaryDirectory]) {
        (self.mode, self.remote) = (mode, remote)
        (directory, directoryOfSpace) = (directories[0].path, directories[1].path)
    }

    func apis() async throws -> [AdvisoryRequest.Door: GatewayAPI] {
        try makePage()
        let store = try await store(in: directory, mode == .site ? .site : nil)
        guard mode == .standalone else { return [.usual: try await replica(store)] }
        return [
            .usual: standalone(store), .withApplicationId: standalone(store) { $0.keys.applicationId = "app" },
            .withLockout: standalone(store) {
                $0.accounts.lockout = Lockout(threshold: 3, duration: .seconds(300))
            },
            .withChosenIds: standalone(store) { $0.refusesChosenIds = false },
        ]
    }

    private func makePage() throws {
        for (path, text) in [
            ("web/index.html", "the page"), ("web/.hidden", AdvisoryData.marker),
            ("web-other/x.txt", AdvisoryData.marker),
        ] {
            let file = URL(filePath: directory).appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
    }

    private func store(in directory: String, _ rights: StoreSettings.Rights?) async throws -> LocalStore {
        let remote = StoreIdentity.Remote(url: "http://localhost:1337/parse", applicationId: "app")
        var settings = StoreConfiguration(
            directory: directory, identity: StoreIdentity(remote: mode == .standalone ? nil : remote))
        settings.synchronous = .normal
        if let rights { settings.rights = rights }
        settings.allowsChosenIds = mode == .standalone
        let store = try LocalStore(settings, environment: clock.environment)
        guard mode != .standalone else { return store }
        try await store.takeRemoteSchemas(AdvisoryData.schemas + AdvisoryData.schemasOfRemote)
        for schema in AdvisoryData.schemas { try await store.registerClass(schema.className) }
        for user in AdvisoryData.users where rights == .site {
            let now = clock.environment.now()
            let session = KnownSession(
                digest: SessionDigest(of: user.rawValue), userId: user.rawValue, expiresAt: nil, confirmedAt: now,
                changedAt: now, sealed: [])
            try await store.people.save(session, user: ["objectId": .string(user.rawValue)])
        }
        return store
    }

    private func parts(
        _ store: LocalStore, _ change: (inout APIConfiguration) -> Void = { _ in }
    ) -> APIParts {
        var configuration = APIConfiguration(
            mode: mode == .standalone ? .standalone : .replica, version: "test",
            keys: ClientKeys(masterKey: AdvisoryWorld.masterKey))
        configuration.keys.readOnlyMasterKey = AdvisoryWorld.readOnlyMasterKey
        configuration.accounts.passwordStrength = .weakest
        configuration.refusesChosenIds = true
        configuration.webDirectory = directory + "/web"
        configuration.routeAllowList = ["(?!classes/Unlisted).*"]
        change(&configuration)
        return APIParts(
            store: store.objects, configuration: configuration, environment: clock.environment, logger: .quiet)
    }

    private func standalone(
        _ store: LocalStore, _ change: (inout APIConfiguration) -> Void = { _ in }
    ) -> GatewayAPI {
        Standalone.api(parts(store, change), accounts: store.accounts)
    }

    private func replica(_ store: LocalStore) async throws -> GatewayAPI {
        let ways = RemoteWays(control: StillSync(), calls: remote, files: remote)
        switch mode {
        case .standalone, .off: return Replica.api(parts(store), ways)
        case .site:
            return Site.api(parts(store), ways, NamedUsers(roles: ["rob": ["Editors"], "nina": ["Editors", "Staff"]]))
        case .personal:
            let user = SpaceUser(objectId: "eve") { ["objectId": "eve", "username": "eve"] }
            let space = UserSpace.api(
                parts(try await self.store(in: directoryOfSpace, nil)), ways, user, of: SpacesOfNobody(), storeId: "")
            return PersonalReplica.api(parts(store), ways, SpaceOfEve(api: space))
        }
    }
}

/// A fake of the users of a personal replica. Only Eve has a space (her own database). Her session token is `eve`.
private struct SpaceOfEve: UserSpaces {
    let api: GatewayAPI
    private let others = SpacesOfNobody()

    func openPlace(of token: String) -> UserPlace? {
        token == "eve" ? UserPlace(api: api, user: SignedInUser(objectId: "eve", roles: [], sessionId: "")) : nil
    }

    func place(of token: String) async throws -> UserPlace { throw ParseError.invalidSession }
    func api(ofUser userId: String) async throws -> any SpaceAPI { api }
    func isOnlyOfGateway(_ object: Pointer) throws -> Bool { false }
    func unsentFile(_ name: String) throws -> UnsentFile? { nil }
    func shareFile(_ name: String) async throws -> Bool { false }
    func isUsable(_ token: String) -> Bool { token == "eve" }

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

    func users() async throws -> [UserStatus] { [] }
    var mode: String { "personal" }
    func standing(of userId: String, _ work: UserWork) async throws -> UserStanding {
        try await others.standing(of: userId, work)
    }
    func counts() async throws -> (users: Int, waitingForLogIn: Int) { (1, 0) }
    func export(of user: String) async throws -> UserExport { try await others.export(of: user) }
    func forget(_ user: String, exported: String?) async throws -> KnownUser {
        try await others.forget(user, exported: exported)
    }
}
