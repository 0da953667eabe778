import ParseModel
import SyncModel
import Testing

/// A merged relation change is equivalent to its parts in order, for the members and in the wire form.
@Suite struct RelationLawTests {
    @Test(arguments: 0..<8 as Range<UInt64>) func aMergedMemberChangeEqualsAllInTurn(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<1000 {
            let members = random.ids()
            let changes = (0...random.count()).map { _ in random.change() }
            let inTurn = changes.reduce(members) { $1.applied(to: $0) }
            let merged = try #require(changes.dropFirst().reduce(changes[0]) { $0?.followed(by: $1) })
            #expect(merged.applied(to: members) == inTurn, "\(changes) on \(members)")
            #expect(merged.applied(to: inTurn) == inTurn, "twice is once")
            #expect(Set(merged.added).isDisjoint(with: merged.removed))

            let operation = FieldOperation.relation(merged)
            let sent = try FieldOperation(json: operation.json, field: "r", className: "Holiday")
            #expect(sent == operation)
            #expect(FieldOperations(stored: ["r": operation.json])["r"] == operation)
        }
    }

    @Test(arguments: 0..<8 as Range<UInt64>) func aBatchOfMemberChangesEqualsItsParts(seed: UInt64) throws {
        var random = SeededRandom(seed: 100 + seed)
        for _ in 0..<500 {
            let members = random.ids()
            let changes = (0...random.count()).map { _ in random.change() }
            let parts = changes.flatMap { change -> [JSONValue] in
                let json = FieldOperation.relation(change).json
                return json.object?["ops"]?.array ?? [json]
            }
            let batch = try FieldOperation(
                json: ["__op": "Batch", "ops": .array(parts)], field: "r", className: "Holiday")
            guard case .relation(let whole) = batch else {
                Issue.record("a batch is a change of a relation")
                return
            }
            #expect(whole.applied(to: members) == changes.reduce(members) { $1.applied(to: $0) }, "\(changes)")
        }
    }

    /// Replaying pending changes over the last known remote members equals applying the changes one by one.
    @Test(arguments: 0..<8 as Range<UInt64>) func pendingMemberChangesAreReplayedInOrder(seed: UInt64) {
        var random = SeededRandom(seed: 200 + seed)
        for _ in 0..<500 {
            let base: Set<String>? = random.chance(4) ? nil : random.ids()
            var expected = base
            var steps: [PendingStep] = []
            for _ in 0...random.count() {
                let step = random.step()
                steps.append(step)
                let changes = step.operations.relationChanges.map(\.change)
                switch step.kind {
                case .delete: if step.phase != .held { expected = nil }
                case .create: expected = changes.reduce(expected ?? []) { $1.applied(to: $0) }
                case .update: expected = expected.map { changes.reduce($0) { $1.applied(to: $0) } }
                }
            }
            let pending = PendingMembers(steps: steps, hasBase: base != nil)
            let members = SeededRandom.allIds.filter {
                let pointer = Pointer(className: "Country", objectId: $0)
                return pending.isMember(.init(field: "r", pointer: pointer), inBase: base?.contains($0) == true)
            }
            #expect(Set(members) == expected ?? [], "\(steps) over \(String(describing: base))")
        }
    }
}

extension SeededRandom {
    fileprivate static let allIds = ["a", "b", "c", "d", "e", "f"]

    fileprivate mutating func count() -> Int { Int.random(in: 0...5, using: &self) }

    fileprivate mutating func ids() -> Set<String> { Set(Self.allIds.filter { _ in chance(2) }) }

    fileprivate mutating func change() -> RelationChange {
        let (added, removed) = (ids().sorted(), ids().sorted())
        return RelationChange(
            memberClass: "Country", added: added, removed: removed.isEmpty && added.isEmpty ? ["a"] : removed)
    }

    fileprivate mutating func step() -> PendingStep {
        var operations = FieldOperations()
        let at = ParseDate(milliseconds: 0)
        switch Int.random(in: 0..<8, using: &self) {
        case 0: return PendingStep(kind: .delete, by: .gateway, phase: chance(2) ? .held : .pending, madeAt: at)
        case 1: operations["n"] = .set(1)
        default: operations["r"] = .relation(change())
        }
        return PendingStep(kind: chance(4) ? .create : .update, by: .gateway, operations: operations, madeAt: at)
    }
}
