import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncModel
import Testing

@testable import Gateway
@testable import SyncEngine

/// Tests syncs that start because the remote has reported a change.
@Suite("Syncs after reports of the remote", .timeLimit(.minutes(5)))
struct ListeningTests {
    private let directories: [TemporaryDirectory]
    private let hub: Hub
    private let transport: HandlerTransport
    private let replica: SyncedReplica
    private let clock: WakingClock
    private let signals = FakeSignals()

    init() async throws {
        directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        clock = WakingClock(TestClock())
        hub = try Hub(directories[0], clock: clock.clock)
        transport = HandlerTransport(hub.api, clock: clock.clock)
        replica = try await SyncedReplica(
            directories[1], transport: transport, clock: clock.clock, options: .withoutRecentAudit, signals: signals,
            engineEnvironment: clock.environment)
    }

    // MARK: Steps

    private func state() async -> SyncStatus.Listening.State? { await replica.engine.status.listening?.state }
    private func isIdle() async -> Bool { await replica.engine.status.state == .idle }

    /// Waits until a sync is due after a delay, and lets it run.
    private func passSync(after delay: Duration = SignalPace.delay) async throws {
        try await until { await isIdle() && clock.rests.contains(delay) }
        _ = transport.takeSent()
        clock.advance(delay)
        try await until { transport.requests.count > 0 }
        try await until { await isIdle() }
    }

    /// Answers the queries of a new connection. The next report causes a sync after the shortest delay.
    /// - Parameter earlier: the number of earlier connections.
    private func listen(after earlier: Int = 0) async throws -> FakeListener {
        try await until { signals.connections.count > earlier && signals.connections.last?.classes.isEmpty == false }
        let listener = try #require(signals.connections.last)
        try await replica.sync()
        clock.advance(SignalPace.pauseMax)
        listener.send(.listening(refused: []))
        try await until { await state() == .listening }
        try await passSync()
        clock.advance(SignalPace.pauseMax)
        return listener
    }

    // MARK: Reports

    @Test func aReportedChangeIsPulledAfterATenthOfASecond() async throws {
        let listener = try await listen()
        let id = try await hub.store.create("Holiday", ["n": 1])
        let other = try await hub.store.create("Holiday", ["n": 2])
        listener.send(.changed)
        try await until { clock.rests.first == .milliseconds(100) }
        #expect(try replica.store.all("Holiday").isEmpty)
        try await passSync()
        #expect(try replica.store.all("Holiday").keys.sorted() == [id, other].sorted())
        try await hub.store.delete("Holiday", id)
        listener.send(.changed)
        try await passSync(after: .milliseconds(500))
        #expect(try replica.store.all("Holiday").keys.sorted() == [other])
        await replica.stop()
    }

    @Test func manyReportsCauseOneSyncAndAPause() async throws {
        let listener = try await listen()
        for _ in 0..<1000 { listener.send(.changed) }
        try await passSync()
        // The reports that the engine handles after the beginning of the sync share the next one.
        listener.send(.changed)
        try await until { clock.rests.first == .milliseconds(500) }
        // A sync without changes takes a single request.
        #expect(transport.takeSent().count == 1)
        try await passSync(after: .milliseconds(500))
        #expect(transport.takeSent().count == 1)
        await replica.stop()
    }

    @Test func aReportDuringASyncIsFollowedByAnotherAfterAPause() async throws {
        let listener = try await listen()
        let gate = transport.close()
        let running = Task { try await replica.sync() }
        await gate.untilReached()
        listener.send(.changed)
        listener.send(.listening(refused: ["Birthday"]))
        // The engine has handled the report when it handles the next message.
        try await until { await replica.engine.status.listening?.refused == ["Birthday"] }
        #expect(!clock.rests.contains(SignalPace.delay))
        clock.advance(.seconds(2))
        gate.open()
        _ = try await running.value
        try await passSync(after: .seconds(2))
        await replica.stop()
    }

