import ParseModel
import RemoteService
import SyncModel
import SyncModelSupport
import Testing

@testable import SyncEngine

@Suite("Operation ids")
struct OperationIdsTests {
    private let ids = OperationIds(replicaId: "me")

    private func increment(ids: [String]) -> OutboxEntry {
        .make("a", .make(.update, ["n": ["__op": "Increment", "amount": 1]]), base: ["n": 1], ownMarks: ids)
    }

    @Test func incrementCarriesItsId() {
        let entry = increment(ids: [])
        #expect(ids.marked(entry, in: "ops")["ops"] == .addUnique(["me:1"]))
    }

    @Test func repeatableChangeRemovesOldIds() {
        let entry = OutboxEntry.make("a", .make(.update, ["n": 2]), base: [:], ownMarks: ["me:1"])
        #expect(ids.marked(entry, in: "ops")["ops"] == .remove(["me:1"]))
    }

    @Test func manyOldIdsAreRemovedAndForeignIdsStay() throws {
        let own = (1...OperationIds.ownMax).map { "me:\($0)" }
        #expect(ids.cleanup(increment(ids: Array(own.dropLast())), in: "ops", requestId: "other") == nil)
        let cleanup = try #require(ids.cleanup(increment(ids: own), in: "ops", requestId: "other"))
        #expect(cleanup.requestId == "other")
        #expect(cleanup.operations["ops"] == .remove(own.map(JSONValue.string)))
    }
}
