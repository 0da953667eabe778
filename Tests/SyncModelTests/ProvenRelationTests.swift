import ParseModel
import SyncModelSupport
import Testing

@testable import SyncModel

/// A row proves the values of a request, and does not show the members of relations.
@Suite("Relation changes in a proven request")
struct ProvenRelationTests {
    private static func context() -> LifeContext {
        var context = LifeContext(now: .changed, author: .gateway) { "r" }
        context.replicaId = "replica"
        context.options.opField = "ops"
        return context
    }

    private static func receive(_ event: LifeEvent, _ life: inout ObjectLife) throws {
        let before = life
        _ = try life.receive(event, context())
        var seq = before.steps.compactMap(\.seq).max() ?? 0
        for index in life.steps.indices where life.steps[index].seq == nil {
            seq += 1
            life.steps[index].seq = seq
        }
        #expect(StepTable.violations(from: before, to: life, by: event) == [])
    }

    /// The member changes that remain of a proven change become a new change with a new operation id. With the old id,
    /// which the row contains, the row would prove them too.
    @Test func memberChangesThatRemainAfterAProofHaveAnotherOperationId() throws {
        var life = ObjectLife(className: "Holiday", objectId: "a")
        life.base = .make(["n": 1])
        life.replay()
        let member: JSONObject = [
            "__op": "AddRelation", "objects": [["__type": "Pointer", "className": "Country", "objectId": "c"]],
        ]
        try Self.receive(
            .edited(.make(["n": ["__op": "Increment", "amount": 1], "countries": .object(member)]), stale: nil), &life)
        let first = try #require(life.steps.first)
        var entry = OutboxEntry(first, of: life, awaits: [], unansweredAt: nil, ownMarks: [])
        entry.markedIn = "ops"
        try Self.receive(.chosen(entry, serverTime: .changed), &life)
        try Self.receive(.settled(entry, .unknown(reason: "no answer", at: .changed)), &life)
        try Self.receive(.edited(.make(["m": 1]), stale: nil), &life)
        try Self.receive(.settled(entry, .proven(.make(["n": 2, "ops": ["replica:1"]]))), &life)
        let numbers = life.steps.compactMap(\.seq)
        #expect(!numbers.contains(try #require(first.seq)))
        #expect(numbers == numbers.sorted())
        #expect(life.steps.map(\.step.operations.fields) == [["countries"], ["m"]])
    }
}
