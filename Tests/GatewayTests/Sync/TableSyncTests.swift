import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests that the sync engine adapts to the capabilities of a table server.
@Suite("Sync with an in-memory table server")
struct TableSyncTests {
    @Test func changesAreSentToTablesBeforeAnythingIsPulled() async throws {
        let world = try await TableWorld.sharing(["n": 1])
        try await world.store.create("Holiday", ["n": 2])
        try await world.store.update("Holiday", "row", ["n": 3])
        let summary = try await world.sync()
        #expect(summary.pushed == 2)
        // No read precedes the push, because the server refuses a write that is based on an outdated row.
        #expect(world.remote.requests.prefix(3) == ["push create", "push update", "pull"])
        try await world.expectInStep()
    }

    @Test func firstSyncWithTablesReadsOnlyTheServersTimeBeforeItSends() async throws {
        let world = try await TableWorld()
        world.remote.put("Holiday", "row", ["n": 1])
        try await world.store.create("Holiday", ["n": 2])
        try await world.sync()
        #expect(world.remote.requests.prefix(3) == ["serverTime", "push create", "pull"])
        try await world.expectInStep()
    }

    @Test func everyPageOfAClassIsPulled() async throws {
        let world = try await TableWorld(pageMax: 3)
        for n in 1...10 { world.remote.put("Holiday", "row \(n)", ["n": .int(n)]) }
        #expect(try await world.sync().pulled == 10)
        try await world.expectInStep()
    }

    @Test func tableRowsKeepTheLocallyChosenIds() async throws {
        let world = try await TableWorld()
        let id = try await world.store.create("Holiday", ["n": 1])
        try await world.sync()
        #expect(world.remote.fields("Holiday", id) == ["n": 1])
        try await world.store.update("Holiday", id, ["n": ["__op": "Increment", "amount": 4]])
        try await world.sync()
        #expect(world.remote.fields("Holiday", id) == ["n": 5])
        try await world.expectInStep()
    }

    @Test func updateOfATableRowSendsOnlyChangedFields() async throws {
        let world = try await TableWorld.sharing(["a": 1, "b": 1])
        try await world.store.update("Holiday", "row", ["a": ["__op": "Delete"], "c": 3])
        try await world.sync()
        #expect(world.remote.fields("Holiday", "row") == ["b": 1, "c": 3])
        try await world.expectInStep()
    }

    @Test func tombstonesRemoveObjectsWithoutASearchForDeletions() async throws {
        let world = try await TableWorld()
        for n in 1...5 { world.remote.put("Holiday", "row \(n)", ["n": .int(n)]) }
        try await world.sync()
        world.clock.advance(.seconds(30))
        world.remote.forgetRequests()
        // Even the removal of most objects of a class is believed if tombstones report it.
        for n in 1...4 { world.remote.delete("Holiday", "row \(n)") }
        let summary = try await world.sync()
        #expect(summary.removed == 4)
        #expect(summary.heldBack == 0)
        #expect(Set(world.remote.requests) == ["pull"])
        try await world.expectInStep()
    }

    @Test func aLocalDeletionLeavesARemoteTombstone() async throws {
        let world = try await TableWorld.sharing(["n": 1])
        try await world.store.delete("Holiday", "row")
        #expect(try await world.sync().pushed == 1)
        #expect(world.remote.row("Holiday", "row")?.isDeleted == true)
        try await world.expectInStep()
    }

    @Test func softDeletionByDeletedFieldIsSentAsAnUpdate() async throws {
        let world = try await TableWorld.sharing(["n": 1])
        try await world.store.configureClass("Holiday") { options, _ in options.deletedField = "gone" }
        try await world.store.delete("Holiday", "row")
        try await world.sync()
        #expect(world.remote.fields("Holiday", "row") == ["n": 1, "gone": true])
        #expect(try world.store.object("Holiday", "row") == nil)
        #expect(try await world.store.figures().pending == 0)
        #expect(try await world.store.figures().rejections == 0)
    }

    @Test func tableRowVersionsSurviveARestart() async throws {
        var world = try await TableWorld.sharing(["n": 1])
        try await world.restart()
        try await world.store.update("Holiday", "row", ["n": 2])
        try await world.restart()
        world.remote.put("Holiday", "row", ["n": 3])
        // The change is sent with the row version that it is based on, so it cannot overwrite a change made meanwhile.
        #expect(try await world.sync().settled == 1)
        #expect(try world.store.conflicts(resolved: true).first?.remote?.contains("\"n\":3") == true)
        try await world.restart()
        world.remote.forgetRequests()
        try await world.store.update("Holiday", "row", ["n": 4])
        #expect(try await world.sync().settled == 0)
        #expect(world.count("push update") == 1)
        try await world.expectInStep()
    }

    @Test(arguments: [["list": [1, 2]], ["inner": ["a": 1]]] as [JSONObject])
    func nestedValuesForATableAreRejectedWithoutARequest(body: JSONObject) async throws {
        let world = try await TableWorld.sharing(["n": 1])
        let id = try await world.store.create("Holiday", body)
        try await world.store.update("Holiday", "row", ["n": 2])
        let summary = try await world.sync()
        #expect(summary.rejections == 1)
        #expect(summary.pushed == 1)
        #expect(world.count("push create") == 0)
        #expect(try world.store.state("Holiday", id) == .rejected)
        let rejection = try #require(try world.store.rejections().first)
        #expect(rejection.code == 111)
        var corrected: JSONObject = ["text": "1, 2"]
        for field in body.keys { corrected[field] = .null }
        try await world.store.retryRejection(rejection.id, fields: corrected)
        try await world.sync()
        #expect(world.remote.fields("Holiday", id) == ["text": "1, 2"])
        try await world.expectInStep()
    }

    @Test func dateValueIsSentToATable() async throws {
        let world = try await TableWorld.sharing(["n": 1])
        try await world.store.update("Holiday", "row", ["date": ["__type": "Date", "iso": "2027-07-16T00:00:00.000Z"]])
        #expect(try await world.sync().pushed == 1)
        #expect(try world.store.rejections().isEmpty)
        try await world.expectInStep()
    }

    @Test func relationsForATableAreRejectedWithoutARequest() async throws {
        let world = try await TableWorld.sharing(["n": 1])
        let country = Pointer(className: "Country", objectId: "no").json
        let joining: JSONValue = ["__op": "AddRelation", "objects": [country]]
        try await world.store.update("Holiday", "row", ["countries": joining])
        #expect(try await world.sync().rejections == 1)
        #expect(world.count("push update") == 0)
    }

    @Test func operationIdsAreNotSentToTablesThatCannotStoreThem() async throws {
        let world = try await TableWorld.sharing(["n": 1])
        try await world.store.configureClass("Holiday") { options, _ in options.opField = "ops" }
        try await world.store.update("Holiday", "row", ["n": ["__op": "Increment", "amount": 1]])
        try await world.sync()
        #expect(world.remote.fields("Holiday", "row") == ["n": 2])
        try await world.expectInStep()
    }
}
