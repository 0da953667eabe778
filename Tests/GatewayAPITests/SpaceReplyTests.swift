import GatewayAPI
import HTTPServer
import ParseModel
import StoreService
import Synchronization
import Testing

/// Which requests are handed on to the spaces of users.
@Suite struct SpaceReplyTests {
    /// Knows one session, and notes which sessions it is asked about.
    private final class Spaces: UserSpaces {
        static let token = "r:known"
        let asked = Mutex<[String]>([])
        let ended = Mutex<[String]>([])
        private let space: Gateway

        init(_ space: Gateway) { self.space = space }

        func openAPI(of token: String) -> (any SpaceAPI)? { nil }

        func api(of token: String) async throws -> any SpaceAPI {
            asked.withLock { $0.append(token) }
            guard token == Self.token else { throw ParseError.invalidSession }
            return space.api
        }

        var offlineSignIn: (any OfflineSignIn)? { nil }
        func isFromHere(_ token: String) throws -> Bool { false }
        func noteOpened(_ token: String) async {}
        func noteRefused(_ token: String) async {}
        func export(of user: String) async throws -> UserExport {
            guard user == "ada" else { throw StoreError.notFound(what: "the user \(user)") }
            return UserExport(user: KnownUser(objectId: "ada", name: "Ada"), entries: [["entry": "change"]])
        }

        func forget(_ user: String, exported: String?) async throws -> KnownUser {
            let export = try await export(of: user)
            guard exported == export.digest else { throw StoreError.notPossible(reason: "not exported") }
            return export.user
        }

        func logOut(_ token: String) async throws { ended.withLock { $0.append(token) } }
    }

    private let spaces: Spaces
    private let gateway: Gateway

    init() throws {
        let user = SpaceUser(objectId: "ada") { ["objectId": "ada", "username": "Ada"] }
        spaces = Spaces(
            Gateway.make(sync: FakeSync()) { configuration in
                configuration.user = user
                configuration.accessKey = "key"
            })
        gateway = Gateway.make(sync: FakeSync(), spaces: spaces) { $0.accessKey = "key" }
    }

    private func send(
        _ line: String, _ token: String?, key: String = "key", _ more: [String: String] = [:]
    ) async -> Answer {
        var headers = more
        headers["X-Tidegate-Access-Key"] = key
        headers["X-Parse-Session-Token"] = token
        return await gateway.send(line, headers)
    }

    @Test func aKnownSessionReachesItsSpace() async throws {
        let me = await send("GET /users/me", Spaces.token)
        #expect(me.status == 200)
        #expect(me.object["username"] == "Ada" && me.object["sessionToken"] == .string(Spaces.token))
        #expect(await send("GET /classes/Note", nil).status == 200)
        #expect(spaces.asked.withLock { $0 } == [Spaces.token])
    }

    @Test func anUnknownSessionIsRefusedWhereSessionsCount() async {
        #expect(await send("GET /classes/Note", "r:other").object["code"] == 209)
        #expect(await send("GET /health", "r:other").status == 200)
        #expect(await send("POST /logout", "r:other").object == [:])
        #expect(spaces.ended.withLock { $0 } == ["r:other"])
    }

    /// Otherwise a page of another site, or a client without a key, could try tokens.
    @Test func withoutTheKeyNobodyIsAskedAboutASession() async {
        #expect(await send("GET /classes/Note", Spaces.token, key: "wrong").status == 403)
        let foreign = ["Origin": "https://evil.example"]
        #expect(await send("GET /classes/Note", Spaces.token, foreign).status == 403)
        #expect(spaces.asked.withLock { $0.isEmpty })
    }

    @Test func theMasterKeyTakesPrecedence() async {
        let gateway = Gateway.make(sync: FakeSync(), spaces: spaces) { $0.keys = .init(masterKey: "master") }
        let answer = await gateway.send(
            "GET /users/me", ["X-Parse-Master-Key": "master", "X-Parse-Session-Token": Spaces.token])
        #expect(answer.object["username"] == nil)
        #expect(spaces.asked.withLock { $0.isEmpty })
    }

    @Test func onlyTheMasterKeyExportsAndRemovesTheDataOfUsers() async throws {
        let gateway = Gateway.make(sync: FakeSync(), spaces: spaces) {
            $0.keys = .init(masterKey: "master")
            $0.keys.readOnlyMasterKey = "reader"
        }
        let (master, reader) = (["X-Parse-Master-Key": "master"], ["X-Parse-Master-Key": "reader"])
        #expect(await gateway.send("GET /sync/users/ada/export").status == 403)
        #expect(await gateway.send("DELETE /sync/users/ada").status == 403)
        #expect(await gateway.send("DELETE /sync/users/ada", reader).object["code"] == 119)
        #expect(await gateway.send("GET /sync/users/ben/export", master).status == 404)
        let export = await gateway.send("GET /sync/users/ada/export", master).object
        #expect(export["objectId"] == "ada" && export["username"] == "Ada")
        #expect(export["entries"]?.array?.count == 1)
        #expect(await gateway.send("DELETE /sync/users/ada", master).status == 409)
        let digest = try #require(export["digest"]?.string)
        let forgotten = await gateway.send("DELETE /sync/users/ada?exported=\(digest)", master)
        #expect(forgotten.status == 200 && forgotten.object == ["objectId": "ada", "username": "Ada"])
    }

    @Test func aGatewayWithoutSpacesKeepsNoDataOfUsers() async {
        let gateway = Gateway.make { $0.keys = .init(masterKey: "master") }
        let answer = await gateway.send("DELETE /sync/users/ada", ["X-Parse-Master-Key": "master"])
        #expect(answer.object["code"] == 119)
    }
}

extension Answer {
    fileprivate var object: JSONObject { (try? json.object) ?? [:] }
}