    @Test func aFailedSyncIsNotRepeatedAtEachReport() async throws {
        let listener = try await listen()
        transport.set { _, _, _ in .throttled(seconds: 120) }
        _ = try await replica.failingSync()
        _ = transport.takeSent()
        for _ in 0..<100 { listener.send(.changed) }
        listener.send(.listening(refused: []))
        listener.end()
        try await until { await state() == .connecting }
        #expect(transport.takeSent().isEmpty)
        #expect(clock.rests.contains(.seconds(120)))
        await replica.stop()
    }

    // MARK: Connections

    @Test func aLostConnectionCausesASyncAndANewConnection() async throws {
        let listener = try await listen()
        let id = try await hub.store.create("Holiday", ["n": 1])
        listener.end()
        try await until { await state() == .connecting }
        try await passSync()
        #expect(try replica.store.all("Holiday").keys.contains(id))
        try await until { signals.connections.count == 2 || clock.rests.contains { $0 <= .seconds(1) } }
        clock.advance(.seconds(1))
        let next = try await listen(after: 1)
        #expect(next.classes == ["Holiday"])
        await replica.stop()
        try await until { next.isClosed }
    }

    @Test func withoutConnectionsTheReplicaSyncsAtItsInterval() async throws {
        signals.refuse(.notOffered(reason: "404"))
        // The first connection may have been opened before.
        try await until { signals.attemptCount > 0 }
        for connection in signals.connections { connection.end() }
        try await until {
            if await state() == .notOffered { return true }
            clock.advance(.milliseconds(100))
            return false
        }
        let attempts = signals.attemptCount
        try await hub.store.create("Holiday", ["n": 1])
        try await until {
            if try replica.store.all("Holiday").count == 1, signals.attemptCount > attempts { return true }
            clock.advance(.seconds(1))
            return false
        }
        await replica.stop()
    }

    @Test func pausedSyncsAreNotListenedTo() async throws {
        let listener = try await listen()
        try await replica.engine.pause()
        try await until { await state() == .off }
        #expect(listener.isClosed)
        listener.send(.changed)
        try await replica.engine.resume()
        _ = try await listen(after: 1)
        await replica.stop()
    }

    @Test func aNewClassIsListenedTo() async throws {
        let listener = try await listen()
        try await replica.store.registerClass("Birthday")
        try await replica.sync()
        try await until { listener.classes == ["Birthday", "Holiday"] }
        try await replica.store.unregisterClass("Birthday", purge: false, force: true)
        try await replica.sync()
        try await until { listener.classes == ["Holiday"] }
        await replica.stop()
    }

    @Test func theEndOfASessionReplacesTheConnection() async throws {
        let listener = try await listen()
        listener.changeSession()
        replica.engine.noteSessionChange()
        try await until { listener.isClosed && signals.connections.count == 2 }
        _ = try await listen(after: 1)
        await replica.stop()
    }

    @Test func aStoppedEngineEndsTheConnection() async throws {
        let listener = try await listen()
        await replica.stop()
        try await until { listener.isClosed }
    }

    // MARK: The status

    @Test func theStatusTellsHowChangesArrive() async throws {
        let listener = try await listen()
        listener.send(.listening(refused: ["Birthday"]))
        try await until { await replica.engine.status.listening?.refused == ["Birthday"] }
        let status = try await replica.send("GET /sync", clock: clock.clock).1
        let shown = try #require(status["listening"]?.object)
        #expect(shown["state"] == "listening" && shown["refused"] == ["Birthday"])
        #expect(shown["since"]?.string.flatMap { ParseDate(iso: $0) } != nil)
        listener.send(.listening(refused: ["Birthday", "Holiday"]))
        try await until { await state() == .notOffered }
        #expect(listener.isClosed)
        await replica.stop()
        let other = try await World.make()
        #expect(try await other.replica.send("GET /sync", clock: other.clock).1["listening"] == ["state": "off"])
    }
}
