import LocalStore
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import Testing

/// Tests pulls of subsets in many pages, with changes of the options between the pages.
@Suite("Pulls of subsets in several pages")
struct PagedSubsetTests {
    private let world: World

    init() async throws {
        world = try await World.make(pageMax: 4, pageSize: 10)
        try await world.replica.sync()
        for n in 0..<30 {
            try await world.hub.store.create("Holiday", ["n": .int(n), "text": .string("text \(n)")])
            world.clock.advance(.milliseconds(1))
        }
        world.clock.advance(.seconds(60))
    }

    private func sync() async throws -> SyncSummary {
        world.clock.advance(.seconds(60))
        return try await world.replica.sync()
    }

    private func numbers() throws -> [Int] {
        try world.replica.store.all("Holiday").values.compactMap { $0["n"]?.int }.sorted()
    }

    /// Sets class options while the request for a page is in flight.
    private func set(_ options: JSONObject, duringPage number: Int) async throws {
        let gate = world.transport.close(after: number)
        async let outcome = world.replica.sync()
        await gate.untilReached()
        try await world.replica.set(options)
        gate.open()
        _ = try await outcome
    }

    @Test func allRowsOfTwoNamedPullsArePulledDespiteShortPages() async throws {
        try await world.replica.set([
            "pulls": [["name": "low", "where": ["n": ["$lt": 12]]], ["name": "high", "where": ["n": ["$gte": 20]]]]
        ])
        #expect(try await sync().pulled == 22)
        #expect(try numbers() == Array(0..<12) + Array(20..<30))
        _ = try await sync()
        #expect(try await sync().requests == 1)
    }

    @Test(arguments: [0, 2]) func pullKeysChangedBetweenPagesApplyToAllRows(page: Int) async throws {
        try await world.replica.set(["pulls": [["name": "all", "keys": ["n"]]]])
        try await set(["pulls": [["name": "all", "keys": ["n", "text"]]]], duringPage: page)
        for _ in 0..<2 { _ = try await sync() }
        #expect(try world.replica.store.all("Holiday").values.count { $0["text"] != nil } == 30)
        try world.expectEqual()
    }

    @Test(arguments: [0, 2]) func pullConditionsChangedBetweenPagesApplyToAllRows(page: Int) async throws {
        try await world.replica.set(["pulls": [["name": "some", "where": ["n": ["$gte": 10]]]]])
        try await set(["pulls": [["name": "some", "where": ["n": ["$lt": 15]]]]], duringPage: page)
        for _ in 0..<2 { _ = try await sync() }
        #expect(try numbers() == Array(0..<15))
        #expect(try await sync().requests == 1)
    }

    @Test(arguments: [0, 2]) func deletedFieldSetBetweenPagesHidesRowsThatWereAlreadyPulled(page: Int) async throws {
        let id = try #require(try world.hub.store.all("Holiday").first { $0.value["n"] == 0 }?.key)
        let last = try #require(try world.hub.store.all("Holiday").first { $0.value["n"] == 29 }?.key)
        for id in [id, last] { try await world.hub.store.update("Holiday", id, ["isDeleted": true]) }
        try await world.replica.set(["pulls": [["name": "all", "where": ["n": ["$gte": 0]]]]])
        try await set(["deletedField": "isDeleted"], duringPage: page)
        for _ in 0..<2 { _ = try await sync() }
        #expect(try numbers() == Array(1..<29))
    }
}
