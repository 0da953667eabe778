import ParseModel
import Synchronization
import Testing

@testable import SyncEngine

/// First pulls whose writes store several pages.
@Suite("Pages ahead")
struct PagesAheadTests {
    private static let count = 95

    /// A hub with ten pages of objects, and an empty replica.
    private func world(commitsOfPagesMin: Int) async throws -> World {
        try await World.make(
            pageSize: 10, keepsStampsInOrder: false, syncsByItself: false, commitsOfPagesMin: commitsOfPagesMin
        ) { hub, clock in
            for n in 0..<Self.count {
                try await hub.store.create("Holiday", ["n": .int(n)])
                clock.advance(.milliseconds(10))
            }
            clock.advance(.seconds(60))
        }
    }

    /// Runs the first sync.
    /// - Returns: the number of commits and of requests.
    private func firstSync(_ world: World) async throws -> (commits: Int, requests: Int) {
        let commits = Mutex(0)
        world.replica.store.onCommit { commits.withLock { $0 += 1 } }
        _ = world.transport.takeSent()
        try await world.replica.sync()
        return (commits.withLock { $0 }, world.transport.takeSent().count)
    }

    @Test func oneWriteStoresThreePages() async throws {
        let together = try await world(commitsOfPagesMin: 0)
        let single = try await world(commitsOfPagesMin: 1000)
        let (few, many) = (try await firstSync(together), try await firstSync(single))
        // Eleven pages, the last one empty: the first one, then three, three, three and one.
        #expect(many.commits - few.commits == 11 - 5)
        #expect(few.requests == many.requests)
        for world in [together, single] {
            try world.expectEqual()
            #expect(try world.replica.store.all("Holiday").count == Self.count)
        }
    }

    /// The page is requested again.
    @Test(arguments: [HandlerTransport.Fault.requestLost, .truncated])
    func aPageThatCannotBeJoinedIsRequestedAgain(_ fault: HandlerTransport.Fault) async throws {
        let world = try await world(commitsOfPagesMin: 0)
        let lists = Mutex(0)
        world.transport.once(fault) { method, _, body in
            guard method == "GET", body.contains("updatedAt") else { return false }
            return lists.withLock { lists in
                lists += 1
                return lists == 6
            }
        }
        _ = await world.replica.attempt()
        world.transport.heal()
        try await world.replica.sync()
        try world.expectEqual()
        #expect(lists.withLock { $0 } > 6)
    }

    /// Later pulls compare each page with the rows that the page before it has stored.
    @Test func laterPullsStorePageByPage() async throws {
        let world = try await world(commitsOfPagesMin: 0)
        try await world.replica.sync()
        for id in try world.hub.store.all("Holiday").keys.sorted().prefix(40) {
            try await world.hub.store.update("Holiday", id, ["n": -1])
            world.clock.advance(.milliseconds(10))
        }
        world.clock.advance(.seconds(60))
        #expect(try await firstSync(world).commits >= 5)
        try world.expectEqual()
    }
}
