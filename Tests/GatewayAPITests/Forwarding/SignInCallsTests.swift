import GatewayAPI
import HTTPTypes
import ParseModel
import RemoteService
import StoreService
import Synchronization
import Testing

/// Checks when a replica asks the remote about a log-in, and when it decides the log-in itself.
@Suite struct SignInCallsTests {
    /// A fake of the log-ins without the remote. It accepts the password `sesame`, and records which passwords the
    /// remote accepted or refused.
    private final class Logins: OfflineSignIn {
        let notes = Mutex<[String]>([])
        private func note(_ text: String) { notes.withLock { $0.append(text) } }

        func changeCount(of userId: String) -> Int { 0 }
        func noteAccepted(_ claim: LogInClaim, user: JSONObject, at time: ParseDate?, changeCount: Int) async {
            note("accepted \(claim.password) \(user["objectId"]?.string ?? "")")
        }
        func noteRefused(_ claim: LogInClaim) async { note("refused \(claim.password)") }
        func noteChange(of userId: String) async { note("changed \(userId)") }
        func logIn(_ claim: LogInClaim) async throws -> JSONObject {
            guard claim.password == "sesame" else { throw ParseError(.objectNotFound, "wrong") }
            return ["objectId": "a1", "sessionToken": .string(FakeSpaces.tokenFromHere)]
        }
    }

    private let logIns = Logins()
    private var notes: [String] { logIns.notes.withLock { $0 } }
    private static let away = FakeRemote(.failure(.remoteUnreachable(reason: "no connection")))

    private func gateway(_ remote: FakeRemote) -> Gateway {
        Gateway.make(sync: FakeSync(), remote: remote, users: .spaces(FakeSpaces(offlineSignIn: logIns)))
    }

