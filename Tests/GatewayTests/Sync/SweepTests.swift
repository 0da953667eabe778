import LocalStore
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import Testing

/// Tests the search for remote deletions, by counts and by lists of ids.
@Suite("Search for remote deletions")
struct SweepTests {
    /// Makes a synced class of many objects, each created in its own millisecond.
    private func world(objects: Int, pageSize: Int = 1000) async throws -> (World, [String]) {
        let world = try await World.make(
            pageSize: pageSize, keepsStampsInOrder: false, options: .withoutRecentAudit)
        var ids: [String] = []
        for n in 0..<objects {
            ids.append(try await world.hub.store.create("Holiday", ["n": .int(n)]))
            world.clock.advance(.milliseconds(1))
        }
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        world.clock.advance(.seconds(60))
        _ = world.transport.takeSent()
        return (world, ids)
    }

    private func sync(_ world: World) async throws -> SyncSummary {
        _ = world.transport.takeSent()
        let summary = try await world.replica.sync()
        world.clock.advance(.seconds(60))
        return summary
    }

    /// The sent requests for lists of ids, each with its range of creation times.
    private func lists(_ world: World) -> [String] {
        world.transport.takeSent().map(\.body).filter { $0.contains("order=objectId") || $0.contains("\"objectId\",") }
    }

    @Test(arguments: [500, 2000]) func oneRemoteDeletionAmongManyObjectsIsFoundInFewRequests(objects: Int) async throws
    {
        let (world, ids) = try await world(objects: objects, pageSize: 100)
        try await world.hub.store.delete("Holiday", ids[objects / 3])
        let summary = try await sync(world)
        #expect(summary.removed == 1)
        // The requests are the pull, one batch of counts, the list of ids in one range, and reads of the missing
        // object by id.
        #expect(summary.requests <= 8)
        let lists = lists(world)
        #expect(!lists.isEmpty)
        #expect(lists.allSatisfy { $0.contains("createdAt") })
        try world.expectEqual()
        #expect(try await sync(world).requests == 1)
    }

    @Test func scatteredRemoteDeletionsAreAllFound() async throws {
        let (world, ids) = try await world(objects: 600, pageSize: 50)
        for n in stride(from: 0, to: 600, by: 97) { try await world.hub.store.delete("Holiday", ids[n]) }
        let summary = try await sync(world)
        #expect(summary.removed == 7)
        // One batch lists the ids of all ranges, and one request reads all missing objects.
        #expect(summary.requests <= 10)
        try world.expectEqual()
    }

    @Test func deletionAmongManyObjectsOfOneCreationTimeIsFound() async throws {
        let (world, _) = try await world(objects: 0, pageSize: 20)
        var ids: [String] = []
        for n in 0..<300 { ids.append(try await world.hub.store.create("Holiday", ["n": .int(n)])) }
        _ = try await sync(world)
        try await world.hub.store.delete("Holiday", ids[100])
        #expect(try await sync(world).removed == 1)
        try world.expectEqual()
    }

    @Test func firstSyncOfManyPagesNeedsNoListOfIds() async throws {
        let (world, _) = try await world(objects: 0, pageSize: 10)
        for n in 0..<40 {
            try await world.hub.store.create("Holiday", ["n": .int(n)])
            world.clock.advance(.milliseconds(1))
        }
        _ = try await sync(world)
        #expect(lists(world).isEmpty)
        try world.expectEqual()
    }

    /// Class permissions may allow `find` and deny `count`.
    @Test func deletionsAreFoundByListingIdsIfCountingIsForbidden() async throws {
        let (world, ids) = try await world(objects: 50, pageSize: 10)
        let refusal = #"{"code":119,"error":"Permission denied for action count on class Holiday."}"#
        world.transport.set { _, _, body in
            body.contains("count=1") || body.contains("\"count\":1") ? .answer(status: 400, body: refusal) : nil
        }
        try await world.hub.store.delete("Holiday", ids[7])
        let summary = try await sync(world)
        #expect(summary.removed == 1)
        #expect(summary.warnings.isEmpty)
        try world.expectEqual()
    }

    /// In a class of many pages, the list of all ids is long. It is requested ever less often: when the number of
    /// objects has changed, and at the audit.
    @Test(arguments: [(50, true), (20, false)]) func longListsOfIdsAreNotRequestedInEverySync(
        objects: Int, isLong: Bool
    ) async throws {
        let (world, ids) = try await world(objects: objects, pageSize: 10)
        let refusal = #"{"code":119,"error":"Permission denied for action count on class Holiday."}"#
        world.transport.set { _, _, body in
            body.contains("count=1") || body.contains("\"count\":1") ? .answer(status: 400, body: refusal) : nil
        }
        for _ in 0..<4 { _ = try await sync(world) }
        _ = lists(world)
        _ = try await sync(world)
        #expect(lists(world).isEmpty == isLong)
        try await world.hub.store.delete("Holiday", ids[7])
        #expect(try await sync(world).removed == (isLong ? 0 : 1))
        world.clock.advance(.seconds(24 * 3600))
        #expect(try await sync(world).removed == (isLong ? 1 : 0))
        try world.expectEqual()
    }

    @Test func aDeletionAndACreateThatLeaveTheCountEqualAreFoundByAnAudit() async throws {
        let (world, ids) = try await world(objects: 20)
        try await world.hub.store.delete("Holiday", ids[3])
        // The object is created with a timestamp of an hour ago, as an import may do, so no pull's overlap covers it.
        world.clock.turn(by: .seconds(-3600))
        try await world.hub.store.create("Holiday", ["n": 100])
        world.clock.turn(by: .seconds(3600))
        let unseen = try await sync(world)
        #expect(unseen.removed + unseen.pulled == 0)
        let summary = try await world.replica.sync(SyncRequest(audits: true))
        #expect(summary.removed == 1)
        #expect(summary.repaired == 1)
        try world.expectEqual()
    }

    @Test func remoteObjectWithAnOldCreationTimeIsFoundByTheCount() async throws {
        let (world, _) = try await world(objects: 20)
        world.clock.turn(by: .seconds(-3600))
        try await world.hub.store.create("Holiday", ["n": 100])
        world.clock.turn(by: .seconds(3600))
        _ = try await sync(world)
        try world.expectEqual()
        #expect(try world.replica.store.all("Holiday").count == 21)
    }
}
