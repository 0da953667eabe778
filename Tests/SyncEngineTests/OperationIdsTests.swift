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

    @Test func anIncrementIsSentWithItsOperationId() {
        let entry = increment(ids: [])
        #expect(ids.marked(entry, in: "ops")["ops"] == .addUnique(["me:1"]))
    }

    @Test func anIdempotentChangeRemovesOldOperationIds() {
        let entry = OutboxEntry.make("a", .make(.update, ["n": 2]), base: [:], ownMarks: ["me:1"])
        #expect(ids.marked(entry, in: "ops")["ops"] == .remove(["me:1"]))
    }

    /// A later request may have replaced the id in a text field, so a missing operation id in a text field proves
    /// nothing.
    @Test func aTextFieldHoldsTheLatestOperationId() {
        var ids = ids
        ids.form = .text
        var entry = increment(ids: ["me:0"])
        #expect(ids.marked(entry, in: "op")["op"] == .set("me:1"))
        let own = (1...OperationIds.ownMax).map { "me:\($0)" }
        #expect(ids.cleanup(increment(ids: own), in: "op", requestId: "r") == nil)
        entry.markedIn = "op"
        let row = { (fields: JSONObject) in RemoteRecord.make(fields) }
        #expect(ids.mark(of: entry, in: row(["op": "me:1"])) == true)
        #expect(ids.mark(of: entry, in: row(["op": "you:7"])) == nil)
        let create = OutboxEntry.make("a", .make(.create, ["n": 1]), base: nil)
        #expect(ids.marked(create, in: "op")["op"] == nil)
    }

    @Test func oldOperationIdsAreRemovedAndThoseOfOtherReplicasStay() throws {
        let own = (1...OperationIds.ownMax).map { "me:\($0)" }
        #expect(ids.cleanup(increment(ids: Array(own.dropLast())), in: "ops", requestId: "other") == nil)
        let cleanup = try #require(ids.cleanup(increment(ids: own), in: "ops", requestId: "other"))
        #expect(cleanup.requestId == "other")
        #expect(cleanup.operations["ops"] == .remove(own.map(JSONValue.string)))
    }
}
