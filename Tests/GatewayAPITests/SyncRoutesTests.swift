import GatewayAPI
import ParseModel
import RemoteService
import StoreService
import SyncModel
import Testing

@Suite struct SyncRoutesTests {
    private static let status =
        #"{"mode":"replica","remote":null,"state":"idle","online":false,"initialSyncComplete":true,"lastSyncAt":null,"#
        + #""lastError":null,"circuit":{"state":"closed","failures":0,"retryAt":null},"nextSyncAt":null,"#
        + #""listening":{"state":"off"},"pushPaused":null,"pending":3,"#
        + #""rejections":0,"conflicts":0,"removals":0,"stalled":null,"progress":null,"lastSummary":null,"classes":[],"#
        + #""remoteLimits":null,"fileBytesMax":20971520}"#
    private static let summary =
        #"{"pulled":0,"pushed":0,"removed":0,"released":0,"conflicts":0,"settled":0,"rejections":0,"heldBack":0,"#
        + #""repaired":0,"deferred":0,"relationsLeft":false,"files":0,"requests":0,"durationMs":0,"at":null,"warnings":[],"#
        + #""classes":{}}"#
    private static func quoted(_ text: String) -> String { (.string(text) as JSONValue).jsonText }

    private static let change =
        #"{"id":1,"className":"Film","objectId":"a","kind":"delete","phase":"pending","fields":[],"operations":{},"#
        + #""madeAt":"1970-01-01T00:00:00.000Z","attempts":0,"code":null,"error":null,"base":null,"tag":\#(quoted(FakeSync.change().tag))}"#
    private static let conflict =
        #"{"id":1,"className":"Film","objectId":"a","kind":"fields","fields":["n"],"base":{"n":1},"local":null,"#
        + #""remote":{"n":2},"candidates":[],"operations":null,"foundAt":"1970-01-01T00:00:00.000Z","resolution":null,"#
        + #""resolvedAt":null,"tag":\#(quoted(FakeSync.conflict().tag))}"#
    private static let resolved = conflict.replacing(#""resolution":null"#, with: #""resolution":"local""#)
        .replacing(#""resolvedAt":null"#, with: #""resolvedAt":"1970-01-01T00:00:00.000Z""#)
    private static let removal =
        #"{"id":1,"className":"Film","reason":"tooMany","objects":3,"of":4,"objectIds":["a","b"],"olderIds":["c"],"#
        + #""foundAt":"1970-01-01T00:00:00.000Z"}"#
    private static func syncedClass(_ name: String) -> String {
        #"{"name":"\#(name)","objects":2,"pending":0,"registered":true,"initialSyncComplete":true,"hidden":0,"#
            + #""refusal":null,"stopped":null,"skipped":[]}"#
    }
    private static let registered =
        String(syncedClass("Film").dropLast())
        + #","policy":"remote","opField":null,"opFieldRefusal":null,"opFieldOffer":"\#(ClassOptions.opFieldStandard)","#
        + #""deletedField":null,"relations":true,"idFields":{},"files":"lazy","pulls":[{"name":"new","where":{"n":{"$gt":1}},"#
        + #""keys":null,"initialSyncComplete":false,"auditedAt":null}]}"#
    private let sync = FakeSync()
    private var gateway: Gateway { .make(sync: sync) }

    @Test func syncRequestIsAnsweredAtOnceWithTheSyncStatus() async {
        let answer = await gateway.send("POST /sync")
        expect(answer, 202, Self.status)
        #expect(answer.header("X-Tidegate-Mode") == "replica")
        #expect(sync.calls == ["start"])
    }

    @Test(arguments: [
        (SyncOutcome.finished(SyncSummary()), 200, summary),
        (
            .failed(.offline(reason: "no route to host", retryAfter: nil)), 503,
            #"{"code":100,"error":"The remote cannot be reached: no route to host"}"#
        ),
        (.failed(.unauthorized(message: "no")), 502, #"{"code":119,"error":"no"}"#),
        (.failed(.storeFull), 507, #"{"code":1,"error":"The disk is full."}"#),
        (.paused, 409, #"{"code":119,"error":"Syncing is paused; POST /sync/resume resumes it."}"#),
        (.failed(.store("SELECT …")), 500, #"{"code":1,"message":"Internal server error."}"#),
    ])
    func syncRequestWithWaitIsAnsweredWithTheResult(_ outcome: SyncOutcome, _ status: Int, _ text: String) async {
        let sync = FakeSync(outcome: outcome)
        expect(await Gateway.make(sync: sync).send("POST /sync?wait=true"), status, text)
        #expect(sync.calls == ["run"])
    }

    @Test(arguments: [
        ("phase=push", " push"), ("phase=pull", " pull"), ("audit=true", " audit"), ("audit=false", ""),
        ("phase=pull&audit=true", " pull audit"),
    ])
    func syncParametersPhaseAndAuditReachTheEngine(_ parameters: String, _ call: String) async {
        let sync = FakeSync()
        #expect(await Gateway.make(sync: sync).send("POST /sync?\(parameters)").status == 202)
        #expect(await Gateway.make(sync: sync).send("POST /sync?wait=true&\(parameters)").status == 200)
        #expect(sync.calls == ["start" + call, "run" + call])
    }

    @Test func syncRequestWhilePausedIsAnsweredWith409() async {
        let sync = FakeSync(state: .paused)
        #expect(await Gateway.make(sync: sync).send("POST /sync").status == 409)
        #expect(sync.calls.isEmpty)
    }

    @Test(arguments: [
        ("GET /sync", "", status, nil),
        ("POST /sync/pause", "", status, "pause"),
        ("POST /sync/resume", "", status, "resume"),
        ("GET /sync/pending", "", #"{"results":[\#(change)]}"#, nil),
        ("GET /sync/pending?after=0", "", #"{"results":[\#(change)]}"#, nil),
        ("GET /sync/pending?after=1", "", #"{"results":[]}"#, nil),
        ("GET /sync/pending/1", "", change, nil),
        ("DELETE /sync/pending/1", "", "{}", "undo 1"),
        ("GET /sync/rejections", "", "{\"results\":[\(change.replacing(#""code":null"#, with: #""code":119"#))]}", nil),
        ("GET /sync/rejections?after=1", "", #"{"results":[]}"#, nil),
        ("POST /sync/rejections/1/retry", "", "{}", "retry 1"),
        ("POST /sync/rejections/1/retry", #"{"object":{"n":1}}"#, "{}", #"retry 1 {"n":1}"#),
        ("DELETE /sync/rejections/1", "", "{}", "give up 1"),
        ("GET /sync/conflicts", "", #"{"results":[\#(conflict)]}"#, nil),
        ("GET /sync/conflicts?state=resolved", "", #"{"results":[\#(resolved)]}"#, nil),
        ("GET /sync/conflicts?after=2", "", #"{"results":[\#(conflict)]}"#, nil),
        ("GET /sync/conflicts?after=1", "", #"{"results":[]}"#, nil),
        ("POST /sync/conflicts/1", #"{"keep":"local"}"#, "{}", "keep local 1"),
        ("POST /sync/conflicts/1", #"{"keep":"merge","object":{"n":1}}"#, "{}", #"keep merge 1 {"n":1}"#),
        ("POST /sync/conflicts/1", #"{"object":{"n":1}}"#, "{}", #"keep nothing 1 {"n":1}"#),
        (
            "POST /sync/decisions",
            #"{"decisions":[{"list":"conflicts","id":1,"decision":"remote"}]}"#, #"[{"success":{}}]"#, "keep remote 1"
        ),
        (
            "POST /sync/decisions", #"{"decisions":[{"list":"pending","id":1,"decision":"undo"}]}"#,
            #"[{"success":{}}]"#, "undo 1"
        ),
        (
            "POST /sync/decisions",
            #"{"decisions":[{"list":"rejections","id":1,"decision":"retry","object":{"n":1}}]}"#,
            #"[{"success":{}}]"#, #"retry 1 {"n":1}"#
        ),
        (
            "POST /sync/decisions", #"{"decisions":[{"list":"rejections","id":1,"decision":"discard"}]}"#,
            #"[{"success":{}}]"#, "give up 1"
        ),
        ("GET /sync/removals", "", #"{"results":[\#(removal)]}"#, nil),
        ("POST /sync/removals/1/confirm", "", "{}", "confirm 1"),
        ("POST /sync/removals/1/keep", "", "{}", "keep removal 1"),
        ("GET /sync/classes", "", #"{"results":[\#(syncedClass("Holiday")),\#(syncedClass("Birthday"))]}"#, nil),
        ("GET /sync/classes/Birthday", "", syncedClass("Birthday"), nil),
        (
            "PUT /sync/classes/Film", #"{"policy":"remote","pulls":[{"name":"new","where":{"n":{"$gt":1}}}]}"#,
            registered,
            "register Film remote new"
        ),
        ("DELETE /sync/classes/Film", "", "{}", "unregister Film false"),
        ("DELETE /parse/sync/classes/Film?purge=true", "", "{}", "unregister Film true"),
        ("DELETE /sync/classes/Film?force=true", "", "{}", "unregister Film false by force"),
        ("DELETE /sync/classes/Film/objects", "", #"{"purged":2}"#, "purge Film all"),
        (#"DELETE /sync/classes/Film/objects?where=%7B%22n%22:1%7D"#, "", #"{"purged":2}"#, "purge Film some"),
        ("DELETE /sync/classes/Film/objects?force=true", "", #"{"purged":2}"#, "purge Film all by force"),
    ])
    func eachSyncRouteCallsTheEngine(_ line: String, _ body: String, _ text: String, _ call: String?) async {
        expect(await gateway.send(line, body: body), 200, text)
        #expect(sync.calls == [call].compactMap { $0 })
    }

    @Test func aSyncedClassIsShownWithItsKnownFields() async throws {
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
        ("GET /sync/pending/9", "", 404, 101), ("DELETE /sync/pending/9", "", 404, 101),
        ("DELETE /sync/pending/x", "", 404, 101),
        ("DELETE /sync/pending/2", "", 409, 119), ("GET /sync/classes/Film", "", 404, 101),
        ("PUT /sync/classes/Film", #"{"pulls":[{"name":"new","where":{"n":{"$lt":1}}}]}"#, 400, 102),
        ("PUT /sync/classes/Film", #"{"table":"/tables/film"}"#, 400, 102),
        ("PUT /sync/classes/Task", #"{"fields":{"date":"Number"}}"#, 400, 102),
        ("PUT /sync/classes/_Product", "", 400, 119), ("PUT /sync/classes/Film", "[]", 400, 105),
        ("POST /sync/decisions", "", 400, 107), ("POST /sync/decisions", #"{"decisions":3}"#, 400, 107),
        ("POST /sync/conflicts/1", "", 400, 107), ("POST /sync/conflicts/1", #"{"object":null}"#, 400, 107),
        ("POST /sync/conflicts/1", #"{"keep":[],"object":{"n":1}}"#, 400, 107),
        ("POST /sync/conflicts/1", #"{"keep":"local","object":3}"#, 400, 107),
        ("GET /sync/conflicts?state=odd", "", 400, 102),
        ("POST /sync?phase=both", "", 400, 102),
        ("POST /sync?wait=true&phase=Push", "", 400, 102), ("POST /sync?phase=push&audit=true", "", 400, 102),
        ("DELETE /sync/classes/Film/objects?where=%7B", "", 400, 107),
        ("DELETE /sync/classes/Film/objects?where=%7B%22n%22:%7B%22$odd%22:1%7D%7D", "", 400, 102),
    ])
    func invalidSyncRequestsAreRefusedWithACode(_ line: String, _ body: String, _ status: Int, _ code: Int) async throws
    {
        let answer = await gateway.send(line, body: body)
        #expect(answer.status == status)
        #expect(try answer.json.object?["code"] == .int(code))
        #expect(sync.calls.isEmpty)
    }

    @Test func syncStatusOfAStandaloneGatewayHasNoPendingChanges() async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a", "b"]))
        let text =
            #"{"mode":"standalone","state":"idle","online":true,"initialSyncComplete":true,"lastSyncAt":null,"#
            + #""lastError":null,"pending":0,"rejections":0,"conflicts":0,"removals":0,"progress":null,"classes":"#
            + #"[{"name":"Holiday","objects":2,"pending":0,"initialSyncComplete":true}],"fileBytesMax":20971520}"#
        expect(await gateway.send("GET /sync"), 200, text)
    }

    @Test func aStandaloneGatewayRefusesSyncRoutesThatNeedARemote() async {
        let standalone = Gateway.make { $0.keys = .init(masterKey: "master") }
        for route in gateway.api.table.routes where route.pattern.hasPrefix("/sync") && route.name != "getSyncStatus" {
            let path = route.pattern.replacing("{id}", with: "1").replacing("{className}", with: "Holiday")
            let answer = await standalone.send(
                "\(route.method.rawValue) \(path)", ["X-Parse-Master-Key": "master"])
            let words =
                path.contains("{userId}")
                ? "This gateway keeps no data of users: it is standalone, or runs with --people off."
                : "This gateway is standalone: it has no remote to sync with."
            expect(answer, 400, #"{"code":119,"error":"\#(words)"}"#)
        }
    }
}
