import ParseModel
import StoreSupport
import Testing

/// Tests that the list of pending changes shows a deletion together with the deleted object.
@Suite("Pending deletions in lists of changes")
struct PendingDeletionTests {
    @Test func aPendingDeletionIsListedWithTheRemotesLastState() async throws {
        let world = try await World.make()
        try await world.hub.store.create("Holiday", ["name": "Lantern Night", "n": 1])
        try await world.replica.sync()
        let id = try #require(try world.replica.store.find("Holiday", .init()).objects.first?.objectId)
        expect(try await world.replica.send("PUT /classes/Holiday/\(id)", ["n": 2], clock: world.clock), 200)
        expect(try await world.replica.send("DELETE /classes/Holiday/\(id)", clock: world.clock), 200)
        let (_, answer) = try await world.replica.send("GET /sync/pending", clock: world.clock)
        let waiting = try #require(answer["results"]?.array?.first?.object)
        #expect(waiting["kind"] == "delete")
        #expect(waiting["base"]?.object?["name"] == "Lantern Night")
        #expect(waiting["base"]?.object?["n"] == 1)
    }

    @Test func pendingChangesOtherThanDeletionsAreListedWithoutARemoteState() async throws {
        let world = try await World.make()
        try await world.replica.store.create("Holiday", ["name": "Picnic day"])
        let (_, answer) = try await world.replica.send("GET /sync/pending", clock: world.clock)
        #expect(answer["results"]?.array?.first?.object?["base"] == .null)
    }

    private func expect(_ answer: (Int, JSONObject), _ status: Int) { #expect(answer.0 == status, "\(answer.1)") }
}
