import Foundation
import GatewayAPI
import HTTPTypes
import ParseModel
import RemoteService
import Testing

@Suite struct ForwardedCallsTests {
    private func gateway(_ remote: FakeRemote, _ keys: ClientKeys = .init(masterKey: "own")) -> Gateway {
        Gateway.make(sync: FakeSync(), remote: remote) { $0.keys = keys }
    }

    private func header(_ call: RemoteCall, _ name: String) -> String? { call.headers[HTTPField.Name(name)!] }

    @Test(arguments: [
        ("POST /functions/hello", "/functions/hello"), ("POST /parse/functions/a%2Fb?x=1", "/functions/a%2Fb?x=1"),
        ("POST /jobs/clean", "/jobs/clean"), ("POST /jobs", "/jobs"), ("POST /push", "/push"),
        ("POST /cloud_code/jobs", "/cloud_code/jobs"), ("DELETE /cloud_code/jobs/j", "/cloud_code/jobs/j"),
        ("PUT /cloud_code/jobs/j", "/cloud_code/jobs/j"),
        ("POST /hooks/functions", "/hooks/functions"),
        (
            "PUT /hooks/triggers/Holiday/beforeSave",
            "/hooks/triggers/Holiday/beforeSave"
        ),
        ("POST /requestPasswordReset", "/requestPasswordReset"),
        ("POST /verificationEmailRequest", "/verificationEmailRequest"), ("POST /login", "/login"),
        ("POST /loginAs", "/loginAs"), ("POST /verifyPassword", "/verifyPassword"), ("POST /logout", "/logout"),
        ("POST /upgradeToRevocableSession", "/upgradeToRevocableSession"), ("POST /1/users", "/users"),
        ("POST /events/AppOpened", "/events/AppOpened"), ("POST /validate_purchase", "/validate_purchase"),
    ])
    func forwardedCallsReachTheRemote(_ line: String, _ target: String) async throws {
        let remote = FakeRemote(201, body: #"{"result":1}"#)
        let answer = await gateway(remote).send(line, body: #"{"a":1}"#)
        expect(answer, 201, #"{"result":1}"#)
        #expect(answer.header("X-Tidegate-Mode") == "replica")
        let call = try #require(remote.calls.first)
        #expect(call.method.rawValue == line.split(separator: " ")[0])
        #expect(call.target == target)
        #expect(String(decoding: call.body, as: UTF8.self) == #"{"a":1}"#)
        #expect(!call.isRepeatable)
    }

    @Test func aForwardedCallContainsTheCredentialsOfItsCaller() async throws {
        let remote = FakeRemote()
        let body = """
            {"_method":"POST","_ApplicationId":"local","_JavaScriptKey":"js","_ClientVersion":"js5.2.0",
            "_InstallationId":"i","_SessionToken":"r:1","_RevocableSession":"1","_context":{"c":1},"_MasterKey":"theirs",
            "a":{"__type":"Date","iso":"x"}}
            """
        #expect(await gateway(remote).send("POST /functions/f", body: body).status == 200)
        let call = try #require(remote.calls.first)
        #expect(header(call, "X-Parse-Session-Token") == "r:1")
        #expect(header(call, "X-Parse-Installation-Id") == "i")
        #expect(header(call, "X-Parse-Client-Version") == "js5.2.0")
        #expect(header(call, "X-Parse-Revocable-Session") == "1")
        #expect(header(call, "X-Parse-Cloud-Context") == #"{"c":1}"#)
        #expect(call.masterKey == "theirs")
        #expect(!call.isOwnMasterKey)
        #expect(String(decoding: call.body, as: UTF8.self) == #"{"a":{"__type":"Date","iso":"x"}}"#)
        for field in call.headers { #expect(!["js", "local", "theirs"].contains(field.value)) }
    }

    /// Cloud code does not see what the client wants of the gateway.
    @Test(arguments: [
        (#"{"tidegate":{"remote":"only"},"c":1}"#, #"{"c":1}"#), (#"{"tidegate":{"remote":"confirm"}}"#, nil),
        ("{}", "{}"),
    ]) func contextIsForwardedWithoutTheMemberForTheGateway(context: String, forwarded: String?) async throws {
        let remote = FakeRemote()
        let gateway = gateway(remote)
        #expect(await gateway.send("POST /functions/f", ["X-Parse-Cloud-Context": context]).status == 200)
        #expect(await gateway.send("POST /functions/f", body: #"{"_context":\#(context)}"#).status == 200)
        for call in remote.calls {
            #expect(header(call, "X-Parse-Cloud-Context") == forwarded)
            #expect(call.body.isEmpty || String(decoding: call.body, as: UTF8.self) == "{}")
        }
    }

    /// The remote itself answers the write, so it has the change.
    @Test func forwardedWriteWithAPreferenceCountsAsSynced() async throws {
        let answer = await gateway(FakeRemote(body: #"{"updatedAt":"2026-01-01T00:00:00.000Z"}"#)).send(
            "PUT /users/a", ["Prefer": "tidegate-remote=only", "X-Parse-Session-Token": "r:1"], body: #"{"n":1}"#)
        #expect(answer.status == 200, "\(answer.text)")
        #expect(answer.header("Preference-Applied") == "tidegate-remote=only")
        #expect(answer.header("Tidegate-State") == "synced")
    }

    /// Parsing 100,000 nesting levels would overflow the stack. The gateway returns such an answer unparsed, and
    /// refuses it in a batch.
    @Test func tooDeeplyNestedRemoteAnswerIsReturnedUnparsed() async {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let body = #"{"result":{"file":{"__type":"File","name":"a"},"deep":\#(deep)}}"#
        expect(await gateway(FakeRemote(body: body)).send("POST /functions/f"), 200, body)
        let item = #"{"requests":[{"method":"POST","path":"/functions/f","body":{}}]}"#
        let answer = await gateway(FakeRemote(body: body)).send("POST /batch", body: item)
        expect(answer, 200, #"[{"error":{"code":1,"error":"The answer was HTTP 200, without a reason."}}]"#)
    }

    /// After the first forwarded item has failed, each further item would wait as long for the remote.
    @Test func forwardedBatchContactsAnUnreachableRemoteOnce() async {
        let remote = FakeRemote(503)
        let owner = #"{"__type":"Pointer","className":"Holiday","objectId":"a"}"#
        let members = #"{"where":{"$relatedTo":{"object":\#(owner),"key":"k"}}}"#
        let items = [
            #"{"method":"POST","path":"/functions/f","body":{}}"#,
            #"{"method":"GET","path":"/classes/Holiday","body":\#(members)}"#,
            #"{"method":"POST","path":"/functions/g","body":{}}"#,
        ]
        _ = await gateway(remote).send("POST /batch", body: #"{"requests":[\#(items.joined(separator: ","))]}"#)
        #expect(remote.calls.map(\.target) == ["/functions/f"])
    }

    /// Calls for log-in, log-out, emails and reads do not wait for queued local writes.
    @Test(arguments: [
        ("POST /functions/f", true), ("POST /jobs/f", true), ("POST /hooks/functions", true),
        ("DELETE /purge/Holiday", true), ("PUT /schemas/Holiday", true), ("PUT /config", true), ("POST /users", true),
        ("PUT /users/u", true), ("POST /push", true), ("POST /login", false), ("GET /login", false),
        ("POST /logout", false), ("GET /users/me", false), ("GET /config", false), ("GET /schemas", false),
        ("GET /schemas/Holiday", false), ("POST /requestPasswordReset", false),
        ("POST /verificationEmailRequest", false), ("GET /users", false), ("GET /aggregate/Far", true),
    ])
    func forwardedCallThatMayDependOnQueuedWritesWaitsForThem(_ line: String, _ waits: Bool) async {
        let (remote, sync) = (FakeRemote(), FakeSync())
        let gateway = Gateway.make(sync: sync, remote: remote) { $0.keys = .init(masterKey: "own") }
        _ = await gateway.send(line, ["X-Parse-Master-Key": "theirs"])
        #expect(sync.calls.contains { $0.hasPrefix("pass") } == waits)
        #expect(remote.calls.count == 1)
        _ = await gateway.send(line, ["X-Parse-Master-Key": "theirs", "X-Tidegate-Forward": "now"])
        #expect(sync.calls.count { $0.hasPrefix("pass") } == (waits ? 1 : 0))
        #expect(remote.calls.last?.ignoresPause == true)
    }

    @Test(arguments: ["DELETE /purge/Holiday", "DELETE /schemas/Holiday"])
    func aPurgeOfARemoteClassRemovesTheLocalObjects(_ line: String) async {
        let sync = FakeSync()
        _ = await Gateway.make(sync: sync, remote: FakeRemote(400, body: #"{"code":255}"#)).send(line)
        #expect(!sync.calls.contains("dropped Holiday a b"))
        _ = await Gateway.make(sync: sync, remote: FakeRemote()).send(line)
        #expect(sync.calls.contains("dropped Holiday a b"))
    }

    @Test(arguments: [
        ("POST /schemas", true), ("POST /schemas/Holiday", true), ("PUT /schemas/Holiday", true),
        ("DELETE /schemas/Holiday", true), ("GET /schemas", false), ("DELETE /purge/Holiday", false),
    ])
    func aForwardedSchemaChangeReadsTheSchemasAgain(_ line: String, _ isChange: Bool) async {
        let sync = FakeSync()
        _ = await Gateway.make(sync: sync, remote: FakeRemote(400, body: #"{"code":103}"#)).send(line)
        #expect(!sync.calls.contains("schema changed"))
        _ = await Gateway.make(sync: sync, remote: FakeRemote()).send(line)
        #expect(sync.calls.contains("schema changed") == isChange)
    }

    /// The gateway forwards requests about the remote's internal classes if they have the remote's master key.
    @Test(arguments: ["_GlobalConfig", "_Audience", "_JobStatus", "_PushStatus", "_Product"])
    func requestsAboutInternalClassesAreForwarded(_ name: String) async throws {
        let remote = FakeRemote(body: #"{"results":[]}"#)
        let gateway = gateway(remote)
        let key = ["X-Parse-Master-Key": "theirs"]
        expect(await gateway.send("GET /classes/\(name)?limit=1", key), 200, #"{"results":[]}"#)
        #expect(await gateway.send("POST /classes/\(name)", key, body: "{}").status == 200)
        #expect(await gateway.send("DELETE /classes/\(name)/a", key).status == 200)
        #expect(await gateway.send("GET /aggregate/\(name)", ["X-Parse-Master-Key": "own"]).status == 200)
        #expect(remote.calls.last?.target == "/aggregate/\(name)")
        #expect(remote.calls.last?.isOwnMasterKey == true)
        let item = #"{"requests":[{"method":"GET","path":"/classes/\#(name)","body":{}}]}"#
        expect(await gateway.send("POST /batch", key, body: item), 200, #"[{"success":{"results":[]}}]"#)
        #expect(remote.calls.map(\.target).prefix(3) == ["/classes/\(name)", "/classes/\(name)", "/classes/\(name)/a"])
        #expect(remote.calls.count { $0.masterKey == "theirs" } == 4)
    }

    /// As in Parse Server, a request with a master key needs no client key.
    @Test func aRequestWithTheRemotesMasterKeyNeedsNoLocalKey() async {
        let remote = FakeRemote()
        let gateway = gateway(remote, .init(clients: [.rest: "rest"], masterKey: "own", remoteMasterKey: "theirs"))
        #expect(await gateway.send("POST /functions/f", ["X-Parse-Master-Key": "theirs"]).status == 200)
        #expect(await gateway.send("GET /classes/Holiday", ["X-Parse-Master-Key": "theirs"]).status == 200)
        #expect(remote.calls.map(\.masterKey) == ["theirs"])
        for key in ["other", "Theirs", ""] {
            expect(
                await gateway.send("POST /functions/f", ["X-Parse-Master-Key": key]), 403, #"{"error":"unauthorized"}"#)
        }
    }

    @Test func forwardedCallWithTheLocalMasterKeyIsMarked() async throws {
        for key in ["own", "rest"] {
            let remote = FakeRemote()
            let keys = ClientKeys(clients: [.rest: "rest"], masterKey: "own")
            let headers = ["X-Parse-Master-Key": key, "X-Parse-REST-API-Key": "rest"]
            #expect(await gateway(remote, keys).send("POST /functions/f", headers).status == 200)
            #expect(try #require(remote.calls.first).isOwnMasterKey)
        }
    }

    @Test func parametersOfForwardedReadsAreSentInABody() async throws {
        let remote = FakeRemote()
        #expect(await gateway(remote).send("GET /login?username=ada&password=pw").status == 200)
        #expect(await gateway(remote).send("GET /hooks/functions").status == 200)
        let calls = remote.calls
        #expect(calls.map(\.target) == ["/login", "/hooks/functions"])
        #expect(calls.map(\.method) == [.post, .get])
        #expect(
            try JSONReader.read(calls[0].body) == ["username": "ada", "password": "pw", "_method": "GET"])
        #expect(calls.map(\.isRepeatable) == [true, true])
    }

    /// Parse Server parses JSON in URL parameters; in a body it parses only `where`.
    @Test(
        arguments: [
            (
                "GET /users?where=%7B%22a%22:1%7D&limit=2&order=%5B%22-a%22,%22b%22%5D",
                ["where": ["a": 1], "limit": 2, "order": ["-a", "b"]]
            ),
            (
                "GET /roles?explain=true&count=1&keys=name,b&comment=x+y",
                ["explain": true, "count": 1, "keys": "name,b", "comment": "x y"]
            ),
            ("GET /classes/_Role/r?include=%22users%22&keys=%5B%22name%22%5D", ["include": "users", "keys": ["name"]]),
            ("GET /login?username=1&password=true", ["username": "1", "password": "true"]),
            ("GET /verifyPassword?username=%22a%22&password=%5B%5D", ["username": "\"a\"", "password": "[]"]),
        ] as [(String, JSONObject)])
    func parametersOfForwardedQueriesAreSentAsJSON(_ line: String, _ parameters: JSONObject) async throws {
        let remote = FakeRemote(body: #"{"results":[]}"#)
        #expect(await gateway(remote).send(line).status == 200)
        let call = try #require(remote.calls.first)
        var body = try #require(JSONReader.read(call.body).object)
        #expect(body["_method"] == "GET")
        body["_method"] = nil
        #expect(body == parameters)
    }

    @Test func parametersInABodyAreForwardedUnchanged() async throws {
        let remote = FakeRemote(body: #"{"results":[]}"#)
        let body = #"{"_method":"GET","where":"{}","limit":"2","order":"[\"a\"]"}"#
        #expect(await gateway(remote).send("POST /users?limit=3", body: body).status == 200)
        let call = try #require(remote.calls.first)
        #expect(
            try JSONReader.read(call.body)
                == ["where": "{}", "limit": 3, "order": #"["a"]"#, "_method": "GET"])
    }

    @Test func theRemotesAnswerIsReturnedUnchanged() async {
        let remote = FakeRemote(
            429,
            [
                .retryAfter: "7", .contentType: "application/json", .setCookie: "a=b",
                HTTPField.Name("X-RateLimit-Limit")!: "10", HTTPField.Name("X-Parse-Job-Status-Id")!: "j",
            ], body: #"{"code":100,"error":"Too many requests"}"#)
        let answer = await gateway(remote).send("POST /jobs/clean")
        expect(answer, 429, #"{"code":100,"error":"Too many requests"}"#)
        #expect(answer.header("Retry-After") == "7")
        #expect(answer.header("X-RateLimit-Limit") == "10")
        #expect(answer.header("X-Parse-Job-Status-Id") == "j")
        #expect(answer.header("Set-Cookie") == nil)
        #expect(answer.header("Content-Type") == "application/json")
    }

    @Test func theLocationOfAForwardedCreateIsAnAddressOfThisGateway() async {
        let answer = await gateway(FakeRemote(201, location: "/users/u1")).send("POST /parse/users")
        #expect(answer.header("Location") == "http://127.0.0.1:1338/parse/users/u1")
    }

    @Test func anHTMLPageOfAProxyIsReturnedAsPlainText() async {
        let remote = FakeRemote(502, [.contentType: "text/html"], body: "<script>")
        let answer = await gateway(remote).send("POST /functions/f")
        expect(answer, 502, "<script>")
        #expect(answer.header("Content-Type") == "text/plain; charset=utf-8")
    }

    @Test(arguments: [
        (APIError.remoteUnreachable(reason: "The remote cannot be reached."), 503),
        (APIError.remoteSilent(reason: "The remote cannot be reached."), 504),
    ])
    func aCallWhileTheRemoteIsUnreachableIsRefusedWithCode100(_ error: APIError, _ status: Int) async {
        let answer = await gateway(FakeRemote(.failure(error))).send("POST /functions/f")
        expect(answer, status, #"{"code":100,"error":"The remote cannot be reached."}"#)
    }

    @Test func callIsRefusedIfTheRemoteKindAnswersNoCalls() async {
        let sync = FakeSync()
        let answer = await Gateway.make(sync: sync).send("POST /functions/f")
        expect(
            answer, 400,
            #"{"code":108,"error":"Only the remote could answer this call, and this kind of remote answers no calls."}"#
        )
        #expect(sync.calls.isEmpty)
    }

    @Test func aCallThatAReplicaHasForwardedIsNotForwardedAgain() async {
        let remote = FakeRemote()
        #expect(await gateway(remote).send("POST /functions/f", ["X-Tidegate-Forwarded": "true"]).status == 503)
        #expect(remote.calls.isEmpty)
    }

    @Test func replicaWithoutUsersForwardsSessionsAndRefusesThemLocally() async {
        let gateway = gateway(FakeRemote())
        let session = ["X-Parse-Session-Token": "r:1"]
        #expect(await gateway.send("POST /logout", session).status == 200)
        // The error must not have code 209, because SDKs log the user out at that code.
        for line in ["GET /classes/Holiday", "POST /classes/Holiday", "PUT /classes/Holiday/a", "GET /serverInfo"] {
            expect(
                await gateway.send(line, session), 400,
                #"{"code":119,"error":"This replica serves no users. To use it with sessions, start it with --people personal."}"#
            )
        }
    }

    @Test func aForwardedCallNeedsTheLocalClientKeys() async {
        let remote = FakeRemote()
        let gateway = gateway(remote, .init(applicationId: "app", clients: [.rest: "rest"]))
        #expect(await gateway.send("POST /functions/f").status == 403)
        #expect(await gateway.send("POST /functions/f", ["X-Parse-Application-Id": "app"]).status == 403)
        #expect(remote.calls.isEmpty)
    }
}
