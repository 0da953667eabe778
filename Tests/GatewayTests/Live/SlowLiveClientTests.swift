import GatewayAPI
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import Gateway

/// Live queries of clients that read slowly, and events that are long.
@Suite("Slow clients of live queries", .timeLimit(.minutes(5)))
struct SlowLiveClientTests {
    private let directory: TemporaryDirectory
    private let clock = TestClock()
    private let hub: Hub
    private let query: JSONObject = ["className": "Holiday", "where": [:]]

    init() throws {
        directory = try TemporaryDirectory()
        hub = try Hub(directory, clock: clock, allowsChosenIds: true)
    }

    private var store: LocalStore { hub.store }

    private func text(_ count: Int) -> JSONValue { .string(String(repeating: "x", count: count)) }

    @Test func eventsWaitForABusyConnection() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        try await probe.subscribe(1, query)
        try await store.create("Holiday", ["n": 1])
        _ = try await probe.events(1)
        probe.stall(1 << 20)
        for n in 2...4 { try await store.create("Holiday", ["n": .int(n)]) }
        #expect(probe.events == ["create 1 1"])
        probe.drain()
        #expect(try await probe.events(4) == (1...4).map { "create 1 \($0)" })
    }

    @Test func clientThatIsTooFarBehindIsDroppedThoughItReadsNothing() async throws {
        let directory = try TemporaryDirectory()
        let waking = WakingClock(clock)
        let hub = try Hub(directory, clock: clock, environment: waking.environment) { $0.streamLagMax = 5 }
        let probe = try await LiveProbe.connected(to: hub.api)
        try await probe.subscribe(1, query)
        let other = try await LiveProbe.connected(to: hub.api)
        try await other.subscribe(1, query)
        try await hub.store.create("Holiday", ["n": 1])
        _ = try await probe.events(1)
        probe.stall(1 << 20)
        for n in 2...6 { try await hub.store.create("Holiday", ["n": .int(n)]) }
        for _ in 0..<3 {
            waking.advance(.seconds(1))
            try await other.subscribe(2, query)
        }
        #expect(!probe.isDropped)
        try await hub.store.create("Holiday", ["n": 7])
        try await until {
            if !waking.rests.isEmpty { waking.advance(.seconds(1)) }
            return probe.isDropped
        }
        #expect(!other.isDropped)
    }

    @Test func missedEventsArriveInPortionsThatFitTheConnection() async throws {
        try await store.create("Holiday", ["objectId": "a", "n": 0, "text": text(100_000)])
        let first = try await LiveProbe.connected(to: hub.api, ["installationId": "phone"])
        try await first.subscribe(1, query)
        first.vanish()
        for n in 1...20 { try await store.update("Holiday", "a", ["n": .int(n)]) }
        let second = try await LiveProbe.connected(to: hub.api, ["installationId": "phone"])
        second.stopReading()
        try await second.subscribe(1, query)
        while second.events.count < 20 {
            try await until { second.unsentBytes > 256 << 10 || second.events.count == 20 }
            second.drain()
        }
        #expect(second.events == (1...20).map { "update 1 \($0) was \($0 - 1)" })
        // An event has 200 KB with its original.
        #expect(second.unsentBytesMost < 512 << 10)
        #expect(!second.isDropped)
    }

    @Test func subscriptionsOfOneConnectionSendNoMoreThanFitsTheConnection() async throws {
        let probe = try await LiveProbe.connected(to: hub.api, ["installationId": "phone"])
        for id in 1...20 { try await probe.subscribe(id, query) }
        probe.vanish()
        try await store.create("Holiday", ["n": 1, "text": text(200_000)])
        let second = try await LiveProbe.connected(to: hub.api, ["installationId": "phone"])
        second.stopReading()
        for id in 1...20 {
            second.send(["op": "subscribe", "requestId": .int(id), "query": .object(query)])
        }
        while second.events.count < 20 {
            try await until { second.unsentBytes > 256 << 10 || second.events.count == 20 }
            second.drain()
        }
        #expect(second.unsentBytesMost < 512 << 10)
    }

    @Test func longEventHasNoOriginal() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        try await probe.subscribe(1, query)
        try await store.create("Holiday", ["objectId": "a", "n": 1, "text": text(2_500_000)])
        try await store.update("Holiday", "a", ["n": 2])
        try await store.update("Holiday", "a", ["n": 3, "text": "short"])
        try await store.update("Holiday", "a", ["n": 4])
        #expect(
            try await probe.events(4) == ["create 1 1", "update 1 2", "update 1 3 was 2", "update 1 4 was 3"])
    }

    @Test func eventOfATooLongObjectHasItsIdOnly() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        try await probe.subscribe(1, query)
        try await probe.subscribe(2, ["className": "Holiday", "where": [:], "keys": ["n"]])
        try await store.create("Holiday", ["objectId": "a", "n": 1, "text": text(4_500_000)])
        #expect(Set(try await probe.events(2)) == ["create 1 -", "create 2 1"])
        let event = try await probe.message(after: 0) { $0["requestId"] == 1 && $0["op"] == "create" }
        #expect(event["partial"] == true)
        let object = try #require(event["object"]?.object)
        #expect(Set(object.keys) == ["__type", "className", "objectId", "createdAt", "updatedAt"])
        #expect(object["objectId"] == "a")
    }
}
