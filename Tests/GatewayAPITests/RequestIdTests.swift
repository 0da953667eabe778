import ParseModel
import StoreService
import Testing

/// Tests request deduplication: of several requests with one `X-Parse-Request-Id`, only the first is executed.
@Suite struct RequestIdTests {
    private static let duplicate = #"{"code":159,"error":"Duplicate request"}"#
    private let id = ["X-Parse-Request-Id": "r1"]

    private func gateway(_ store: MemoryStore = MemoryStore(ids: ["a"])) -> Gateway {
        Gateway.make(store: store) { $0.idempotencyTTL = .seconds(300) }
    }

    @Test func aSecondRequestWithTheSameIdIsRefused() async {
        let gateway = gateway()
        #expect(await gateway.send("POST /classes/Holiday", id, body: "{}").status == 201)
        expect(await gateway.send("POST /classes/Holiday", id, body: "{}"), 400, Self.duplicate)
        #expect(await gateway.send("POST /classes/Holiday", ["X-Parse-Request-Id": "r2"], body: "{}").status == 201)
        #expect(await gateway.send("POST /classes/Holiday", body: "{}").status == 201)
        #expect(gateway.store.state.withLock { $0.objects["Holiday"]?.count } == 4)
    }

    /// As in Parse Server, a request id is stored before its request is validated.
    @Test func requestIdOfARefusedRequestCannotBeReused() async {
        let gateway = gateway()
        #expect(await gateway.send("PUT /classes/Holiday/nope", id, body: "{}").status == 404)
        expect(await gateway.send("PUT /classes/Holiday/a", id, body: "{}"), 400, Self.duplicate)
    }

    @Test(arguments: [StoreError.memoryInUse, .diskFull])
    func requestIdOfAWriteThatWasNotPossibleCanBeUsedAgain(failure: StoreError) async {
        let gateway = gateway()
        gateway.store.state.withLock { $0.failure = failure }
        #expect([503, 507].contains(await gateway.send("POST /classes/Holiday", id, body: "{}").status))
        gateway.store.state.withLock { $0.failure = nil }
        #expect(await gateway.send("POST /classes/Holiday", id, body: "{}").status == 201)
        expect(await gateway.send("POST /classes/Holiday", id, body: "{}"), 400, Self.duplicate)
    }

    @Test(arguments: ["GET /classes/Holiday", "GET /classes/Holiday/a", "DELETE /classes/Holiday/a", "POST /batch"])
    func requestsOtherThanCreatesAndUpdatesMayRepeatARequestId(line: String) async {
        let gateway = gateway()
        let body = line == "POST /batch" ? #"{"requests":[{"method":"POST","path":"/classes/Holiday","body":{}}]}"# : ""
        for _ in 0..<2 { #expect(await gateway.send(line, id, body: body).text.contains("Duplicate") == false) }
    }

    @Test func requestIdsAreIgnoredWithoutTheSetting() async {
        let gateway = Gateway.make()
        for _ in 0..<2 { #expect(await gateway.send("POST /classes/Holiday", id, body: "{}").status == 201) }
        #expect(gateway.store.state.withLock { $0.requestIds }.isEmpty)
    }

    @Test func requestIdsAreCheckedForUsersAndInstallationsButNotRoles() async {
        let gateway = gateway()
        let bodies = [
            "users": #"{"username":"x"}"#, "installations": #"{"deviceType":"ios","installationId":"x"}"#,
            "roles": #"{"name":"x","ACL":{}}"#,
        ]
        for (path, body) in bodies {
            let own = ["X-Parse-Request-Id": path]
            #expect(await gateway.send("POST /\(path)", own, body: body).status == 201)
            #expect(await gateway.send("POST /\(path)", own, body: body).status == (path == "roles" ? 201 : 400))
        }
    }

    /// The gateway does not check the ids of forwarded requests, because the remote does.
    @Test func forwardedRequestsMayRepeatARequestId() async {
        let gateway = Gateway.make(sync: FakeSync(), remote: FakeRemote(body: "{}")) { $0.idempotencyTTL = .seconds(9) }
        for _ in 0..<2 { #expect(await gateway.send("POST /users", id, body: #"{"username":"x"}"#).status == 200) }
    }
}
