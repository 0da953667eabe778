import GatewayAPI
import HTTPServer
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import Gateway

/// What a connection of live queries keeps, and which events it takes for received.
@Suite("Connections of live queries", .timeLimit(.minutes(5)))
struct LiveConnectionTests {
    private let directory: TemporaryDirectory
    private let hub: Hub
    private let query: JSONObject = ["className": "Holiday", "where": [:]]

    init() throws {
        directory = try TemporaryDirectory()
        hub = try Hub(directory, clock: TestClock(), allowsChosenIds: true)
    }

    /// Refers to a connection without keeping it.
    private struct Reference {
        weak var handler: (any WebSocketHandler)?
    }

    @Test func closedConnectionIsReleased() async throws {
        let reference = try await closedConnection()
        try await until { reference.handler == nil }
    }

    /// A connection that was closed after it had answered pings.
    private func closedConnection() async throws -> Reference {
        let probe = try await LiveProbe.connected(to: hub.api, ["installationId": "phone"])
        try await probe.subscribe(1, query)
        try await hub.store.create("Holiday", ["n": 1])
        _ = try await probe.events(1)
        for _ in 0..<3 { probe.ping() }
        probe.vanish()
        return Reference(handler: probe.handler)
    }

    @Test func requestsWaitWhileAnswersAreUnsent() async throws {
        let probe = try await LiveProbe.connected(to: hub.api)
        probe.stall(1 << 20)
        for id in 1...3 { probe.send(["op": "unsubscribe", "requestId": .int(id)]) }
        // Another connection is served in the meantime.
        try await LiveProbe.connected(to: hub.api).subscribe(1, query)
        #expect(probe.messages.count == 1)
        probe.drain()
        for id in 1...3 { _ = try await probe.message(after: 1) { $0["requestId"] == .int(id) } }
    }

    // MARK: Receipts

    /// The events that a client with the same installation id gets when it comes back.
    private func eventsAgain() async throws -> [String] {
        let probe = try await LiveProbe.connected(to: hub.api, ["installationId": "phone"])
        try await probe.subscribe(1, query)
        try await hub.store.create("Holiday", ["n": 99])
        _ = try await probe.message(after: 0) { $0["object"]?.object?["n"] == 99 }
        return probe.events
    }

    @Test func eventsBeforeTheLastButOneAnsweredPingAreConfirmed() async throws {
        let probe = try await LiveProbe.connected(to: hub.api, ["installationId": "phone"])
        try await probe.subscribe(1, query)
        for n in 1...3 {
            try await hub.store.create("Holiday", ["n": .int(n)])
            _ = try await probe.events(n)
            probe.ping()
        }
        probe.vanish()
        #expect(try await eventsAgain() == ["create 1 3", "create 1 99"])
    }

    @Test func unansweredPingsConfirmNothing() async throws {
        let probe = try await LiveProbe.connected(
            to: hub.api, ["installationId": "phone"], answersPings: false)
        try await probe.subscribe(1, query)
        for n in 1...3 {
            try await hub.store.create("Holiday", ["n": .int(n)])
            _ = try await probe.events(n)
            probe.ping()
        }
        #expect(Set(probe.pings).count == 1, "a ping that was not answered is repeated")
        probe.vanish()
        #expect(try await eventsAgain() == ["create 1 1", "create 1 2", "create 1 3", "create 1 99"])
    }

    @Test func answerToAnotherPingConfirmsNothing() async throws {
        let probe = try await LiveProbe.connected(
            to: hub.api, ["installationId": "phone"], answersPings: false)
        try await probe.subscribe(1, query)
        try await hub.store.create("Holiday", ["n": 1])
        _ = try await probe.events(1)
        for _ in 0..<3 {
            probe.ping()
            probe.answer(Array("another".utf8))
        }
        probe.vanish()
        #expect(try await eventsAgain() == ["create 1 1", "create 1 99"])
    }
}
