import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests the circuit breaker of the sync, and its reported state, while the remote is unreachable or refuses the keys.
@Suite("Circuit breaker of the sync, and refused keys")
struct CircuitTests {
    private let world: World

    init() async throws {
        world = try await World.make()
        try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
    }

    private func status() async throws -> JSONObject {
        try await world.replica.send("GET /sync", clock: world.clock).1
    }

    private func circuit() async throws -> JSONObject { try #require(try await status()["circuit"]?.object) }

    /// The delay before the next sync that the status reports, by the local clock.
    private func retryDelay() async throws -> Int64 {
        let text = try #require(try await circuit()["retryAt"]?.string)
        return try #require(ParseDate(iso: text)).milliseconds - world.clock.environment.now().milliseconds
    }

    @Test func circuitBreakerIsClosedWhileTheRemoteAnswers() async throws {
        #expect(try await circuit() == ["state": "closed", "failures": 0, "retryAt": nil])
        #expect(try await status()["pushPaused"] == .null)
    }

    @Test func openCircuitBreakerNamesTheTimeOfTheNextAttempt() async throws {
        world.transport.set { _, _, _ in .refused }
        _ = try await world.replica.failingSync()
        _ = try await world.replica.failingSync()
        let circuit = try await circuit()
        #expect(circuit["state"] == "open")
        #expect(circuit["failures"] == 2)
        #expect(try await (0...2000).contains(retryDelay()))
        let status = try await status()
        #expect(status["online"] == false)
        #expect(status["lastError"]?.object?["message"]?.string?.contains("connection refused") == true)
        world.transport.heal()
        try await world.replica.sync()
        #expect(try await self.circuit()["state"] == "closed")
        #expect(try await self.status()["lastError"] == .null)
    }

    @Test func circuitBreakerIsHalfOpenDuringAnAttempt() async throws {
        world.transport.set { _, _, _ in .refused }
        _ = try await world.replica.failingSync()
        world.transport.heal()
        let gate = world.transport.close()
        async let outcome = world.replica.sync()
        await gate.untilReached()
        #expect(try await circuit() == ["state": "halfOpen", "failures": 1, "retryAt": nil])
        gate.open()
        _ = try await outcome
        #expect(try await circuit()["state"] == "closed")
    }

    @Test func retryAfterOfTheRemoteDelaysTheNextSync() async throws {
        world.transport.set { _, _, _ in .throttled(seconds: 120) }
        guard case .offline(_, let retryAfter) = try await world.replica.failingSync() else {
            Issue.record("a server that asks us to come back later is not reachable now")
            return
        }
        #expect(retryAfter == .seconds(120))
        #expect(try await circuit()["state"] == "open")
        #expect(try await retryDelay() == 120_000)
    }

    /// A proxy can ask for a wait of a year. The wait is bounded, and the status says when it ends.
    @Test func retryAfterOfAYearIsBounded() async throws {
        world.transport.set { _, _, _ in .throttled(seconds: 31_536_000) }
        _ = try await world.replica.failingSync()
        #expect(try await retryDelay() == 300_000)
        #expect(try await status()["nextSyncAt"] == circuit()["retryAt"])
        // A sync that a user requests starts at once, regardless of the delay.
        world.transport.heal()
        try await world.replica.sync()
        #expect(try await circuit()["state"] == "closed")
    }

    /// The status also has the time if there is no failure, and if changes wait for another reason.
    @Test func syncStatusContainsTheTimeOfTheNextSync() async throws {
        let text = try #require(try await status()["nextSyncAt"]?.string)
        #expect(try #require(ParseDate(iso: text)) > world.clock.environment.now() - .seconds(60))
        try await world.replica.engine.pause()
        #expect(try await status()["nextSyncAt"] == .null)
    }

    @Test func aThrottledWriteWaitsForTheRetryAfterOfTheServer() async throws {
        try await world.replica.store.create("Holiday", ["n": 2])
        world.transport.set { method, _, body in
            method == "POST" && body.contains("\"n\":2") ? .throttled(seconds: 90) : nil
        }
        _ = try await world.replica.failingSync()
        #expect(try await retryDelay() == 90_000)
        #expect(try world.replica.store.pendingChanges().first?.step.phase == .pending)
        world.transport.heal()
        try await world.replica.sync()
        try world.expectEqual()
    }

    @Test(arguments: [
        (401, #"{"error":"unauthorized"}"#), (403, #"{"error":"unauthorized"}"#),
        (400, #"{"code":209,"error":"Invalid session token"}"#),
    ])
    func keysRefusedByTheRemotePauseThePushWithAReason(status code: Int, body: String) async throws {
        let id = try await world.replica.store.create("Holiday", ["n": 2])
        world.transport.set { _, _, _ in .answer(status: code, body: body) }
        guard case .unauthorized = try await world.replica.failingSync() else {
            Issue.record("these are not our keys")
            return
        }
        let status = try await status()
        #expect(status["pushPaused"]?.object?["reason"]?.string?.contains("refused the keys") == true)
        #expect(status["pending"] == 1)
        #expect(status["rejections"] == 0)
        #expect(try world.replica.store.state("Holiday", id) == .created)
        world.transport.heal()
        try await world.replica.sync()
        #expect(try await self.status()["pushPaused"] == .null)
        try world.expectEqual()
    }

    @Test func keysWithoutTheRightToWritePauseThePush() async throws {
        try await world.replica.store.create("Holiday", ["n": 2])
        world.transport.set { method, _, body in
            method == "POST" && body.contains("\"n\":2")
                ? .answer(status: 403, body: #"{"error":"unauthorized"}"#) : nil
        }
        _ = try await world.replica.failingSync()
        #expect(try await status()["pushPaused"] != .null)
        #expect(try world.replica.store.pendingChanges().first?.step.phase == .pending)
        #expect(try await circuit()["state"] == "closed")
    }

    /// The number of waits of the length by which local writes delay a sync.
    private func debounces() async -> Int {
        await world.replica.engine.noteLocalWrite()
        for _ in 0..<100 { await Task.yield() }
        return world.clock.waits.count { $0 == SyncOptions().debounce }
    }

    @Test func localWritesTriggerNoSyncWhileTheRemoteRefusesTheKeys() async throws {
        world.transport.set { _, _, _ in .answer(status: 403, body: #"{"error":"unauthorized"}"#) }
        _ = try await world.replica.failingSync()
        #expect(await debounces() == 0)
        world.transport.set { _, _, _ in .refused }
        _ = try await world.replica.failingSync()
        #expect(await debounces() == 0)
        world.transport.heal()
        try await world.replica.sync()
        while await debounces() == 0 {}
    }
}
