import LocalStore
import ParseModel
import RemoteHTTP
import StoreSupport
import SyncEngine
import TablesServer
import Testing

/// Tests a table whose rows belong to users. The server hides the rows of other users, and answers about them as if
/// they did not exist.
@Suite("Table rows that belong to users", .timeLimit(.minutes(10)))
struct DatasyncUserTests {
    /// Makes a replica of the user ada that has synced her row `row`. The server also has the row `bobs` of another
    /// user.
    private func world(_ variant: TablesVariant) async throws -> DatasyncWorld {
        let users = TablesServer.Users(tokens: ["token": "ada", "other": "bob"])
        let world = try await DatasyncWorld(variant, token: FixedToken("token"), users: users) {
            $0.ownsRowsByUser = true
        }
        world.server.put("Holiday", "row", ["n": 1, "userId": "ada"])
        world.server.put("Holiday", "bobs", ["n": 7, "userId": "bob"])
        try await world.sync()
        world.clock.advance(.seconds(30))
        return world
    }

    @Test(arguments: TablesVariant.allCases)
    func tableRowsOfAnotherUserAreNotPulled(_ variant: TablesVariant) async throws {
        let world = try await world(variant)
        #expect(try Set(world.store.all("Holiday").keys) == ["row"])
        try await world.store.update("Holiday", "row", ["n": 2])
        let id = try await world.store.create("Holiday", ["n": 3])
        world.server.put("Holiday", "bobs", ["n": 8, "userId": "bob"])
        try await world.sync()
        world.clock.advance(.seconds(60))
        try await world.sync()
        #expect(world.live["row"]?["n"] == 2)
        #expect(world.live[id]?["n"] == 3 && world.live[id]?["userId"] == "ada")
        #expect(world.live["bobs"]?["n"] == 8)
        #expect(try Set(world.store.all("Holiday").keys) == ["row", id])
        #expect(try await world.store.figures().pending == 0)
    }

    /// The replica handles the lost row like a deleted one. A pending edit of the row becomes a conflict.
    @Test(arguments: TablesVariant.allCases, [false, true])
    func tableRowGivenToAnotherUserIsNotOverwritten(_ variant: TablesVariant, isEdited: Bool) async throws {
        let world = try await world(variant)
        world.server.put("Holiday", "row", ["n": 5, "userId": "bob"])
        if isEdited { try await world.store.update("Holiday", "row", ["n": 2]) }
        for _ in 0..<3 {
            _ = await world.engine.sync(.full)
            world.clock.advance(.seconds(26 * 60 * 60))
        }
        #expect(world.live["row"]?["n"] == 5 && world.live["row"]?["userId"] == "bob")
        let figures = try await world.store.figures()
        #expect(figures.pending == 0 && figures.rejections == 0)
        #expect(figures.conflicts == (isEdited ? 1 : 0))
        #expect(try world.store.all("Holiday").mapValues { $0["n"] } == (isEdited ? ["row": 2] : [:]))
        #expect(try world.store.invariantViolations() == [])
    }
}
