import GatewayAPI
import HTTPServer
import HTTPTypes
import ParseModel
import Testing

/// Tests the time and size limits of a batch, and what happens if its client disconnects.
@Suite struct BatchLimitsTests {
    private func batch(_ items: [String], transaction: Bool = false) -> String {
        #"{"transaction":\#(transaction),"requests":[\#(items.joined(separator: ","))]}"#
    }

    private let read = #"{"method":"GET","path":"/classes/Holiday"}"#
    private let write = #"{"method":"POST","path":"/classes/Holiday","body":{"n":1}}"#

    private func codes(_ answer: Answer) throws -> [JSONValue?] {
        try answer.json.array?.map { $0.object?["error"]?.object?["code"] } ?? []
    }

    @Test func batchItemsNotStartedWithinTheTimeLimitFail() async throws {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]), tick: .seconds(4)) {
            $0.limits.batchTimeMax = .seconds(30)
        }
        let items = Array(repeating: read, count: 10) + [write]
        let answer = await gateway.send("POST /batch", body: batch(items))
        #expect(answer.status == 200)
        let codes = try codes(answer)
        #expect(codes.count == 11)
        #expect(codes.first == .some(nil))
        #expect(codes.last == 124)
        #expect(codes.drop { $0 == nil }.allSatisfy { $0 == 124 })
        #expect(gateway.store.state.withLock { $0.groups.isEmpty })
        #expect(gateway.store.state.withLock { $0.queries.count } < 10)
    }

    @Test func batchWritesStartedWithinTheTimeLimitAreExecuted() async throws {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]), tick: .seconds(4)) {
            $0.limits.batchTimeMax = .seconds(30)
        }
        let answer = await gateway.send("POST /batch", body: batch([write, write] + Array(repeating: read, count: 10)))
        #expect(try codes(answer).prefix(2) == [nil, nil])
        #expect(gateway.store.state.withLock { $0.objects["Holiday"]?.count } == 3)
        let whole = Array(repeating: write, count: 30)
        let transaction = await gateway.send("POST /batch", body: batch(whole, transaction: true))
        #expect(try codes(transaction).allSatisfy { $0 == nil })
    }

    /// A read that is running ends when the time limit of the whole batch is reached.
    @Test func readInBatchIsLimitedToTheRemainingTimeOfTheBatch() async throws {
        let store = MemoryStore(ids: ["a"])
        store.state.withLock { $0.slowness = .seconds(10) }
        let gateway = Gateway.make(store: store, tick: .seconds(1)) { $0.limits.batchTimeMax = .seconds(30) }
        let answer = await gateway.send("POST /batch", body: batch(Array(repeating: read, count: 40)))
        let items = try answer.json.array?.map { $0.object?["error"]?.object?["error"]?.string } ?? []
        #expect(items.first == .some(nil))
        #expect(items.contains("The query takes too long: make it simpler."))
        #expect(items.last == "The batch takes too long: this item was not executed.")
    }

    @Test func aBatchEndsWhenItsClientDisconnects() async throws {
        let gateway = Gateway.make(store: MemoryStore(ids: ["a"]))
        let client = HTTPClientPresence()
        client.leave()
        let request = HTTPServerRequest(
            method: .post, path: "/batch", headers: [HTTPField.Name("Host")!: "127.0.0.1"],
            body: Array(batch([read, write, read]).utf8), client: client)
        let answer = Answer(response: await gateway.api.handle(request).response(), isAtHand: false)
        #expect(try codes(answer) == [124, 124, 124])
        #expect(gateway.store.state.withLock { $0.queries.isEmpty && $0.groups.isEmpty })
    }

    @Test func theAnswersOfAllBatchesShareAMemoryBudget() async throws {
        let gateway = Gateway.make(store: MemoryStore(ids: (0..<10).map { "id\($0)" })) {
            $0.limits.batchBytesMax = 2500
        }
        for _ in 0..<3 {
            let codes = try codes(await gateway.send("POST /batch", body: batch(Array(repeating: read, count: 5))))
            #expect(codes.first == .some(nil))
            #expect(codes.last == 155)
        }
    }
}
