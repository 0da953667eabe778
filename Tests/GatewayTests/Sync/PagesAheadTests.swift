import ParseModel
import Synchronization
import Testing

@testable import LocalStore
@testable import SyncEngine

/// Tests pulls that store several pages in one transaction, or one page in several transactions.
@Suite("Transactions that store pulled pages", .timeLimit(.minutes(5)))
struct PagesAheadTests {
    private static let count = 95

    /// Makes a remote with ten pages of objects, and an empty replica.
    private func world(commitsOfPagesMin: Int, rowsBesideOthers: Int = 10) async throws -> World {
        try await World.make(
            pageSize: 10, keepsStampsInOrder: false, syncsByItself: false,
            pageWrites: .init(
                commitsOfPagesMin: commitsOfPagesMin, rowsUsual: 10, rowsBesideOthers: rowsBesideOthers)
        ) { hub, clock in
            for n in 0..<Self.count {
                try await hub.store.create("Holiday", ["n": .int(n)])
                clock.advance(.milliseconds(10))
            }
            clock.advance(.seconds(60))
        }
    }

    /// Runs a sync.
    /// - Returns: the number of commits and of requests.
    private func sync(_ world: World) async throws -> (commits: Int, requests: Int) {
        try await counting(world) { _ = try await world.replica.sync() }
    }

    /// Runs a first sync during which another write is committed, between its first page and the request for the
    /// second.
    /// - Returns: the number of commits and of requests.
    private func syncBesideWrite(_ world: World) async throws -> (commits: Int, requests: Int) {
        try await counting(world) {
            let store = world.replica.store
            let gate = world.transport.close(after: 1)
            async let outcome = world.replica.sync()
            await gate.untilReached()
            try await until { try !store.all("Holiday").isEmpty }
            try await store.transactions.file.writer.write { _ in }
            gate.open()
            _ = try await outcome
        }
    }

    private func counting(_ world: World, _ sync: () async throws -> Void) async throws -> (commits: Int, requests: Int)
    {
        let commits = Mutex(0)
        world.replica.store.objects.onCommit { commits.withLock { $0 += 1 } }
        _ = world.transport.takeSent()
        try await sync()
        return (commits.withLock { $0 }, world.transport.takeSent().count)
    }

    @Test func firstPullStoresThreePagesPerTransaction() async throws {
        let together = try await world(commitsOfPagesMin: 0)
        let single = try await world(commitsOfPagesMin: 1000)
        let (few, many) = (try await sync(together), try await sync(single))
        // There are eleven pages, the last of which is empty. They are stored in five transactions: one page, then
        // three, three, three and one.
        #expect(many.commits - few.commits == 11 - 5)
        #expect(few.requests == many.requests)
        for world in [together, single] {
            try world.expectEqual()
            #expect(try world.replica.store.all("Holiday").count == Self.count)
        }
    }

    /// While clients write, each transaction of a pull stores only a part of a page.
    @Test func pulledPageIsStoredInSeveralTransactionsBesideClientWrites() async throws {
        let whole = try await world(commitsOfPagesMin: 1000)
        let parts = try await world(commitsOfPagesMin: 1000, rowsBesideOthers: 4)
        let (few, many) = (try await syncBesideWrite(whole), try await syncBesideWrite(parts))
        // The first page is stored in one transaction. Eight pages of ten objects take two more transactions each, and
        // one of five takes one more.
        #expect(many.commits - few.commits == 8 * 2 + 1)
        #expect(few.requests == many.requests)
        for world in [whole, parts] {
            try world.expectEqual()
            #expect(try world.replica.store.all("Holiday").count == Self.count)
        }
    }

