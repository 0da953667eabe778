import GatewayAPI
import HTTPServer
import ParseModel
import StoreService
import Synchronization
import Testing

/// In a personal replica, each user has a space: a database and API of their own. Checks which requests are handed on
/// to it.
@Suite struct SpaceReplyTests {
    private let spaces: FakeSpaces
    private let gateway: Gateway

    init() throws {
        spaces = FakeSpaces { $0.accessKey = "key" }
        gateway = Gateway.make(sync: FakeSync(), users: .spaces(spaces)) { $0.accessKey = "key" }
    }

    private func send(
        _ line: String, _ token: String?, key: String = "key", _ more: [String: String] = [:]
    ) async -> Answer {
        var headers = more
        headers["X-Tidegate-Access-Key"] = key
        headers["X-Parse-Session-Token"] = token
        return await gateway.send(line, headers)
    }

    @Test func knownSessionIsAnsweredFromItsUsersReplica() async throws {
        let me = await send("GET /users/me", FakeSpaces.token)
        #expect(me.status == 200)
        #expect(me.object["username"] == "Ada" && me.object["sessionToken"] == .string(FakeSpaces.token))
        #expect(await send("GET /classes/Note", nil).status == 200)
        #expect(spaces.asked.withLock { $0 } == [FakeSpaces.token])
    }

    @Test func anUnknownSessionIsRefusedOnRoutesThatUseSessions() async {
        #expect(await send("GET /classes/Note", "r:other").object["code"] == 209)
        #expect(await send("GET /health", "r:other").status == 200)
        #expect(await send("POST /logout", "r:other").object == [:])
        #expect(spaces.ended.withLock { $0 } == ["r:other"])
    }

    /// If sessions were looked up without the access key, a client without the key could guess session tokens.
    @Test func sessionIsNotLookedUpWithoutAValidAccessKey() async {
        #expect(await send("GET /classes/Note", FakeSpaces.token, key: "wrong").status == 403)
        let foreign = ["Origin": "https://evil.example"]
        #expect(await send("GET /classes/Note", FakeSpaces.token, foreign).status == 403)
        #expect(spaces.asked.withLock { $0.isEmpty })
    }

    @Test func masterKeyTakesPrecedenceOverASession() async {
        let gateway = Gateway.make(sync: FakeSync(), users: .spaces(spaces)) { $0.keys = .init(masterKey: "master") }
        let answer = await gateway.send(
            "GET /users/me", ["X-Parse-Master-Key": "master", "X-Parse-Session-Token": FakeSpaces.token])
        #expect(answer.object["username"] == nil)
        #expect(spaces.asked.withLock { $0.isEmpty })
    }

    /// An unknown master key gives no rights. It may be meant for the remote.
    @Test func sessionIsHonouredBesideAnUnknownMasterKey() async {
        let answer = await send("GET /users/me", FakeSpaces.token, ["X-Parse-Master-Key": "of the remote"])
        #expect(answer.object["username"] == "Ada")
    }

    @Test func onlyTheMasterKeyExportsAndRemovesTheDataOfUsers() async throws {
        let gateway = Gateway.make(sync: FakeSync(), users: .spaces(spaces)) {
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

    @Test func removalOfUserDataIsRefusedByAGatewayWithoutPersonalReplicas() async {
        let gateway = Gateway.make { $0.keys = .init(masterKey: "master") }
        let answer = await gateway.send("DELETE /sync/users/ada", ["X-Parse-Master-Key": "master"])
        #expect(answer.object["code"] == 119)
    }
}

extension Answer {
    fileprivate var object: JSONObject { (try? json.object) ?? [:] }
}