    private func body(_ password: String) -> String { #"{"username":"ada","password":"\#(password)"}"# }

    @Test func aLogInIsSentToTheRemoteFirst() async {
        let accepted = gateway(FakeRemote(body: #"{"objectId":"a1","sessionToken":"r:1"}"#))
        #expect(await accepted.send("POST /login", body: body("sesame")).status == 200)
        #expect(await accepted.send("GET /login?username=ada&password=query").status == 200)
        let refused = gateway(FakeRemote(404, body: #"{"code":101,"error":"Invalid username/password."}"#))
        #expect(await refused.send("POST /login", body: body("sesame")).status == 404)
        #expect(notes == ["accepted sesame a1", "accepted query a1", "refused sesame"])
    }

    @Test func passwordRefusedByTheRemoteIsReportedToOfflineLogIns() async {
        let accepted = gateway(FakeRemote(body: #"{"objectId":"a1","username":"ada"}"#))
        #expect(await accepted.send("POST /verifyPassword", body: body("new")).status == 200)
        let refused = gateway(FakeRemote(404, body: #"{"code":101,"error":"Invalid username/password."}"#))
        #expect(await refused.send("POST /verifyPassword", body: body("sesame")).status == 404)
        #expect(await refused.send("GET /verifyPassword?username=ada&password=query").status == 404)
        #expect(notes == ["refused sesame", "refused query"])
    }

    /// Answers of a rate limit, a fault or a proxy do not say that the password is wrong.
    @Test(arguments: [400, 403, 429, 500, 502, 503, 504])
    func remoteLogInErrorIsReturnedAndOfflineLogInsStayUnchanged(status: Int) async {
        let gateway = gateway(FakeRemote(status, body: #"{"error":"no"}"#))
        #expect(await gateway.send("POST /login", body: body("sesame")).status == status)
        #expect(notes.isEmpty)
    }

    @Test func logInIsDecidedOfflineWhileTheRemoteIsUnreachable() async throws {
        let gateway = gateway(Self.away)
        let answer = await gateway.send("POST /login", body: body("sesame"))
        #expect(answer.status == 200)
        #expect(try answer.json.object?["sessionToken"]?.string == FakeSpaces.tokenFromHere)
        #expect(answer.header("X-Tidegate-Offline") == "true")
        #expect(await gateway.send("POST /login", body: body("wrong")).status == 404)
    }

    /// The gateway refuses an empty password without asking the remote, because no user has one.
    @Test func aLogInWithAnEmptyPasswordIsRefused() async throws {
        let line = "POST /login"
        let answer = await gateway(Self.away).send(line, body: body(""))
        #expect(answer.status == 404)
        #expect(try answer.json.object?["code"] == 101)
        let without = Gateway.make(sync: FakeSync(), remote: Self.away, users: .spaces(FakeSpaces()))
        #expect(try await without.send(line, body: body("")).json.object?["code"] == 101)
        #expect(try await without.send("GET /login?username=ada&password=").json.object?["code"] == 101)
        #expect(try await without.send(line, body: body("right")).json.object?["code"] == 100)
        #expect(try await without.send(line, body: #"{"username":"ada"}"#).json.object?["code"] == 100)
    }

    @Test(arguments: [
        ("POST /users", #"{"username":"ada","password":"sesame"}"#),
        ("POST /users", #"{"authData":{"anonymous":{"id":"x"}}}"#),
        ("POST /login", #"{"username":"ada","password":"sesame","authData":{"mfa":{"token":"1"}}}"#),
        ("POST /verifyPassword", #"{"username":"ada","password":"sesame"}"#),
    ])
    func onlyPasswordLogInsAreAnsweredOffline(line: String, body: String) async throws {
        let answer = await gateway(Self.away).send(line, body: body)
        #expect(answer.status == 503)
        #expect(try answer.json.object?["code"] == 100)
    }

    /// The remote may have received the log-in, and its answer is incomplete.
    @Test func logInWithIncompleteRemoteAnswerIsNotDecidedOffline() async {
        let silent = FakeRemote(.failure(.remoteSilent(reason: "half an answer")))
        #expect(await gateway(silent).send("POST /login", body: body("sesame")).status != 200)
        #expect(notes.isEmpty)
    }

    @Test func aSignUpStoresAPasswordHashAndAPasswordChangeRemovesIt() async {
        let remote = FakeRemote(201, body: #"{"objectId":"a1","sessionToken":"r:1"}"#)
        #expect(await gateway(remote).send("POST /users", body: body("sesame")).status == 201)
        let other = FakeRemote(body: #"{"objectId":"a1","sessionToken":"r:1"}"#)
        let anonymous = #"{"authData":{"anonymous":{"id":"x"}}}"#
        #expect(await gateway(other).send("POST /users", body: anonymous).status == 200)
        #expect(await gateway(FakeRemote()).send("PUT /users/a1", body: #"{"password":"new"}"#).status == 200)
        #expect(await gateway(FakeRemote()).send("DELETE /users/a1").status == 200)
        #expect(notes == ["accepted sesame a1", "changed a1", "changed a1", "changed a1"])
    }

    @Test func theTokenOfALocallyOpenedSessionIsNeverSentToTheRemote() async throws {
        let remote = FakeRemote(body: "{}")
        let user = SpaceUser(objectId: "a1") { ["objectId": "a1"] }
        let api = Gateway.make(
            sync: FakeSync(), remote: remote,
            users: .space(user, of: FakeSpaces(offlineSignIn: logIns), storeId: ""))
        let session = ["X-Parse-Session-Token": FakeSpaces.tokenFromHere]
        let refused = await api.send("POST /functions/f", session, body: "{}")
        #expect(refused.status == 503)
        #expect(remote.calls.isEmpty)
        #expect(await api.send("POST /login", session, body: body("sesame")).status == 200)
        #expect(remote.calls.count == 1)
        #expect(remote.calls[0].headers[HTTPField.Name("X-Parse-Session-Token")!] == nil)
    }
}
