import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import TablesServer
import Testing

/// Tests pulls of many rows from a table server.
@Suite("Paged pulls from a table server", .timeLimit(.minutes(10)))
struct DatasyncPagingTests {
    private static func rows(_ count: Int) -> [(id: String, fields: JSONObject)] {
        (0..<count).map { (id: "row\($0)", fields: ["n": .int($0)]) }
    }

    /// All rows have the same update time, so every page ends among rows of equal time.
    @Test(arguments: [TablesVariant.azure, .community])
    func tenThousandRowsWithOneUpdateTimeArePulled(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld(variant) { $0.pageSize = 1000 }
        world.server.put("Holiday", Self.rows(10_000))
        try await world.sync()
        #expect(try world.store.all("Holiday").count == 10_000)
    }

    /// The server stores update times more finely than the milliseconds of the protocol, so a cursor cannot name them
    /// exactly.
    @Test(arguments: [TablesVariant.azure, .community])
    func pullEndsDespiteUpdateTimesFinerThanMilliseconds(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld(variant) { $0.pageSize = 5 }
        let time = world.clock.environment.now().milliseconds * 1000
        for n in 0..<40 {
            world.server.put("Holiday", [(id: "row\(n)", fields: ["n": .int(n)])], at: time + Int64(n * 13 % 40) * 20)
        }
        try await world.sync()
        #expect(try world.store.all("Holiday").count == 40)
        world.clock.advance(.seconds(60))
        try await world.settle()
    }

    /// Another client edits rows between the pages of a pull. An edited row moves to the end of the order.
    @Test(arguments: [TablesVariant.azure, .community])
    func pullOfRowsEditedBetweenPagesMissesNoRow(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld(variant) { $0.pageSize = 10 }
        for n in 0..<100 {
            world.server.put("Holiday", "row\(n)", ["n": .int(n)])
            if n % 7 == 0 { world.clock.advance(.milliseconds(3)) }
        }
        world.server.afterEachRequest { [server = world.server, clock = world.clock] request in
            guard request.method == "GET" else { return }
            clock.advance(.milliseconds(2))
            let n = server.requests.count * 17 % 100
            server.put("Holiday", "row\(n)", ["m": .int(server.requests.count)])
        }
        try await world.sync()
        world.server.afterEachRequest(nil)
        try await world.settle()
        #expect(try world.store.all("Holiday").count == 100)
    }

    @Test(arguments: [TablesVariant.azure, .community])
    func pullOfATableSubsetHasOnlyMatchingRows(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld(variant)
        world.server.put("Holiday", Self.rows(20))
        world.server.put("Holiday", "named", ["name": "it's", "n": 3])
        try await world.store.configureClass("Holiday") { _, pulls in
            pulls = [
                NamedPull(
                    name: "part",
                    conditions: ["$or": [["n": ["$gte": 15]], ["name": "it's"]], "done": ["$ne": true]])
            ]
        }
        try await world.sync()
        let expected = Set((15..<20).map { "row\($0)" } + ["named"])
        #expect(try Set(world.store.all("Holiday").keys) == expected)
    }
}
