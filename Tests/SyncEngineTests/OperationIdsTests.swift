import ParseModel
import RemoteService
import Testing

@testable import SyncEngine

@Suite("Ids of operations")
struct OperationIdsTests {
    private let ids = OperationIds(replicaId: "me")

    private func increment(ids: [JSONValue]) -> OutboxEntry {
        .make("a", .make(.update, ["n": ["__op": "Increment", "amount": 1]]), base: ["n": 1, "ops": .array(ids)])
    }

    @Test func incrementCarriesItsId() {
        let entry = increment(ids: [])
        #expect(ids.marked(entry, in: "ops")["ops"] == .addUnique(["me:1"]))
    }

    @Test func changeThatMayBeRepeatedTakesOldIdsAway() {
        let entry = OutboxEntry.make("a", .make(.update, ["n": 2]), base: ["ops": ["me:1", "you:1"]])
        #expect(ids.marked(entry, in: "ops")["ops"] == .remove(["me:1"]))
    }

    @Test func oldIdsGoWhereThereAreManyAndOthersStay() throws {
        let own = (1...OperationIds.ownMax).map { JSONValue.string("me:\($0)") }
        #expect(ids.tidying(increment(ids: Array(own.dropLast())), in: "ops", requestId: "other") == nil)
        let tidying = try #require(ids.tidying(increment(ids: own + ["you:1"]), in: "ops", requestId: "other"))
        #expect(tidying.requestId == "other")
        #expect(tidying.operations["ops"] == .remove(own))
        // A remote without field operations is sent what they result in.
        #expect(tidying.merged == ["n": 1, "ops": ["you:1"]])
    }
}
