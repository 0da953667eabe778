import ParseModel
import StoreService
import Testing

@Suite struct ObjectRoutesTests {
    private static let time = "2026-11-21T01:29:11.000Z"
    private static let times = #""createdAt":"\#(time)","updatedAt":"\#(time)""#

    @Test(arguments: ["", "/parse", "/1"])
    func aCreateAnswersWithIdCreationTimeAndLocation(_ prefix: String) async {
        let gateway = Gateway.make()
        let answer = await gateway.send("POST \(prefix)/classes/Holiday", body: #"{"name":"x"}"#)
        expect(answer, 201, #"{"objectId":"new1","createdAt":"\#(Self.time)"}"#)
        #expect(answer.header("Location") == "http://127.0.0.1:1338\(prefix)/classes/Holiday/new1")
        #expect(answer.header("Content-Type") == "application/json; charset=utf-8")
        #expect(answer.header("X-Tidegate-Mode") == "standalone")
        #expect(!answer.isAtHand)
    }

    @Test func emptyBodyCreatesAnEmptyObject() async {
        #expect(await Gateway.make().send("POST /classes/Holiday").status == 201)
    }

    @Test func readIsAnsweredSynchronouslyWithTheStoredJSON() async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a", "b"]))
        let one = await gateway.send("GET /classes/Holiday/a")
        expect(one, 200, #"{"objectId":"a",\#(Self.times)}"#)
        #expect(one.isAtHand)
        let all = await gateway.send("GET /classes/Holiday?count=1&limit=1")
        expect(all, 200, #"{"results":[{"objectId":"a",\#(Self.times)}],"count":2}"#)
        expect(await gateway.send("GET /classes/Nothing"), 200, #"{"results":[]}"#)
    }

    @Test func aHeadRequestIsAnsweredLikeAGet() async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]))
        #expect(await gateway.send("HEAD /classes/Holiday/a").status == 200)
    }

