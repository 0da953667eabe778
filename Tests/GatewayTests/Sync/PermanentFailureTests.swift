import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests a change on which the remote fails every time, such as a violation of a unique index, while it accepts other
/// changes.
@Suite("Changes that always fail at the remote")
struct PermanentFailureTests {
    private static let failure = HandlerTransport.Fault.answer(
        status: 500, body: #"{"code":1,"message":"Internal server error."}"#)

    private let world: World
    private let ids: [String]

    init() async throws {
        world = try await World.make()
        var ids: [String] = []
        for n in 0..<3 { ids.append(try await world.hub.store.create("Holiday", ["n": .int(n)])) }
        self.ids = ids
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        world.transport.set { method, path, body in
            method == "PUT" || (path == "/batch" && body.contains("\"PUT\"")) ? Self.failure : nil
        }
    }

    private func sync() async throws -> SyncSummary {
        defer { world.clock.advance(.seconds(60)) }
        return try await world.replica.sync()
    }

    @Test func changeThatAlwaysFailsAtTheRemoteIsRejectedWithTheServersText() async throws {
        try await world.replica.store.update("Holiday", ids[0], ["n": 1])
        for _ in 0..<4 { #expect(try await sync().rejections == 0) }
        #expect(try await sync().rejections == 1)
        let rejection = try #require(try world.replica.store.rejections().first)
        #expect((rejection.code, rejection.error) == (1, "Internal server error."))
        #expect(try await world.replica.send("GET /sync", clock: world.clock).1["lastError"] == .null)
        world.transport.heal()
        try await world.replica.store.retryRejection(rejection.id, fields: nil)
        #expect(try await sync().pushed == 1)
        try world.expectEqual()
    }

    @Test func changeThatFailsAtTheRemoteIsReportedFromTheFirstAttempt() async throws {
        try await world.replica.store.update("Holiday", ids[0], ["n": 1])
        let summary = try await sync()
        #expect(summary.warnings.first?.contains("Internal server error. (code 1)") == true)
        #expect(summary.warnings.first?.contains(ids[0]) == true)
        let (_, status) = try await world.replica.send("GET /sync", clock: world.clock)
        #expect(status["lastError"]?.object?["message"]?.string?.contains("Internal server error.") == true)
        #expect(status["online"] == true)
        let (_, pending) = try await world.replica.send("GET /sync/pending", clock: world.clock)
        let change = try #require(pending["results"]?.array?.first?.object)
        #expect(change["error"] == "Internal server error.")
        #expect(change["code"] == 1)
        world.transport.heal()
        _ = try await sync()
        #expect(try await world.replica.send("GET /sync", clock: world.clock).1["lastError"] == .null)
    }

    @Test func incrementsAndDeletionsThatFailAtTheRemoteAreReported() async throws {
        try await world.replica.store.update("Holiday", ids[0], ["n": ["__op": "Increment", "amount": 1]])
        #expect(try await sync().warnings.count == 1)
        for _ in 0..<12 where try world.replica.store.rejections().isEmpty { _ = try await sync() }
        #expect(try world.replica.store.rejections().map(\.error) == ["Internal server error."])
    }

    /// A server whose database is temporarily read-only fails on all changes, so no single change is the cause.
    @Test func changesAreNotRejectedWhileEveryChangeFails() async throws {
        for id in ids { try await world.replica.store.update("Holiday", id, ["name": "x"]) }
        for _ in 0..<10 { #expect(try await sync().rejections == 0) }
        world.transport.heal()
        _ = try await sync()
        try world.expectEqual()
    }

    @Test func failedRemoteReadsRejectNoChange() async throws {
        try await world.replica.store.update("Holiday", ids[0], ["n": 1])
        world.transport.set { _, _, _ in Self.failure }
        for _ in 0..<12 {
            _ = try await world.replica.failingSync()
            world.clock.advance(.seconds(60))
        }
        #expect(try world.replica.store.rejections().isEmpty)
        world.transport.heal()
        #expect(try await sync().pushed == 1)
        try world.expectEqual()
    }
}
