import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests the texts of the local API about requests of unknown outcome and about rejections.
@Suite("API texts about conflicts and rejections")
struct QuestionWordsTests {
    private let world: World
    private let id: String

    init() async throws {
        world = try await World.make()
        id = try await world.hub.store.create("Holiday", ["n": 1])
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
    }

    private func list(_ path: String) async throws -> [JSONObject] {
        try await world.replica.send("GET \(path)", clock: world.clock).1["results"]?.array?.compactMap(\.object) ?? []
    }

    @Test func conflictAboutAnIncrementNamesTheAmountAndIsListedAsPending() async throws {
        try await world.replica.store.update("Holiday", id, ["n": ["__op": "Increment", "amount": 7]])
        world.transport.once(.requestLost) { method, _, _ in method == "PUT" }
        try await world.replica.sync()
        try await world.hub.store.update("Holiday", id, ["name": "theirs"])
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        let conflict = try #require(try await list("/sync/conflicts").first)
        #expect(conflict["kind"] == "wasThisApplied")
        #expect(conflict["operations"] == ["n": ["__op": "Increment", "amount": 7]])
        let pending = try #require(try await list("/sync/pending").first)
        #expect(pending["phase"] == "held")
        #expect(pending["operations"] == conflict["operations"])
        _ = try await world.replica.send(
            "POST /sync/conflicts/\(conflict["id"]?.jsonText ?? "")", ["keep": "sendAgain"], clock: world.clock)
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        #expect(try await list("/sync/pending").isEmpty)
        #expect(try await list("/sync/conflicts?state=resolved").first?["operations"] == .null)
        #expect(try world.hub.store.fields("Holiday", id)?["n"] == 8)
    }

    @Test func aRefusalWithCode101KeepsTheServersText() async throws {
        try await world.replica.store.update("Holiday", id, ["n": 2])
        world.transport.set { method, _, _ in
            method == "PUT" ? .answer(status: 404, body: #"{"code":101,"error":"Locked by the office."}"#) : nil
        }
        // The known ACL allows the change, so it is sent several times before it is rejected.
        for _ in 0..<6 {
            try await world.replica.sync()
            world.clock.advance(.seconds(5))
        }
        let rejection = try #require(try world.replica.store.rejections().first)
        #expect(rejection.code == 101)
        #expect(rejection.error?.contains("Locked by the office.") == true)
    }
}