    @Test func anUpdateAnswersWithOperationResultsThenItsTime() async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]))
        let body = #"{"n":{"__op":"Increment","amount":3},"x":1}"#
        expect(await gateway.send("PUT /classes/Holiday/a", body: body), 200, #"{"n":8,"updatedAt":"\#(Self.time)"}"#)
        expect(await gateway.send("DELETE /classes/Holiday/a"), 200, "{}")
    }

    @Test(arguments: ["GET", "PUT", "DELETE"])
    func aMissingObjectIsAnsweredWith404(_ method: String) async {
        expect(
            await Gateway.make().send("\(method) /classes/Holiday/nope"), 404,
            #"{"code":101,"error":"Object not found."}"#)
    }

    @Test(arguments: [
        (#"{"name": "#, #"{"error":"Unexpected end of JSON input"}"#),
        ("[1, 2]", #"{"code":105,"error":"Invalid field name: 0."}"#),
        ("7", #"{"code":107,"error":"The body must be a JSON object."}"#),
    ])
    func anInvalidBodyIsAnsweredWith400(_ body: String, _ answer: String) async {
        expect(await Gateway.make().send("POST /classes/Holiday", body: body), 400, answer)
    }

    @Test func postWithMethodOverrideGetListsObjects() async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a", "b"]))
        let answer = await gateway.send(
            "POST /classes/Holiday", ["Content-Type": "text/plain"],
            body: #"{"_method":"GET","_ApplicationId":"app","keys":"objectId","limit":1,"where":{"n":1}}"#)
        expect(answer, 200, #"{"results":[{"objectId":"a",\#(Self.times)}]}"#)
    }

    @Test func keysSelectFieldsInTheOrderOfTheKeys() async {
        let gateway = Gateway.make()
        let link = #"{"__type":"Pointer","className":"C"}"#
        let fields = #"{"name":"x","date":1,"ACL":{"*":{}},"obj":{"a":1,"b":2},"link":\#(link)}"#
        _ = await gateway.send("POST /classes/Holiday", body: fields)
        let always = #""objectId":"new1",\#(Self.times),"ACL":{"*":{}}"#
        expect(
            await gateway.send("GET /classes/Holiday/new1?keys=date%2Cname"), 200,
            #"{"date":1,"name":"x",\#(always)}"#)
        expect(
            await gateway.send("GET /classes/Holiday?keys=obj.b,link.name,nope"), 200,
            #"{"results":[{"obj":{"a":1,"b":2},"link":\#(link),\#(always)}]}"#)
    }

    @Test(
        arguments: [
            ("keys=%22name%22", ["keys": "name"]), ("keys=true", ["keys": "true"]), ("order=%22-n%22", ["order": "-n"]),
            ("order=%5B%22-n%22,%22name%22%5D", ["order": "-n,name"]), ("include=%22region%22", ["include": "region"]),
            ("limit=%221%22&skip=%221%22", ["limit": 1, "skip": 1]), ("limit=null&order=null", [:]),
            ("where=%22%7B%5C%22n%5C%22:1%7D%22", ["where": ["n": 1]]), ("count=%221%22", ["count": 1]),
            ("hint=%22_id_%22&comment=%22x%22", [:]), ("comment=1", [:]), ("excludeKeys=%22n%22", ["excludeKeys": "n"]),
            ("redirectClassNameForKey=%22rel%22", ["redirectClassNameForKey": "rel"]),
        ] as [(String, JSONObject)])
    func parametersOfAURLThatAreValidJSONAreReadAsJSON(_ query: String, _ meant: JSONObject) async throws {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]))
        #expect(await gateway.send("GET /classes/Holiday?\(query)").status == 200)
        #expect(try gateway.store.state.withLock { $0.queries } == [ParseQuery(parameters: meant)])
        let body = #"{"requests":[{"method":"GET","path":"/classes/Holiday?\#(query)","body":{}}]}"#
        #expect(await gateway.send("POST /batch", body: body).text.hasPrefix(#"[{"success""#))
        #expect(try gateway.store.state.withLock { $0.queries.last } == ParseQuery(parameters: meant))
    }

    @Test(arguments: ["true", "%22queryPlanner%22", "queryPlanner", "1"]) func explainParameterIsReadFromTheURL(
        _ value: String
    ) async {
        let gateway = Gateway.make { $0.keys = .init(masterKey: "master") }
        let answer = await gateway.send("GET /classes/Holiday?explain=\(value)", ["X-Parse-Master-Key": "master"])
        expect(answer, 200, #"{"results":[{"sql":"SELECT 1","plan":["SCAN","  INNER"]}]}"#)
    }

    @Test(arguments: [("?_sync=true", [:]), ("", ["X-Tidegate-Sync": "true"]), ("?_sync=1&keys=objectId", [:])])
    func requestedSyncStateIsTheLastMemberOfAnObject(_ query: String, _ headers: [String: String]) async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]))
        gateway.store.state.withLock { $0.states["a"] = .updated }
        let object = #"{"objectId":"a",\#(Self.times),"_sync":{"state":"updated","tag":"\"7-42\""}}"#
        expect(await gateway.send("GET /classes/Holiday/a\(query)", headers), 200, object)
        expect(await gateway.send("GET /classes/Holiday\(query)", headers), 200, #"{"results":[\#(object)]}"#)
    }

    @Test func aListWithTheKeyObjectIdHasIdsDatesAndACLs() async {
        let acl: JSONObject = ["*": ["read": true]]
        let objects: [(id: String, fields: JSONObject)] = [
            ("a", ["name": "CHACHACHA", "n": 1]), ("b", ["n": 2, "ACL": .object(acl)]), ("c", [:]),
            ("d\"\\", ["n": 3]), ("eé", ["b": "ACL"]),
        ]
        let gateway = Gateway.make()
        gateway.store.state.withLock { $0.objects["Holiday"] = objects }
        let shown = objects.map { id, fields in
            let rights = fields["ACL"].map { #","ACL":\#($0.jsonText)"# } ?? ""
            return #"{"objectId":\#(JSONValue.string(id).jsonText),\#(Self.times)\#(rights)}"#
        }
        expect(
            await gateway.send("GET /classes/Holiday?keys=objectId"), 200,
            #"{"results":[\#(shown.joined(separator: ","))]}"#)
    }

    @Test func aLargerLimitIsLoweredToThePageMaximum() async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a", "b", "c"])) { $0.limits.pageMax = 2 }
        for limit in ["1", "2", "3", "100000"] { _ = await gateway.send("GET /classes/Holiday?limit=\(limit)") }
        #expect(gateway.store.state.withLock { $0.queries.map(\.limit) } == [1, 2, 2, 2])
        let unbounded = Gateway.make()
        _ = await unbounded.send("GET /classes/Holiday?limit=1000000")
        #expect(unbounded.store.state.withLock { $0.queries.map(\.limit) } == [1_000_000])
    }

    @Test(arguments: [
        ("/classes/Holiday/a?where=%7B%7D", #"{"code":102,"error":"Improper encode of parameter"}"#),
        ("/classes/Holiday/a?include=a-b", #"{"code":105,"error":"Invalid key name: a-b"}"#),
        ("/classes/Holiday?distinct=b", #"{"code":102,"error":"distinct is not supported yet"}"#),
        ("/classes/Holiday?limit=x", #"{"code":102,"error":"limit must be a whole number of at least 0"}"#),
        ("/classes/_Product", #"{"code":119,"error":"The class _Product is not supported yet."}"#),
        ("/classes/_Product/a", #"{"code":119,"error":"The class _Product is not supported yet."}"#),
    ])
    func invalidQueriesAreAnsweredWith400(_ path: String, _ answer: String) async {
        expect(await Gateway.make(store: MemoryStore(ids: ["a"])).send("GET \(path)"), 400, answer)
    }

    @Test func aSessionTokenIsRefusedInAGatewayWithoutUsers() async {
        let invalid = #"{"code":209,"error":"Invalid session token"}"#
        let gateway = Gateway.make()
        expect(await gateway.send("GET /classes/Holiday", ["X-Parse-Session-Token": "r:bad"]), 400, invalid)
        expect(await gateway.send("POST /classes/Holiday", body: #"{"_SessionToken":"r:bad"}"#), 400, invalid)
        let batch = await gateway.send("POST /batch", ["X-Parse-Session-Token": "r:1"], body: #"{"requests":[]}"#)
        expect(batch, 400, invalid)
        #expect(await gateway.send("GET /health", ["X-Parse-Session-Token": "r:bad"]).status == 200)
    }

    @Test(arguments: ["PUT /classes/Holiday", "GET /nowhere", "POST /classes/Holiday/a", "PATCH /classes/Holiday/a"])
    func anUnknownRouteIsAnsweredWith404(_ line: String) async {
        expect(await Gateway.make().send(line), 404, #"{"error":"not found"}"#)
    }

    // MARK: Limits

    @Test func aSlowQueryIsAnsweredFromAnotherThread() async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]), tick: .seconds(2))
        gateway.store.state.withLock { $0.slowness = .seconds(1) }
        let answer = await gateway.send("GET /classes/Holiday?keys=objectId")
        #expect(answer.status == 200)
        #expect(answer.isAtHand == false)
        gateway.store.state.withLock { $0.slowness = .zero }
        #expect(await gateway.send("GET /classes/Holiday").isAtHand)
    }

    /// A large body is parsed on another thread. Otherwise it would block a server thread and the requests behind it.
    @Test func largeBodiesAreParsedOnAnotherThread() async {
        for (count, isAtHand) in [(100, true), (300_000, false)] {
            let comment = String(repeating: "x", count: count)
            let answer = await Gateway.make().send(
                "POST /classes/Holiday", body: #"{"_method":"GET","comment":"\#(comment)"}"#)
            expect(answer, 200, #"{"results":[]}"#)
            #expect(answer.isAtHand == isAtHand)
        }
    }

    @Test func queriesAfterASlowQueryBeginOnAnotherThread() async {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]))
        gateway.store.state.withLock { $0.slowness = .seconds(1) }
        #expect(await gateway.send("GET /classes/Holiday").status == 200)
        gateway.store.state.withLock { $0.queries = [] }
        for slowness in [Duration.seconds(1), .zero] {
            gateway.store.state.withLock { $0.slowness = slowness }
            let answer = await gateway.send("GET /classes/Holiday")
            #expect(answer.status == 200)
            #expect(!answer.isAtHand)
        }
        // The gateway had first tried the slow query for a short time on the server thread, so there are three
        // queries.
        #expect(gateway.store.state.withLock { $0.queries.count } == 3)
        #expect(await gateway.send("GET /classes/Holiday/a").isAtHand)
    }

    @Test func queryOverItsTimeLimitFailsWithCode124() async throws {
        let gateway = Gateway.make()
        gateway.store.state.withLock { $0.slowness = .seconds(3600) }
        let answer = await gateway.send("GET /classes/Holiday")
        #expect(answer.status == 400)
        #expect(try answer.json.object?["code"] == 124)
        let batch = await gateway.send(
            "POST /batch", body: #"{"requests":[{"method":"GET","path":"/classes/Holiday"}]}"#)
        #expect(batch.text.contains(#""code":124"#))
    }

    @Test func anAnswerOverTheSizeLimitIsAnError() async throws {
        let gateway = Gateway.make(store: MemoryStore(ids: (0..<10).map { "id\($0)" })) {
            $0.limits.answerBytesMax = 600
        }
        let answer = await gateway.send("GET /classes/Holiday")
        #expect(answer.status == 400)
        #expect(try answer.json.object?["code"] == 116)
        #expect(await gateway.send("GET /classes/Holiday?limit=3").status == 200)
        // All items of a batch share one limit for the size of the answer.
        let item = #"{"method":"GET","path":"/classes/Holiday?limit=3"}"#
        let batch = await gateway.send("POST /batch", body: #"{"requests":[\#(item),\#(item),\#(item)]}"#)
        #expect(batch.text.contains(#"{"success":{"results""#))
        #expect(batch.text.contains(#""code":116"#))
    }

    @Test func anObjectInABatchMayNestAsDeeplyAsInASingleRequest() async {
        let deep = String(repeating: "[", count: 127) + String(repeating: "]", count: 127)
        let body = #"{"deep":\#(deep)}"#
        let gateway = Gateway.make()
        #expect(await gateway.send("POST /classes/Holiday", body: body).status == 201)
        let batch = await gateway.send(
            "POST /batch", body: #"{"requests":[{"method":"POST","path":"/classes/Holiday","body":\#(body)}]}"#)
        #expect(batch.text.contains("success"))
    }
}
