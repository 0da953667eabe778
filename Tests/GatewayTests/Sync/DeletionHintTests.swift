import LocalStore
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import Testing

/// Tests remote deletions that the change feed of a Tidegate as the remote names.
@Suite("Deletions that the remote's change feed names")
struct DeletionHintTests {
    /// Makes a replica that has synced a class of many objects, each created in its own millisecond.
    private func world(objects: Int = 500, hasFeed: Bool = true) async throws -> (World, [String]) {
        let world = try await World.make(
            pageSize: 100, keepsStampsInOrder: false, options: .withoutRecentAudit, hasFeed: hasFeed)
        var ids: [String] = []
        for n in 0..<objects {
            ids.append(try await world.hub.store.create("Holiday", ["n": .int(n)]))
            world.clock.advance(.milliseconds(1))
        }
        world.clock.advance(.seconds(60))
        _ = try await sync(world)
        return (world, ids)
    }

    private func sync(_ world: World) async throws -> SyncSummary {
        _ = world.transport.takeSent()
        let summary = try await world.replica.sync()
        world.clock.advance(.seconds(60))
        return summary
    }

    private func deletions(_ ids: some Sequence<String>, in world: World) async throws {
        for id in ids { try await world.hub.store.delete("Holiday", id) }
    }

    /// The requests for the change feed, and the number of those that count or list objects by creation time.
    private func sent(_ world: World) -> (feed: [String], searches: Int) {
        let sent = world.transport.takeSent()
        return (
            sent.filter { $0.line.hasSuffix("/changes") }.map(\.body),
            sent.count { $0.body.contains("createdAt") || $0.body.contains("order=objectId") }
        )
    }

    @Test func deletionsNamedByTheRemotesChangeFeedNeedNoSearch() async throws {
        let (world, ids) = try await world()
        for round in 0..<3 {
            try await deletions(stride(from: round, to: 500, by: 97).map { ids[$0] }, in: world)
            let summary = try await sync(world)
            #expect(summary.removed == 6)
            // The requests are the pull with its count, the change feed and its end, and two reads of the missing
            // objects by id. The second read includes existing objects as a test.
            #expect(summary.requests <= 6)
            let (feed, searches) = sent(world)
            #expect(feed.count == 2 && feed.allSatisfy { $0.contains("kinds=delete") && !$0.contains("latest") })
            #expect(searches == 0)
            try world.expectEqual()
        }
        #expect(try await sync(world).requests == 1)
    }

    /// The database stores the position in the remote's feed, so a restarted replica continues there.
    @Test func positionInTheRemotesChangeFeedSurvivesARestart() async throws {
        let (world, ids) = try await world()
        let directory = try TemporaryDirectory()
        let transport = HandlerTransport(world.hub.api, clock: world.clock)
        transport.showFeed()
        var replica: SyncedReplica? = try await SyncedReplica(
            directory, transport: transport, clock: world.clock, pageSize: 100)
        try await replica?.sync()
        await replica?.stop()
        replica = nil
        try await deletions(ids.prefix(3), in: world)
        world.clock.advance(.seconds(60))
        _ = transport.takeSent()
        let reopened = try await SyncedReplica(directory, transport: transport, clock: world.clock, pageSize: 100)
        try await reopened.sync()
        #expect(try reopened.store.all("Holiday").count == ids.count - 3)
        #expect(transport.takeSent().allSatisfy { !$0.body.contains("createdAt") && !$0.body.contains("since=latest") })
    }

    @Test func remoteWithoutAChangeFeedIsAskedForOneOnlyOnce() async throws {
        let (world, ids) = try await world(hasFeed: false)
        for id in ids.prefix(3) {
            try await deletions([id], in: world)
            #expect(try await sync(world).removed == 1)
            let (feed, searches) = sent(world)
            #expect(feed.isEmpty && searches > 0)
        }
        try world.expectEqual()
    }

    /// The feed names an object that was deleted and created again under its id, and one that the replica never had.
    @Test func objectsThatTheRemotesFeedNamesAsDeletedButThatExistAreKept() async throws {
        let (world, ids) = try await world()
        try await deletions([ids[7]], in: world)
        let page = #"{"results":[\#(item(ids[7])),\#(item(ids[8])),\#(item("elsewhere"))],"next":4711}"#
        world.transport.set { _, path, _ in path.hasSuffix("/changes") ? .answer(status: 200, body: page) : nil }
        let summary = try await sync(world)
        #expect(summary.removed == 1)
        #expect(sent(world).searches == 0)
        try world.expectEqual()
    }

    private func item(_ id: String) -> String {
        #"{"number":1,"className":"Holiday","objectId":"\#(id)","kind":"delete"}"#
    }

    /// Deletions that the feed does not name are found by the search.
    @Test(arguments: [
        (200, #"{"results":[],"next":4711}"#), (200, "[]"), (200, #"{"results":[]}"#), (200, "<html>"),
        (410, #"{"code":119,"error":"gone"}"#), (404, "Cannot GET"), (500, "error"), (503, ""), (403, ""),
    ]) func deletionsMissingFromTheRemotesFeedAreFoundByTheSearch(status: Int, body: String) async throws {
        let (world, ids) = try await world()
        try await deletions(ids.suffix(4), in: world)
        world.transport.set { _, path, _ in path.hasSuffix("/changes") ? .answer(status: status, body: body) : nil }
        #expect(try await sync(world).removed == 4)
        #expect(sent(world).searches > 0)
        try world.expectEqual()
        world.transport.heal()
        try await deletions(ids.prefix(2), in: world)
        #expect(try await sync(world).removed == 2)
        // After a failed request, the replica keeps its position in the feed.
        if status >= 500 { #expect(sent(world).searches == 0) }
        try world.expectEqual()
    }

    /// An implausibly large removal waits for a decision, even if the feed names the deletions.
    @Test func largeRemovalNamedByTheRemotesFeedWaitsForADecision() async throws {
        let (world, ids) = try await world()
        try await deletions(ids.prefix(400), in: world)
        let summary = try await sync(world)
        #expect(summary.removed == 0 && summary.heldBack == 400)
        #expect(try world.replica.store.all("Holiday").count == 500)
        #expect(try await sync(world).heldBack == 400)
    }
}
