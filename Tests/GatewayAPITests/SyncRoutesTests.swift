import GatewayAPI
import LocalStore
import ParseModel
import Testing

@Suite struct SyncRoutesTests {
    private static let status = #"{"mode":"replica","state":"idle","pending":3,"fileBytesMax":20971520}"#
    private let sync = FakeSync()
    private var gateway: Gateway { .make(sync: sync) }

    @Test func startAnswersAtOnceWithTheStatus() async {
        let answer = await gateway.send("POST /sync")
        expect(answer, 202, Self.status)
        #expect(answer.header("X-Tidegate-Mode") == "replica")
        #expect(sync.calls == ["start"])
    }

    @Test(arguments: [
        (SyncRun.finished(summary: ["pulled": 2]), 200, #"{"pulled":2}"#),
        (.unreachable(reason: "No route to host."), 503, #"{"code":100,"error":"No route to host."}"#),
        (.unauthorized(reason: "Keys refused."), 502, #"{"code":119,"error":"Keys refused."}"#),
        (.paused, 409, #"{"code":119,"error":"Syncing is paused; POST /sync/resume lets it go on."}"#),
        (.failed(reason: "SELECT …"), 500, #"{"code":1,"message":"Internal server error."}"#),
    ])
    func waitingAnswersHowItEnded(_ run: SyncRun, _ status: Int, _ text: String) async {
        let sync = FakeSync(outcome: run)
        expect(await Gateway.make(sync: sync).send("POST /sync?wait=true"), status, text)
        #expect(sync.calls == ["run"])
    }

    @Test(arguments: [
        ("phase=push", " push"), ("phase=pull", " pull"), ("audit=true", " audit"), ("audit=false", ""),
        ("phase=pull&audit=true", " pull audit"),
    ])
    func phasesAndAuditsReachTheEngine(_ parameters: String, _ call: String) async {
        let sync = FakeSync()
        #expect(await Gateway.make(sync: sync).send("POST /sync?\(parameters)").status == 202)
        #expect(await Gateway.make(sync: sync).send("POST /sync?wait=true&\(parameters)").status == 200)
        #expect(sync.calls == ["start" + call, "run" + call])
    }

    @Test func startWhilePausedIs409() async {
        let sync = FakeSync(state: "paused")
        #expect(await Gateway.make(sync: sync).send("POST /sync").status == 409)
        #expect(sync.calls.isEmpty)
    }

    @Test(arguments: [
        ("GET /sync", "", status, nil),
        ("POST /sync/pause", "", status, "pause"),
        ("POST /sync/resume", "", status, "resume"),
        ("GET /sync/pending", "", #"{"results":[{"id":1}]}"#, nil),
        ("DELETE /sync/pending/1", "", "{}", "undo 1"),
        ("GET /sync/rejections", "", #"{"results":[{"id":1,"code":119}]}"#, nil),
        ("POST /sync/rejections/1/retry", "", "{}", "retry 1"),
        ("POST /sync/rejections/1/retry", #"{"object":{"n":1}}"#, "{}", #"retry 1 {"n":1}"#),
        ("DELETE /sync/rejections/1", "", "{}", "give up 1"),
        ("GET /sync/conflicts", "", #"{"results":[{"id":1,"resolved":false}]}"#, nil),
        ("GET /sync/conflicts?state=resolved", "", #"{"results":[{"id":1,"resolved":true}]}"#, nil),
        ("POST /sync/conflicts/1", #"{"keep":"local"}"#, "{}", "keep local 1"),
        ("POST /sync/conflicts/1", #"{"keep":"merge","object":{"n":1}}"#, "{}", #"keep merge 1 {"n":1}"#),
        ("POST /sync/conflicts/1", #"{"object":{"n":1}}"#, "{}", #"keep nothing 1 {"n":1}"#),
        ("GET /sync/removals", "", #"{"results":[{"id":1,"count":7}]}"#, nil),
        ("POST /sync/removals/1/confirm", "", "{}", "confirm 1"),
        ("POST /sync/removals/1/keep", "", "{}", "keep removal 1"),
        ("GET /sync/classes", "", #"{"results":[{"name":"Holiday"},{"name":"Birthday"}]}"#, nil),
        ("GET /sync/classes/Birthday", "", #"{"name":"Birthday"}"#, nil),
        ("PUT /sync/classes/Film", #"{"policy":"merge"}"#, #"{"name":"Film"}"#, #"register Film {"policy":"merge"}"#),
        ("DELETE /sync/classes/Film", "", "{}", "unregister Film false"),
        ("DELETE /parse/sync/classes/Film?purge=true", "", "{}", "unregister Film true"),
        ("DELETE /sync/classes/Film?force=true", "", "{}", "unregister Film false by force"),
        ("DELETE /sync/classes/Film/objects", "", #"{"purged":2}"#, "purge Film all"),
        (#"DELETE /sync/classes/Film/objects?where=%7B%22n%22:1%7D"#, "", #"{"purged":2}"#, "purge Film some"),
        ("DELETE /sync/classes/Film/objects?force=true", "", #"{"purged":2}"#, "purge Film all by force"),
    ])
    func routesReachTheEngine(_ line: String, _ body: String, _ text: String, _ call: String?) async {
        expect(await gateway.send(line, body: body), 200, text)
        #expect(sync.calls == [call].compactMap { $0 })
    }

    @Test func syncedClassHasItsFieldsWhereTheyAreKnown() async throws {
        let store = MemoryStore()
        let country = try #require(SchemaField(stored: ["type": "Pointer", "targetClass": "Country"]))
        _ = try await store.changeSchema("Birthday") { _ in
            SchemaChange(ClassSchema("Birthday", added: ["country": country]))
        }
        let answer = try await Gateway.make(store: store, sync: sync).send("GET /sync/classes/Birthday").json.object
        let fields = answer?["fields"]?.object
        #expect(fields?["country"] == ["type": "Pointer", "targetClass": "Country"])
        #expect(fields?["createdAt"] == ["type": "Date"])
    }

    @Test(arguments: [
        ("DELETE /sync/pending/9", "", 404, 101), ("DELETE /sync/pending/x", "", 404, 101),
        ("DELETE /sync/pending/2", "", 409, 119), ("GET /sync/classes/Film", "", 404, 101),
        ("PUT /sync/classes/_Product", "", 400, 119), ("PUT /sync/classes/Film", "[]", 400, 105),
        ("POST /sync/conflicts/1", "", 400, 107), ("POST /sync/conflicts/1", #"{"object":null}"#, 400, 107),
        ("POST /sync/conflicts/1", #"{"keep":[],"object":{"n":1}}"#, 400, 107),
        ("POST /sync/conflicts/1", #"{"keep":"local","object":3}"#, 400, 107),
        ("GET /sync/conflicts?state=odd", "", 400, 102),
        ("POST /sync?phase=both", "", 400, 102),
        ("POST /sync?wait=true&phase=Push", "", 400, 102), ("POST /sync?phase=push&audit=true", "", 400, 102),
        ("DELETE /sync/classes/Film/objects?where=%7B", "", 400, 107),
        ("DELETE /sync/classes/Film/objects?where=%7B%22n%22:%7B%22$odd%22:1%7D%7D", "", 400, 102),
    ])
    func refusalsHaveCodes(_ line: String, _ body: String, _ status: Int, _ code: Int) async throws {
        let answer = await gateway.send(line, body: body)
        #expect(answer.status == status)
        #expect(try answer.json.object?["code"] == .int(code))
        #expect(sync.calls.isEmpty)
    }

    @Test func standaloneGatewayHasNothingWaiting() async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a", "b"]))
        let text =
            #"{"mode":"standalone","state":"idle","online":true,"initialSyncComplete":true,"lastSyncAt":null,"#
            + #""lastError":null,"pending":0,"rejections":0,"conflicts":0,"removals":0,"progress":null,"classes":"#
            + #"[{"name":"Holiday","objects":2,"pending":0,"initialSyncComplete":true}],"fileBytesMax":20971520}"#
        expect(await gateway.send("GET /sync"), 200, text)
    }

    @Test func standaloneGatewayRefusesTheOtherSyncRoutes() async {
        for route in RouteTable.routes where route.pattern.hasPrefix("/sync") && route.endpoint != .getSyncStatus {
            let path = route.pattern.replacing("{id}", with: "1").replacing("{className}", with: "Holiday")
            expect(
                await Gateway.make().send("\(route.method.rawValue) \(path)"), 400,
                #"{"code":119,"error":"This gateway is standalone: it has no remote to sync with."}"#)
        }
    }
}