    /// If the replica crashes before the last part is stored, the cursor is still before the page, and the page is
    /// pulled again.
    @Test func onlyTheLastPartOfAPulledPageMovesTheCursor() async throws {
        let world = try await world(commitsOfPagesMin: 1000, rowsBesideOthers: 4)
        let store = world.replica.store
        let steps = Mutex<[(cursor: String?, objects: Int)]>([])
        store.objects.onCommit {
            let step = try? store.transactions.readOnce { db in
                try db.firstRow("SELECT cursor, (SELECT count(*) FROM objects) FROM pulls") {
                    ($0.textIfAny(0), $0.int(1))
                }
            }
            if let step { steps.withLock { $0.append(step) } }
        }
        _ = try await syncBesideWrite(world)
        let counts = steps.withLock { steps in
            zip(steps.dropFirst(), steps).filter { $0.cursor != $1.cursor }.map(\.0.objects)
        }
        #expect(counts == [20, 30, 40, 50, 60, 70, 80, 90, 95])
        #expect(steps.withLock { $0.contains { $0.objects == 94 } })
    }

    /// The pages before the unreadable one are stored. The unreadable page is not requested again in this sync.
    @Test(arguments: [HandlerTransport.Fault.requestLost, .truncated, .throttled(seconds: 30)])
    func unreadablePageEndsTheSyncAfterEarlierPagesAreStored(_ fault: HandlerTransport.Fault) async throws {
        let world = try await world(commitsOfPagesMin: 0)
        let lists = Mutex(0)
        world.transport.set { method, _, body in
            guard method == "GET", body.contains("updatedAt") else { return nil }
            return lists.withLock { lists in
                lists += 1
                return lists == 6 ? fault : nil
            }
        }
        let outcome = await world.replica.attempt()
        #expect({ if case .failed = outcome { true } else { false } }(), "\(outcome)")
        #expect(lists.withLock { $0 } == 6)
        // The first page comes in a batch, and the failing request is for the seventh page.
        #expect(try world.replica.store.all("Holiday").count == 60)
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        try world.expectEqual()
    }

    /// Once in the middle of the pull, the server returns empty lists. The pull must not count as complete.
    @Test func unexpectedEmptyPageDoesNotCompleteTheFirstPull() async throws {
        let world = try await World.make(pageSize: 10, syncsByItself: false) { hub, clock in
            // All objects have the same update time.
            for n in 0..<Self.count { try await hub.store.create("Holiday", ["n": .int(n)]) }
            clock.advance(.seconds(60))
        }
        let lists = Mutex(0)
        let nothing = #"{"results":[],"count":0}"#
        world.transport.set { method, path, body in
            let isBatch = path.hasSuffix("/batch") && body.contains(#""GET""#)
            guard isBatch || method == "GET" else { return nil }
            guard
                lists.withLock({ lists in
                    lists += 1
                    return lists > 4
                })
            else { return nil }
            let items = Array(repeating: #"{"success":\#(nothing)}"#, count: body.ranges(of: #""GET""#).count)
            return .answer(status: 200, body: isBatch ? "[\(items.joined(separator: ","))]" : nothing)
        }
        _ = await world.replica.attempt()
        let (_, status) = try await world.replica.send("GET /sync/classes/Holiday", clock: world.clock)
        #expect(status["initialSyncComplete"] == false)
        world.transport.heal()
        world.clock.advance(.seconds(60))
        try await world.replica.sync()
        try world.expectEqual()
    }

    /// A later pull compares each page with the stored rows, so the page before must be stored first.
    @Test func pullsAfterTheFirstStoreEachPageInItsOwnTransaction() async throws {
        var commits: [Int] = []
        for commitsOfPagesMin in [0, 1000] {
            let world = try await world(commitsOfPagesMin: commitsOfPagesMin)
            try await world.replica.sync()
            for id in try world.hub.store.all("Holiday").keys.sorted().prefix(40) {
                try await world.hub.store.update("Holiday", id, ["n": -1])
                world.clock.advance(.milliseconds(10))
            }
            world.clock.advance(.seconds(60))
            commits.append(try await sync(world).commits)
            try world.expectEqual()
        }
        #expect(commits[0] == commits[1])
    }
}
