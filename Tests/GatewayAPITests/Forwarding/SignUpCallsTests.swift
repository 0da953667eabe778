import GatewayAPI
import HTTPTypes
import ParseModel
import RemoteService
import Synchronization
import Testing

/// Tests a client that repeats a sign-up because the answer to the first one was lost.
@Suite struct SignUpCallsTests {
    /// A fake remote with a list of answers for each path, which it gives one after the other. Its clock stands still.
    private final class Remote: RemoteCalls {
        typealias Given = Result<RemoteAnswer, APIError>
        private let answers: Mutex<[String: [Given]]>
        let calls = Mutex<[RemoteCall]>([])

        init(_ answers: [String: [Given]]) { self.answers = Mutex(answers) }

        var targets: [String] { calls.withLock { $0.map(\.target) } }

        func call(_ call: RemoteCall) async throws(APIError) -> RemoteAnswer {
            calls.withLock { $0.append(call) }
            let next = answers.withLock { $0[call.target]?.isEmpty == false ? $0[call.target]?.removeFirst() : nil }
            guard let next else { throw .remoteUnreachable(reason: "no answer is left for \(call.target)") }
            return try next.get()
        }
    }

    private static let now = ParseDate(milliseconds: 1_700_000_000_000)

    private static func answer(_ status: Int, _ body: String) -> Remote.Given {
        .success(
            RemoteAnswer(
                status: .init(code: status), headers: [.contentType: "application/json", .date: now.httpDate],
                body: Array(body.utf8)))
    }

    private static let lost = Remote.Given.failure(.remoteSilent(reason: "no answer in time"))
    private static let cut = Remote.Given.failure(.remoteUnusable(reason: "half an answer"))
    private static let taken = answer(400, #"{"code":202,"error":"Account already exists for this username."}"#)

    private static func logIn(createdAt: ParseDate) -> Remote.Given {
        answer(
            200,
            #"{"objectId":"a1","createdAt":"\#(createdAt.iso)","username":"ada","sessionToken":"r:1","secret":1}"#)
    }

    private static let body = #"{"username":"ada","password":"sesame"}"#

    private func repeated(
        _ remote: Remote, _ first: String = body, _ second: String = body, headers: [String: String] = [:]
    ) async -> Answer {
        let gateway = Gateway.make(sync: FakeSync(), remote: remote) { $0.keys.masterKey = "own" }
        #expect(await gateway.send("POST /users", headers, body: first).status >= 500)
        return await gateway.send("POST /users", headers, body: second)
    }

    @Test(arguments: [lost, cut, answer(500, #"{"code":1,"message":"Internal server error."}"#)])
    private func aRepeatedSignUpAfterALostAnswerLogsTheUserIn(first: Result<RemoteAnswer, APIError>) async throws {
        let remote = Remote(["/users": [first, Self.taken], "/login": [Self.logIn(createdAt: Self.now)]])
        let answer = await repeated(remote)
        #expect(answer.status == 201)
        #expect(
            try answer.json.object == [
                "objectId": "a1", "createdAt": .string(Self.now.iso), "sessionToken": "r:1",
            ])
        #expect(answer.header("Location")?.hasSuffix("/users/a1") == true)
        #expect(remote.targets == ["/users", "/users", "/login"])
        #expect(remote.calls.withLock { $0.last?.body } == Array(Self.body.utf8))
    }

    /// The existing account belongs to somebody else, was made earlier by the same person, or is of unknown origin.
    @Test func aRepeatedSignUpOfAnotherAccountIsRefusedWithCode202() async throws {
        let wrong = Self.answer(404, #"{"code":101,"error":"Invalid username/password."}"#)
        let other = await repeated(Remote(["/users": [Self.lost, Self.taken], "/login": [wrong]]))
        expect(other, 400, #"{"code":202,"error":"Account already exists for this username."}"#)
        let older = Remote([
            "/users": [Self.lost, Self.taken], "/login": [Self.logIn(createdAt: Self.now - .seconds(60))],
            "/logout": [Self.answer(200, "{}")],
        ])
        expect(await repeated(older), 400, #"{"code":202,"error":"Account already exists for this username."}"#)
        // The gateway logged in only to check the account, so it ends that session.
        #expect(older.targets.last == "/logout")
        let name = HTTPField.Name("X-Parse-Session-Token")!
        #expect(older.calls.withLock { $0.last?.headers[name] } == "r:1")
    }

    @Test func aTakenNameWithoutALostSignUpIsRefusedWithoutALogIn() async throws {
        let refused = Remote.Given.failure(.remoteUnreachable(reason: "connection refused"))
        let unsent = Remote(["/users": [refused, Self.taken]])
        expect(await repeated(unsent), 400, #"{"code":202,"error":"Account already exists for this username."}"#)
        let otherPassword = Remote(["/users": [Self.lost, Self.taken]])
        let answer = await repeated(otherPassword, Self.body, #"{"username":"ada","password":"other"}"#)
        expect(answer, 400, #"{"code":202,"error":"Account already exists for this username."}"#)
        #expect(unsent.targets == ["/users", "/users"] && otherPassword.targets == ["/users", "/users"])
    }

    /// If the second attempt has other fields, a log-in would lose them. With the master key, no session may be
    /// opened.
    @Test func refusalOfASignUpWithUnknownOutcomeSaysToLogIn() async throws {
        let changed = Remote(["/users": [Self.lost, Self.taken]])
        let more = #"{"username":"ada","password":"sesame","phone":"1"}"#
        let silent = Remote(["/users": [Self.lost, Self.taken], "/login": [Self.lost]])
        let unverified = Remote([
            "/users": [Self.lost, Self.taken],
            "/login": [Self.answer(400, #"{"code":205,"error":"User email is not verified."}"#)],
        ])
        let master = Remote(["/users": [Self.lost, Self.taken]])
        for answer in [
            await repeated(changed, Self.body, more), await repeated(silent), await repeated(unverified),
            await repeated(master, headers: ["X-Parse-Master-Key": "theirs"]),
        ] {
            #expect(answer.status == 400)
            #expect(try answer.json.object?["code"] == 202)
            #expect(try answer.json.object?["error"]?.string?.contains("og in") == true)
        }
        #expect(!changed.targets.contains("/login") && !master.targets.contains("/login"))
    }

    @Test func aSuccessfulSignUpForgetsTheLostAttempt() async throws {
        let made = Self.answer(201, #"{"objectId":"a1","createdAt":"2023-11-14T22:13:20.000Z","sessionToken":"r:1"}"#)
        let remote = Remote(["/users": [Self.lost, made, Self.taken]])
        let gateway = Gateway.make(sync: FakeSync(), remote: remote)
        #expect(await gateway.send("POST /users", body: Self.body).status == 504)
        #expect(await gateway.send("POST /users", body: Self.body).status == 201)
        #expect(await gateway.send("POST /users", body: Self.body).status == 400)
        #expect(remote.targets == ["/users", "/users", "/users"])
    }
}
