import ParseModel
import StoreService
import Testing

@Suite struct BatchRouteTests {
    private static let time = "2026-11-21T01:29:11.000Z"
    private let gateway = Gateway.make(store: MemoryStore(ids: ["a", "b"]))

    private func send(_ requests: String, transaction: Bool = false) async -> Answer {
        await gateway.send("POST /batch", body: #"{"transaction":\#(transaction),"requests":[\#(requests)]}"#)
    }

    private var groups: [Int] { gateway.store.state.withLock { $0.groups } }

    @Test func createsUpdatesAndDeletionsInABatchAreAnsweredInOrder() async {
        let answer = await send(
            #"""
            {"method":"POST","path":"/parse/classes/Holiday","body":{"name":"b1"}},
            {"method":"PUT","path":"/1/classes/Holiday/a","body":{"n":{"__op":"Increment","amount":1}}},
            {"method":"DELETE","path":"/classes/Holiday/b"}
            """#)
        let answers =
            #"[{"success":{"objectId":"new1","createdAt":"\#(Self.time)"}},"#
            + #"{"success":{"n":8,"updatedAt":"\#(Self.time)"}},{"success":{}}]"#
        expect(answer, 200, answers)
        #expect(groups == [3])
    }

    @Test func errorOfOneBatchItemDoesNotAffectTheOthers() async {
        let answer = await send(
            #"""
            {"method":"POST","path":"/classes/Holiday","body":[1]},
            {"method":"PUT","path":"/classes/Holiday/nope","body":{"n":1}},
            {"method":"DELETE","path":"/classes/_Product/nope"},
            {"method":"POST","path":"/classes/Holiday"}
            """#)
        let answers =
            #"[{"error":{"code":105,"error":"Invalid field name: 0."}},{"error":{"code":101,"error":"Object not found."}},"#
            + #"{"error":{"code":119,"error":"The class _Product is not supported yet."}},"#
            + #"{"success":{"objectId":"new1","createdAt":"\#(Self.time)"}}]"#
        expect(answer, 200, answers)
        #expect(groups == [2])
    }

    @Test func getInBatchReadsParametersFromBodyAndPathAndSeesEarlierWrites() async {
        let answer = await send(
            #"""
            {"method":"DELETE","path":"/classes/Holiday/a"},
            {"method":"GET","path":"/parse/classes/Holiday","body":{"where":{"n":2},"count":1,"limit":0}},
            {"method":"GET","path":"/classes/Holiday?count=1&limit=0","body":{"limit":9}},
            {"method":"GET","path":"/classes/Holiday/b","body":{}},
            {"method":"GET","path":"/classes/Holiday/a"},
            {"method":"DELETE","path":"/classes/Holiday/b"}
            """#)
        let answers =
            #"[{"success":{}},{"success":{"results":[],"count":1}},{"success":{"results":[],"count":1}},"#
            + #"{"success":{"objectId":"b","createdAt":"\#(Self.time)","updatedAt":"\#(Self.time)"}},"#
            + #"{"error":{"code":101,"error":"Object not found."}},{"success":{}}]"#
        expect(answer, 200, answers)
        #expect(groups == [1, 1])
    }

    @Test(arguments: [
        (#"{"method":"POST","path":"/nowhere","body":{}}"#, "cannot route batch path /nowhere"),
        (#"{"method":"PUT","path":"/parse/classes/Holiday","body":{}}"#, "cannot route PUT /parse/classes/Holiday"),
        (#"{"method":"POST","path":"/sync/pause"}"#, "cannot route POST /sync/pause"),
        (#"{"method":"GET","path":"/index.html"}"#, "cannot route batch path /index.html"),
        (#"{"method":"POST","path":"/batch","body":{"requests":[]}}"#, "nested batch requests are not allowed"),
        (#"{"method":"POST"}"#, "Each of requests must be an object with method, path and body"),
        ("7", "Each of requests must be an object with method, path and body"),
    ])
    func unknownRouteInBatchRefusesTheWholeBatchBeforeAnyWrite(_ item: String, _ message: String) async {
        let answer = await send(#"{"method":"POST","path":"/classes/Holiday","body":{}},"# + item)
        expect(answer, 400, #"{"code":107,"error":"\#(message)"}"#)
        #expect(groups.isEmpty)
    }

    @Test(arguments: ["{}", #"{"requests":{}}"#])
    func batchWithoutRequestsArrayIsRefused(_ body: String) async {
        expect(
            await gateway.send("POST /batch", body: body), 400, #"{"code":107,"error":"requests must be an array"}"#)
    }

    @Test func emptyArrayAsBatchItemBodyCountsAsEmptyObject() async {
        let answer = await send(#"{"method":"POST","path":"/classes/Holiday","body":[]}"#)
        #expect(answer.status == 200)
        #expect(answer.text.hasPrefix(#"[{"success":{"objectId":""#))
        #expect(await send(#"{"method":"POST","path":"/classes/Holiday","body":[1]}"#).text.contains(#""code":105"#))
    }

    @Test func emptyBatchAnswersAnEmptyArray() async {
        expect(await send(""), 200, "[]")
        #expect(groups.isEmpty)
    }

    @Test func oversizeBatchIsRefused() async {
        let gateway = Gateway.make { $0.limits.batchMax = 1 }
        let item = #"{"method":"POST","path":"/classes/Holiday"}"#
        let answer = await gateway.send("POST /batch", body: #"{"requests":[\#(item),\#(item)]}"#)
        expect(
            answer, 400, #"{"code":107,"error":"Batch request contains 2 sub-requests, which exceeds the limit of 1."}"#
        )
        #expect(gateway.store.state.withLock { $0.groups.isEmpty })
    }

    @Test func transactionalBatchAppliesAllItemsOrNone() async {
        let create = #"{"method":"POST","path":"/classes/Holiday","body":{}}"#
        #expect(await send(create + "," + create, transaction: true).status == 200)
        let answer = await send(
            create + #",{"method":"PUT","path":"/classes/Holiday/nope","body":{}}"#, transaction: true)
        expect(answer, 404, #"{"code":101,"error":"Object not found."}"#)
        #expect(gateway.store.state.withLock { $0.objects["Holiday"]?.map(\.id) } == ["a", "b", "new1", "new2"])
    }

    @Test func transactionalBatchWithInvalidItemChangesNothing() async {
        let create = #"{"method":"POST","path":"/classes/Holiday","body":{}}"#
        let bad = await send(create + #",{"method":"POST","path":"/classes/Holiday","body":3}"#, transaction: true)
        expect(bad, 400, #"{"code":107,"error":"The body must be a JSON object."}"#)
        #expect(await send(create + #",{"method":"GET","path":"/classes/Holiday"}"#, transaction: true).status == 400)
        #expect(groups.isEmpty)
    }

    @Test func batchItemThatFailsInTheStoreIsAnsweredWithInternalError() async {
        gateway.store.state.withLock { $0.failure = StoreError.database(operation: "commit", reason: "io (SQLite 10)") }
        expect(
            await send(#"{"method":"POST","path":"/classes/Holiday"}"#), 200,
            #"[{"error":{"code":1,"error":"An internal server error occurred"}}]"#)
    }
}
