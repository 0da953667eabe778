import GatewayAPI
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import Gateway

/// The bounds of what clients can make the gateway keep for their live queries.
@Suite("Bounds of live queries", .timeLimit(.minutes(5)))
struct LiveBoundTests {
    private let directory: TemporaryDirectory
    private let clock = TestClock()
    private let hub: Hub

    init() throws {
        directory = try TemporaryDirectory()
        hub = try Hub(directory, clock: clock)
    }

    /// A query with a condition of this length.
    private func query(_ count: Int) -> JSONObject {
        ["className": "Holiday", "where": ["name": .string(String(repeating: "x", count: count))]]
    }

    @Test func connectionHasAThousandSubscriptions() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        for id in 1...1000 {
            probe.send([
                "op": "subscribe", "requestId": .int(id),
                "query": ["className": "Holiday", "where": ["n": ["$gte": .int(id)]]],
            ])
        }
        let refused = try await probe.subscribe(1001, ["className": "Holiday", "where": [:]])
        #expect(refused["code"] == 155)
        #expect(refused["reconnect"] == false)
        #expect(probe.messages.count { $0["op"] == "subscribed" } == 1000)
        try await hub.store.create("Holiday", ["n": 500])
        try await hub.store.create("Holiday", ["n": 2000])
        _ = try await probe.events(1500)
        #expect(Set(probe.events).count == 1500)
        // The refused subscription takes the place of an ended one.
        probe.send(["op": "unsubscribe", "requestId": 7])
        _ = try await probe.message("unsubscribed")
        #expect(try await probe.subscribe(1001, ["className": "Holiday", "where": [:]])["op"] == "subscribed")
    }

    @Test func longRequestIsAnsweredByAnError() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        #expect(try await probe.subscribe(1, query(120_000))["op"] == "subscribed")
        let error = try await probe.subscribe(2, query(132_000))
        #expect(error["code"] == 116)
        #expect(error["reconnect"] == false)
        #expect(try await probe.subscribe(3, query(10))["op"] == "subscribed")
    }

    @Test func subscriptionsOfAConnectionShareItsMemory() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        // 100 of these queries have 10 MB of text.
        var id = 0
        var answer: JSONObject = [:]
        repeat {
            id += 1
            answer = try await probe.subscribe(id, query(100_000 + id))
        } while answer["op"] == "subscribed" && id < 100
        #expect(answer["code"] == 155)
        #expect(answer["reconnect"] == false)
        #expect((10..<100).contains(id))
        let other = try await LiveProbe.connected(to: hub.api)
        #expect(try await other.subscribe(1, query(100_000))["op"] == "subscribed")
        // The memory of an ended subscription is free again.
        probe.send(["op": "unsubscribe", "requestId": 1])
        _ = try await probe.message("unsubscribed")
        try await until { try await probe.subscribe(id, query(100_000))["op"] == "subscribed" }
    }

    @Test func unknownClassesWithSubscriptionsAreFew() async throws {
        try await hub.store.create("Holiday", ["n": 1])
        let probe = try await LiveProbe.connected(to: hub.api)
        // One subscription after another, so that the number of subscriptions is no limit.
        for number in 1...1000 {
            #expect(
                try await probe.subscribe(1, ["className": .string("C\(number)"), "where": [:]])["op"] == "subscribed")
        }
        let refused = try await probe.subscribe(2, ["className": "Further", "where": [:]])
        #expect(refused["code"] == 155)
        #expect(refused["reconnect"] == false)
        #expect(try await probe.subscribe(2, ["className": "C5", "where": [:]])["op"] == "subscribed")
        #expect(try await probe.subscribe(3, ["className": "Holiday", "where": [:]])["op"] == "subscribed")
        #expect(try await probe.subscribe(4, ["className": "_Role", "where": [:]])["op"] == "subscribed")
        clock.advance(.seconds(3 * 3600))
        #expect(try await probe.subscribe(5, ["className": "Further", "where": [:]])["op"] == "subscribed")
    }

    @Test func subscriptionsOfAllConnectionsShareTheirMemory() async throws {
        let directory = try TemporaryDirectory()
        let hub = try Hub(directory, clock: clock) { $0.liveMemoryMax = 1 << 20 }
        let probe = try await LiveProbe.connected(to: hub.api)
        #expect(try await probe.subscribe(1, query(100_000))["op"] == "subscribed")
        #expect(try await probe.subscribe(2, query(100_001))["op"] == "subscribed")
        let other = try await LiveProbe.connected(to: hub.api)
        let refused = try await other.subscribe(1, query(100_002))
        #expect(refused["op"] == "error")
        #expect(refused["reconnect"] == true)
        probe.vanish()
        // The gateway has closed the other connection, so that the client reconnects.
        try await until {
            let again = try await LiveProbe.connected(to: hub.api)
            return try await again.subscribe(1, query(100_002))["op"] == "subscribed"
        }
    }
}
