import GatewayAPI
import ParseModel
import StoreService
import Testing

/// Tests the built-in classes (installations, roles, sessions, users and internal ones) on a gateway without sign-up.
@Suite struct SpecialClassTests {
    private let gateway = Gateway.make { $0.keys = .init(masterKey: "master") }
    private let master = ["X-Parse-Master-Key": "master"]

    @Test(arguments: [
        ("users", "_User", #"{"username":"ada"}"#),
        ("roles", "_Role", #"{"name":"admin","ACL":{}}"#),
        ("installations", "_Installation", #"{"installationId":"i","deviceType":"ios"}"#),
        ("sessions", "_Session", #"{"sessionToken":"r:1"}"#),
    ])
    func shortPathsOfBuiltInClassesReachThem(_ path: String, _ className: String, _ body: String) async throws {
        let made = await gateway.send("POST /\(path)", master, body: body)
        #expect(made.status == 201)
        let place = className == "_User" ? "users" : "classes/\(className)"
        #expect(made.header("Location") == "http://127.0.0.1:1338/\(place)/new1")
        let shown = await gateway.send("GET /\(path)/new1", master)
        #expect(shown.status == 200)
        #expect(await gateway.send("GET /parse/classes/\(className)/new1", master).text == shown.text)
        #expect(await gateway.send("GET /\(path)", master).text == #"{"results":[\#(shown.text)]}"#)
        #expect(await gateway.send("PUT /\(path)/new1", master, body: #"{"n":1}"#).status == 200)
        let batch = #"{"requests":[{"method":"GET","path":"/\#(path)/new1"}]}"#
        #expect(await gateway.send("POST /batch", master, body: batch).text.contains(#""n":1"#))
        expect(await gateway.send("DELETE /\(path)/new1", master), 200, "{}")
    }

    @Test(arguments: [
        ("GET /sessions", #"{"code":209,"error":"Invalid session token"}"#),
        ("POST /classes/_Session", #"{"code":209,"error":"Invalid session token"}"#),
        ("GET /users/me", #"{"code":209,"error":"Invalid session token"}"#),
        ("GET /sessions/me", #"{"code":209,"error":"Invalid session token"}"#),
        (
            "GET /installations",
            #"{"code":119,"error":"Clients aren't allowed to perform the find operation on the installation collection."}"#
        ),
        (
            "DELETE /installations/i",
            #"{"code":119,"error":"Clients aren't allowed to perform the delete operation on the installation collection."}"#
        ),
        ("PUT /users/u", #"{"code":206,"error":"Cannot modify user u."}"#),
        ("DELETE /users/u", #"{"code":206,"error":"Insufficient auth to delete user"}"#),
        (
            "GET /classes/_PushStatus",
            #"{"code":119,"error":"Clients aren't allowed to perform the find operation on the _PushStatus collection."}"#
        ),
        (
            "POST /classes/_Audience",
            #"{"code":119,"error":"Clients aren't allowed to perform the create operation on the _Audience collection."}"#
        ),
        (
            "GET /classes/_GlobalConfig/1",
            #"{"code":119,"error":"Clients aren't allowed to perform the get operation on the _GlobalConfig collection."}"#
        ),
        (
            "DELETE /classes/_Join:users:_Role/r",
            #"{"code":119,"error":"Clients aren't allowed to perform the delete operation on the _Join:users:_Role collection."}"#
        ),
        ("GET /classes/_Product", #"{"code":119,"error":"The class _Product is not supported yet."}"#),
    ])
    func sessionOperationsRequireTheMasterKey(_ line: String, _ text: String) async {
        expect(await gateway.send(line), 400, text)
    }

    @Test(arguments: [
        ("users", "{}", 200), ("roles", #"{"ACL":{}}"#, 111), ("roles", #"{"name":"admin"}"#, 111),
        ("installations", #"{"deviceType":"ios"}"#, 135),
    ])
    func missingRequiredFieldsOfBuiltInClassesAreRefused(_ path: String, _ body: String, _ code: Int) async throws {
        let answer = await gateway.send("POST /\(path)", body: body)
        #expect(answer.status == 400)
        #expect(try answer.json.object?["code"]?.int == code)
    }

    @Test func installationIdMayBeGivenInAHeader() async {
        let header = ["X-Parse-Installation-Id": "i"]
        let body = #"{"deviceType":"ios"}"#
        #expect(await gateway.send("POST /installations", header, body: body).status == 201)
        #expect(await gateway.send("POST /classes/_Installation", header, body: body).status == 201)
    }

    @Test(arguments: [#""password":"secret""#, #""authData":{"anonymous":{"id":"x"}}"#])
    func requestBodyWithInternalUserFieldsIsRefused(_ secret: String) throws {
        #expect(throws: ParseError.self) {
            try WriteBody(try #require(try JSONReader.read("{\(secret)}").object), className: "_User", creates: true)
        }
    }

    @Test(arguments: ["_Audience", "_PushStatus", "_JobStatus", "_JobSchedule"])
    func theMasterKeyReadsAndWritesInternalClasses(_ className: String) async {
        #expect(await gateway.send("POST /classes/\(className)", master, body: "{}").status == 201)
        #expect(await gateway.send("GET /classes/\(className)/new1", master).status == 200)
        #expect(await gateway.send("DELETE /classes/\(className)/new1", master).status == 200)
    }

    @Test(arguments: ["_Hooks", "_Idempotency", "_GraphQLConfig", "_GlobalConfig"])
    func theMasterKeyReadsOtherInternalClassesAndCannotWriteThem(_ className: String) async {
        expect(await gateway.send("GET /classes/\(className)", master), 200, #"{"results":[]}"#)
        #expect(await gateway.send("POST /classes/\(className)", master, body: "{}").text.contains("119"))
    }

    @Test(arguments: ["_SCHEMA", "_Join:users:_Role"])
    func parseServersPrivateTablesAreRefusedEvenForTheMasterKey(_ className: String) async {
        for line in ["GET /classes/\(className)", "POST /classes/\(className)", "PUT /classes/\(className)/a"] {
            #expect(await gateway.send(line, master, body: "{}").text.contains("119"), "\(line)")
        }
    }

    @Test func masterKeyReadsTheConfigAsAnObjectOfGlobalConfig() async {
        let change = #"{"params":{"colour":"red","secret":1},"masterKeyOnly":{"secret":true}}"#
        #expect(await gateway.send("PUT /config", master, body: change).status == 200)
        let shown =
            #"{"objectId":"1","params":{"colour":"red","secret":1},"masterKeyOnly":{"colour":false,"secret":true}}"#
        expect(await gateway.send("GET /classes/_GlobalConfig", master), 200, #"{"results":[\#(shown)]}"#)
        expect(await gateway.send("GET /classes/_GlobalConfig/1", master), 200, shown)
        #expect(await gateway.send("GET /classes/_GlobalConfig/2", master).status == 404)
        expect(
            await gateway.send("GET /classes/_GlobalConfig?count=1&limit=0", master), 200, #"{"results":[],"count":1}"#)
    }

    @Test func queriesAndPointersDoNotReachInternalClasses() async {
        #expect(await gateway.send("POST /classes/_Audience", master, body: #"{"name":"all"}"#).status == 201)
        let pointer = #"{"of":{"__type":"Pointer","className":"_Audience","objectId":"new1"}}"#
        #expect(await gateway.send("POST /classes/Holiday", body: pointer).status == 201)
        #expect(await !gateway.send("GET /classes/Holiday?include=of").text.contains(#""all""#))
        let inner = #"{"_method":"GET","where":{"of":{"$inQuery":{"className":"_Audience","where":{"name":"all"}}}}}"#
        #expect(await gateway.send("POST /classes/Holiday", body: inner).text.contains("119"))
        let batch =
            #"{"requests":[{"method":"GET","path":"/push_audiences"},{"method":"GET","path":"/classes/_Audience"}]}"#
        let text = await gateway.send("POST /batch", body: batch).text
        #expect(text.contains("master key is required") && text.contains("119") && !text.contains(#""all""#))
    }

    @Test func queryOfAPushAudienceIsShownAsAnObject() async throws {
        expect(await gateway.send("GET /push_audiences"), 403, #"{"error":"unauthorized: master key is required"}"#)
        let body = #"{"name":"phones","query":"{\"deviceType\":\"ios\"}"}"#
        #expect(await gateway.send("POST /push_audiences", master, body: body).status == 201)
        let one = await gateway.send("GET /push_audiences/new1", master)
        #expect(try one.json.object?["query"] == ["deviceType": "ios"])
        #expect(await gateway.send("GET /push_audiences", master).text.contains(#""query":{"deviceType":"ios"}"#))
        #expect(await gateway.send("GET /classes/_Audience/new1", master).text.contains(#"\"deviceType\""#))
    }

    @Test func theEmailAddressOfAUserIsShownToTheMasterKeyOnly() async {
        #expect(await gateway.send("POST /users", body: #"{"username":"ada","email":"a@b.c"}"#).status == 201)
        let pointer = #"{"by":{"__type":"Pointer","className":"_User","objectId":"new1"}}"#
        #expect(await gateway.send("POST /classes/Holiday", body: pointer).status == 201)
        #expect(await gateway.send("GET /users/new1").text.contains("ada"))
        for line in [
            "GET /users/new1", "GET /users", "GET /classes/_User?keys=email", "GET /users/new1?keys=email",
            "GET /classes/Holiday?include=by",
        ] {
            #expect(await !gateway.send(line).text.contains("a@b.c"))
            #expect(await gateway.send(line, master).text.contains("a@b.c"))
        }
    }

    @Test(arguments: [
        ("_User", #"{"email":"a@b.c"}"#, ""), ("_User", #"{"$or":[{"n":1},{"email":{"$exists":true}}]}"#, ""),
        ("_User", "{}", "-email"),
        ("Holiday", #"{"by":{"$inQuery":{"className":"_User","where":{"email":"a@b.c"}}}}"#, ""),
        ("Holiday", #"{"n":{"$select":{"key":"email","query":{"className":"_User","where":{}}}}}"#, ""),
    ])
    func aQueryByTheEmailAddressOfUsersIsRefused(_ className: String, _ conditions: String, _ order: String) async {
        let body = #"{"_method":"GET","where":\#(conditions),"order":"\#(order)"}"#
        expect(
            await gateway.send("POST /classes/\(className)", body: body), 400,
            #"{"code":119,"error":"This user is not allowed to query email on class _User"}"#)
        #expect(await gateway.send("POST /classes/\(className)", master, body: body).status == 200)
    }

    @Test func classesThatMayNotBeListedCannotBeQueriedOrIncluded() async {
        let session = #"{"sessionToken":"r:1"}"#
        #expect(await gateway.send("POST /sessions", master, body: session).status == 201)
        let pointer = #"{"of":{"__type":"Pointer","className":"_Session","objectId":"new1"}}"#
        #expect(await gateway.send("POST /classes/Holiday", body: pointer).status == 201)
        #expect(await !gateway.send("GET /classes/Holiday?include=of").text.contains("r:1"))
        #expect(await gateway.send("GET /classes/Holiday?include=of", master).text.contains("r:1"))
        let body = #"{"_method":"GET","where":{"of":{"$inQuery":{"className":"_Session","where":{}}}}}"#
        #expect(await gateway.send("POST /classes/Holiday", body: body).text.contains("209"))
    }

    @Test func theChangeFeedNamesHiddenObjectsWithoutTheirFields() async {
        let entries = [("_User", "u"), ("_Role", "r")].enumerated().map { place, object in
            ChangeEntry(
                number: Int64(place + 1), className: object.0, objectId: object.1, kind: .create,
                json: #"{"objectId":"\#(object.1)"}"#)
        }
        gateway.store.state.withLock { $0.changes = entries }
        let hidden = #"{"number":1,"className":"_User","objectId":"u","kind":"create"}"#
        #expect(await gateway.send("GET /changes").text.contains(hidden))
        #expect(await gateway.send("GET /changes").text.contains(#""object":{"objectId":"r"}"#))
        #expect(await gateway.send("GET /changes", master).text.contains(#""object":{"objectId":"u"}"#))
    }

    @Test func requestsAboutUnsyncedBuiltInClassesAreForwarded() async {
        let remote = FakeRemote(200, body: #"{"results":[]}"#)
        let store = MemoryStore("_Role", ids: ["here"])
        let gateway = Gateway.make(store: store, sync: FakeSync(), remote: remote)
        let session = ["X-Parse-Session-Token": "r:1"]
        for line in ["GET /users", "PUT /users/u", "GET /classes/_User/u", "POST /installations", "GET /sessions/me"] {
            expect(await gateway.send(line, session), 200, #"{"results":[]}"#)
        }
        #expect(
            remote.calls.map { "\($0.method.rawValue) \($0.target)" } == [
                "GET /users", "PUT /users/u", "GET /classes/_User/u", "POST /installations", "GET /sessions/me",
            ])
        #expect(await gateway.send("GET /roles").text.contains("here"))
        #expect(remote.calls.count == 5)
        expect(await gateway.send("GET /roles", session), 200, #"{"results":[]}"#)
        #expect(remote.calls.count == 6)
        let batch = #"{"requests":[{"method":"GET","path":"/users/u"}]}"#
        expect(await gateway.send("POST /batch", body: batch), 200, #"[{"success":{"results":[]}}]"#)
    }

    @Test(arguments: ["/users", "/classes/_User", "/login"])
    func replicaThatSyncsUsersForwardsSignUpAndLogIn(_ path: String) async throws {
        let remote = FakeRemote(201, body: #"{"objectId":"u","sessionToken":"r:1"}"#)
        let gateway = Gateway.make(store: MemoryStore("_User", ids: ["here"]), sync: FakeSync(), remote: remote)
        let body = #"{"username":"ada","password":"secret"}"#
        expect(await gateway.send("POST \(path)", body: body), 201, #"{"objectId":"u","sessionToken":"r:1"}"#)
        let call = try #require(remote.calls.first)
        #expect(call.target == path && String(decoding: call.body, as: UTF8.self) == body)
        #expect(await gateway.send("GET /users").text.contains("here"))
        #expect(remote.calls.count == 1)
    }

    @Test func requestsAboutUnsyncedBuiltInClassesAreRefusedOffline() async {
        let remote = FakeRemote(.failure(.remoteUnreachable(reason: "no network")))
        let gateway = Gateway.make(sync: FakeSync(), remote: remote)
        for line in ["GET /roles", "POST /users", "GET /users/me", "GET /installations/i"] {
            expect(await gateway.send(line), 503, #"{"code":100,"error":"no network"}"#)
        }
    }
}
