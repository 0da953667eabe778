import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import TablesServer
import Testing

/// Tests a server that refuses some tables to this user and serves others.
@Suite("Tables that the server refuses", .timeLimit(.minutes(10)))
struct RefusedTableTests {
    /// Makes a server that answers every request for the table `Budget` with this status. `Budget` is the first class
    /// by name.
    private func world(_ variant: TablesVariant, _ status: Int) async throws -> DatasyncWorld {
        let world = try await DatasyncWorld(variant, others: ["Budget", "Zoo"])
        for table in ["Budget", "Holiday", "Zoo"] { world.server.put(table, "first", ["n": 1]) }
        refuse(in: world, status)
        return world
    }

    private func refuse(in world: DatasyncWorld, _ status: Int) {
        world.server.fail(.answer(status: status, body: #"{"error":"not for you"}"#), times: nil) {
            $0.path.contains("Budget")
        }
    }

    private func shown(_ className: String, in world: DatasyncWorld) throws -> Set<String> {
        Set(try world.store.all(className).keys)
    }

    @Test(arguments: TablesVariant.allCases, [401, 403])
    func aRefusedTableDoesNotStopThePullsOfOthers(_ variant: TablesVariant, status: Int) async throws {
        let world = try await world(variant, status)
        let summary = try await world.sync()
        #expect(try shown("Holiday", in: world) == ["first"])
        #expect(try shown("Zoo", in: world) == ["first"])
        #expect(summary.warnings.contains { $0.contains("Budget") && $0.contains("not for you") })
        let budget = try await world.store.figures().classes.first { $0.name == "Budget" }
        #expect(budget?.refusal?.contains("not for you") == true)
    }

    @Test(arguments: TablesVariant.allCases, [401, 403])
    func changesOfARefusedTableDoNotStopOthers(_ variant: TablesVariant, status: Int) async throws {
        let world = try await world(variant, status)
        for number in 1...30 { try await world.store.create("Budget", ["n": .int(number)]) }
        let id = try await world.store.create("Zoo", ["n": 2])
        let summary = try await world.sync()
        #expect(Set(world.server.live("Zoo").keys) == ["first", id])
        #expect(try shown("Holiday", in: world) == ["first"])
        #expect(try shown("Zoo", in: world) == ["first", id])
        let figures = try await world.store.figures()
        if status == 401 {
            #expect(figures.pending == 30)
            #expect(figures.rejections == 0)
            #expect(summary.warnings.contains { $0.contains("Budget") && $0.contains("not for you") })
        } else {
            #expect(figures.rejections == 30)
        }
    }

    /// Changes of a refused table stay pending, and are sent when the server accepts them.
    @Test(arguments: [TablesVariant.azure, .community])
    func changesOfARefusedTableAreSentOnceItIsServedAgain(_ variant: TablesVariant) async throws {
        let world = try await world(variant, 401)
        let id = try await world.store.create("Budget", ["n": 2])
        for _ in 0..<7 {
            try await world.sync()
            world.clock.advance(.seconds(60))
        }
        world.server.clearFaults()
        try await world.sync()
        #expect(Set(world.server.live("Budget").keys) == ["first", id])
        #expect(try shown("Budget", in: world) == ["first", id])
        let budget = try await world.store.figures().classes.first { $0.name == "Budget" }
        #expect(budget?.refusal == nil)
    }

    /// Before a deletion is believed, known objects of another class are read as a test. The server may have refused
    /// that class since.
    @Test(arguments: [TablesVariant.azureWithoutTombstones, .communityWithoutTombstones], [401, 403])
    func deletionsAreFoundDespiteARefusedTable(_ variant: TablesVariant, status: Int) async throws {
        let world = try await DatasyncWorld(variant, others: ["Budget"])
        for table in ["Budget", "Holiday"] { world.server.put(table, "first", ["n": 1]) }
        world.server.put("Holiday", "second", ["n": 2])
        try await world.sync()
        refuse(in: world, status)
        try await world.sync()
        // Status 401 is about the token, and not about the user's rights. The objects stay visible.
        #expect(try shown("Budget", in: world) == (status == 401 ? ["first"] : []))
        world.server.purge("Holiday", "first")
        // The audit of the newest rows is also due. It reads the newest objects of all classes.
        world.clock.advance(.seconds(600))
        try await world.sync()
        #expect(try shown("Holiday", in: world) == ["second"])
    }

    /// If the server refuses every table, the likely cause is the token.
    @Test(arguments: [TablesVariant.azure, .community])
    func refusalOfEveryTableIsReportedAsUnauthorized(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld(variant, others: ["Budget"])
        world.server.fail(.answer(status: 401, body: #"{"error":"not for you"}"#), times: nil)
        let outcome = await world.engine.sync()
        guard case .failed(.unauthorized(let message)) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(message.contains("not for you"))
    }
}
