import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import TablesServer
import Testing

/// Tests answers that a table server does not send itself, such as web pages of proxies, and answers about missing
/// columns.
@Suite("Unexpected answers of a table server", .timeLimit(.minutes(10)))
struct DatasyncAnswerTests {
    /// An HTML page does not say whether the server refused the change, whatever its status is.
    @Test(arguments: [400, 403, 404, 405, 413, 502])
    func htmlAnswerOfATableServerRejectsNoChange(status: Int) async throws {
        let world = try await DatasyncWorld.sharing(.azure, ["n": 1])
        world.server.fail(.answer(status: status, body: "<html>This web app is stopped.</html>"), times: nil)
        try await world.store.update("Holiday", "row", ["n": 2])
        let id = try await world.store.create("Holiday", ["n": 3])
        for _ in 0..<3 {
            _ = await world.engine.sync()
            world.clock.advance(.seconds(60))
        }
        #expect(try await world.store.figures().rejections == 0)
        #expect(try world.store.all("Holiday").count == 2)
        world.server.clearFaults()
        try await world.settle()
        #expect(world.live == ["row": ["n": 2], id: ["n": 3]])
    }

    @Test(arguments: ["{}", "[]", #"{"status":"ok"}"#])
    func deletionInATableSucceedsDespiteAnAnswerThatIsNoRow(body: String) async throws {
        let world = try await DatasyncWorld.sharing(.azure, ["n": 1])
        world.server.fail(.answer(status: 200, body: body)) { $0.method == "DELETE" }
        try await world.store.delete("Holiday", "row")
        try await world.settle()
        #expect(world.live.isEmpty)
    }

    /// The replica knows only the pulled fields, so it reads the current value before it sends the increment.
    @Test(arguments: TablesVariant.allCases)
    func incrementOfAnUnpulledFieldStartsAtTheRemoteValue(_ variant: TablesVariant) async throws {
        let world = try await DatasyncWorld(variant)
        world.server.put("Holiday", "row", ["n": 1, "m": 41])
        try await world.store.configureClass("Holiday") { _, pulls in
            pulls = [NamedPull(name: "part", conditions: ["n": ["$gte": 1]], keys: ["n"])]
        }
        try await world.sync()
        try await world.store.update("Holiday", "row", ["m": ["__op": "Increment", "amount": 1]])
        try await world.sync()
        #expect(world.live["row"] == ["n": 1, "m": 42])
    }

    /// A table with dynamic columns answers a filter by an unknown column with an empty list. An empty list must not
    /// count as a deletion.
    @Test func pullFilterByAnUnknownColumnFailsTheSync() async throws {
        let world = try await DatasyncWorld(.azure) { $0.columns = nil }
        world.server.put("Holiday", "row", ["n": 1])
        try await world.store.configureClass("Holiday") { _, pulls in
            pulls = [NamedPull(name: "part", conditions: ["number": ["$gte": 1]])]
        }
        guard case .failed(let error) = await world.engine.sync() else {
            Issue.record("the sync did not fail")
            return
        }
        #expect(error.message.contains("no column number"))
    }
}
