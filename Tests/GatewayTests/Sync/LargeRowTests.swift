import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

@testable import Gateway

/// Tests pulls of rows and pages above the size limit of an answer.
@Suite("Rows above the size limit in pulls")
struct LargeRowTests {
    private static func text(_ count: Int) -> JSONValue { .string(String(repeating: "x", count: count)) }

    /// Makes a remote whose answers have at most 3,000 bytes, with one row that is larger if `place` is given.
    private func world(rows: Int, largeAt place: Int?) async throws -> (World, large: String?) {
        var large: String?
        let world = try await World.make(
            pageSize: 20, answerBytesMax: 3000, keepsStampsInOrder: false, syncsByItself: false
        ) { hub, clock in
            for n in 0..<rows {
                let id = try await hub.store.create(
                    "Holiday", ["n": .int(n), "text": Self.text(n == place ? 4000 : 10)])
                if n == place { large = id }
                clock.advance(.milliseconds(10))
            }
            clock.advance(.seconds(60))
        }
        return (world, large)
    }

    private func state(_ world: World) async throws -> JSONObject {
        let (_, status) = try await world.replica.send("GET /sync", clock: world.clock)
        return try #require(status["classes"]?.array?.first?.object)
    }

    @Test(arguments: [0, 17, 99])
    func aTooLargeRowIsSkippedWithAWarningAndOthersArePulled(_ place: Int) async throws {
        let (world, large) = try await world(rows: 100, largeAt: place)
        let id = try #require(large)
        let summary = try await world.replica.sync()
        #expect(summary.warnings.count == 1)
        #expect(summary.warnings.first?.contains("Holiday/\(id) was skipped") == true)
        #expect(try world.replica.store.all("Holiday").count == 99)
        let state = try await state(world)
        #expect(state["initialSyncComplete"] == true)
        #expect(state["skipped"]?.array?.count == 1)
        #expect(state["skipped"]?.array?.first?.object?["objectId"] == .string(id))
        // The next sync neither reads the skipped row again nor searches because of the different count.
        world.clock.advance(.seconds(60))
        _ = world.transport.takeSent()
        #expect(try await world.replica.sync().warnings.isEmpty)
        #expect(world.transport.takeSent().count == 1)
    }

    @Test func skippedLargeRowIsPulledOnceItIsSmaller() async throws {
        let (world, large) = try await world(rows: 30, largeAt: 3)
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        try await world.hub.store.update("Holiday", try #require(large), ["text": "short"])
        try await world.replica.sync()
        try world.expectEqual()
        #expect(try await state(world)["skipped"] == [])
    }

    @Test func skippedLargeRowIsForgottenOnceItIsDeleted() async throws {
        let (world, large) = try await world(rows: 30, largeAt: 3)
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        try await world.hub.store.delete("Holiday", try #require(large))
        try await world.replica.sync()
        try world.expectEqual()
        #expect(try await state(world)["skipped"] == [])
    }

    /// The row's older state and its local changes stay. Changes of other objects are sent.
    @Test func rowThatHasGrownTooLargeToReadDelaysOnlyItsOwnChanges() async throws {
        let (world, _) = try await world(rows: 5, largeAt: nil)
        try await world.replica.sync()
        let ids = try world.replica.store.all("Holiday").keys.sorted()
        world.clock.advance(.seconds(60))
        try await world.hub.store.update("Holiday", ids[0], ["text": Self.text(4000)])
        for id in ids { try await world.replica.store.update("Holiday", id, ["n": 7]) }
        world.clock.advance(.seconds(60))
        _ = await world.replica.attempt()
        #expect(try world.replica.store.all("Holiday").count == 5)
        #expect(try world.replica.store.pendingChanges().map(\.objectId) == [ids[0]])
        for id in ids.dropFirst() { #expect(try world.hub.store.fields("Holiday", id)?["n"] == 7) }
    }

    @Test func auditContinuesPastASkippedLargeRow() async throws {
        let (world, _) = try await world(rows: 30, largeAt: 3)
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        let summary = try await world.replica.sync(SyncRequest(audits: true))
        #expect(summary.repaired == 0)
        #expect(try world.replica.store.all("Holiday").count == 29)
    }

    @Test func pageSizeGrowsAgainAfterASkippedLargeRow() async throws {
        let (world, _) = try await world(rows: 200, largeAt: 3)
        try await world.replica.sync()
        // The page size has grown again. Reading row by row would take 200 requests.
        #expect(world.transport.requests.count < 60)
    }
}
