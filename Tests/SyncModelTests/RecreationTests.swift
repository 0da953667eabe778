import ParseModel
import SyncModelSupport
import Testing

@testable import SyncModel

/// Two replicas create a deleted object again.
@Suite("Recreated objects")
struct RecreationTests {
    private static let ancestor = ObjectState.make(["title": "a", "n": 1])
    private static let increment: JSONObject = ["n": ["__op": "Increment", "amount": 1]]

    /// An object whose create got no answer. A decision asks whether another object, with an id of the remote, is its
    /// result.
    private static func life(creating body: JSONObject, isRecreate: Bool) -> ObjectLife {
        var life = ObjectLife(className: "Holiday", objectId: "local")
        let create = PendingStep(
            kind: .create, by: .gateway, operations: .make(body), phase: .held, madeAt: .made, wasAttempted: true,
            isRecreate: isRecreate)
        life.steps = [ObjectLife.Step(seq: 2, step: create, requestId: "r", attempts: 1)]
        life.replay()
        return life
    }

    private static func context(_ other: ObjectLife? = nil) -> LifeContext {
        var context = LifeContext(now: .changed, author: .gateway) { "r" }
        context.ancestor = ancestor
        context.other = other
        return context
    }

    private static func found(in outcome: LifeOutcome) -> [ConflictRecord] {
        outcome.effects.compactMap { if case .conflictFound(let record) = $0 { record } else { nil } }
    }

    /// A user decides that the object of the other replica is the recreated one. Its row lacks the changes of this
    /// replica.
    @Test func anAdoptedRecreatedObjectGetsTheMissingChanges() throws {
        var life = Self.life(creating: ["title": "a", "n": 2, "mine": true], isRecreate: true)
        let row = RemoteRecord.make(["title": "a", "n": 1, "theirs": true])
        life.conflict = OpenConflict(kind: .ambiguousCreate, candidate: row)
        _ = try life.receive(.decided(keep: "applied", nil), Self.context())
        #expect(life.objectId == "a")
        #expect(life.steps.map(\.step.kind) == [.update])
        #expect(life.view?.fields == ["title": "a", "n": 2, "mine": true, "theirs": true])
    }

    /// The row was not edited after its creation, but another replica has created it.
    @Test func aPendingChangeConflictsWithARecreationByAnotherDevice() throws {
        var life = Self.life(creating: ["title": "a", "n": 0], isRecreate: false)
        life.steps[0].step.phase = .unknown
        life.steps.append(ObjectLife.Step(seq: 3, step: .make(.update, ["b": "mine"]), requestId: "s"))
        life.replay()
        let row = RemoteRecord.make(["title": "a", "n": 2, "b": "theirs"], updatedAt: .made)
        let entry = OutboxEntry(life.steps[0], of: life, awaits: [], unansweredAt: nil, ownMarks: [])
        _ = try life.receive(.settled(entry, .proven(row)), Self.context())
        let found = Self.found(in: try life.receive(.row(row), Self.context()))
        #expect(found.map(\.fields) == [["b"]])
        #expect(found.first?.remote?.fields["b"] == "theirs")
    }

    /// A row of a table has a null in each column without a value. The stored create could not keep a null as a value.
    @Test func aRecreatedObjectOmitsColumnsWithoutAValue() throws {
        var life = ObjectLife(className: "Holiday", objectId: "a")
        life.base = .make(["title": "a", "b": .null])
        life.steps = [ObjectLife.Step(seq: 2, step: .make(.update, ["n": 1]), requestId: "r")]
        life.replay()
        _ = try life.receive(.absent, Self.context())
        _ = try life.receive(.decided(keep: "local", nil), Self.context())
        #expect(life.steps.map(\.step.operations) == [.make(["title": "a", "n": 1])])
        #expect(life.view?.fields == ["title": "a", "n": 1])
    }

    /// A column without a value in the rows is no change of either replica.
    @Test func anAdoptedRecreatedObjectKeepsAValueInAFormerlyEmptyColumn() throws {
        var life = Self.life(creating: ["title": "a", "n": 2], isRecreate: true)
        let row = RemoteRecord.make(["title": "a", "n": 1, "b": "theirs", "c": .null])
        life.conflict = OpenConflict(kind: .ambiguousCreate, candidate: row)
        var context = Self.context()
        context.ancestor = .make(["title": "a", "n": 1, "b": .null, "c": .null])
        let outcome = try life.receive(.decided(keep: "applied", nil), context)
        #expect(life.steps.map(\.step.operations) == [.make(["n": 2])])
        #expect(life.view?.fields["b"] == "theirs")
        #expect(Self.found(in: outcome).isEmpty)
    }

    /// Rows of Community Datasync have no creation time, so an equal `updatedAt` shows nothing.
    @Test func aRemoteEditBeforeTheProofOfACreateIsAConflictWithoutACreationTime() throws {
        var life = Self.life(creating: ["title": "a"], isRecreate: false)
        life.steps[0].step.phase = .unknown
        life.steps.append(ObjectLife.Step(seq: 3, step: .make(.update, ["b": "mine"]), requestId: "s"))
        life.replay()
        var row = RemoteRecord.make(["title": "a", "b": "theirs", "c": .null], updatedAt: .made)
        row.hasCreationTime = false
        let entry = OutboxEntry(life.steps[0], of: life, awaits: [], unansweredAt: nil, ownMarks: [])
        _ = try life.receive(.settled(entry, .proven(row)), Self.context())
        let found = Self.found(in: try life.receive(.row(row), Self.context()))
        #expect(found.map(\.fields) == [["b"]])
    }

    /// The request was applied, and another client deleted the object before a row showed the result.
    @Test(arguments: ["applied", "sendAgain"])
    func aRecreatedObjectContainsAnIncrementOfUnknownOutcome(_ keep: String) throws {
        var life = ObjectLife(className: "Holiday", objectId: "a")
        life.base = Self.ancestor
        let sent = PendingStep.make(.update, Self.increment, phase: .unknown, wasAttempted: true)
        life.steps = [ObjectLife.Step(seq: 2, step: sent, requestId: "r", attempts: 1)]
        life.steps.append(
            ObjectLife.Step(seq: 3, step: .make(.update, ["n": ["__op": "Increment", "amount": 2]]), requestId: "s"))
        life.replay()
        let entry = OutboxEntry(life.steps[0], of: life, awaits: [], unansweredAt: nil, ownMarks: [])
        _ = try life.receive(.settled(entry, .conflict(.wasThisApplied, remote: nil)), Self.context())
        _ = try life.receive(.absent, Self.context())
        _ = try life.receive(.decided(keep: keep, nil), Self.context())
        #expect(life.conflict?.kind == .deletedRemotely)
        _ = try life.receive(.decided(keep: "local", nil), Self.context())
        #expect(life.steps.map(\.step.kind) == [.create])
        #expect(life.view?.fields == ["title": "a", "n": 4])
    }

    /// The request was applied, another client deleted the object, and a third one has created it again with the increment.
    @Test func anIncrementOfUnknownOutcomeIsNotSentToARecreatedObject() throws {
        var life = ObjectLife(className: "Holiday", objectId: "a")
        life.base = Self.ancestor
        let sent = PendingStep.make(.update, Self.increment, phase: .unknown, wasAttempted: true)
        life.steps = [ObjectLife.Step(seq: 2, step: sent, requestId: "r", attempts: 1)]
        life.replay()
        let lost = OutboxEntry(life.steps[0], of: life, awaits: [], unansweredAt: nil, ownMarks: [])
        _ = try life.receive(.settled(lost, .sendAgain), Self.context())
        _ = try life.receive(.absent, Self.context())
        #expect(life.conflict?.kind == .deletedRemotely)
        let row = RemoteRecord.make(["title": "a", "n": 2])
        let deleted = life
        _ = try life.receive(.row(row), Self.context())
        #expect(StepTable.violations(from: deleted, to: life, by: .row(row)) == [])
        #expect(life.conflict == nil)
        #expect(life.steps.map(\.step.phase) == [.unknown])
        // The last known remote state is still the one from before the request.
        let entry = OutboxEntry(life.steps[0], of: life, awaits: [], unansweredAt: nil, ownMarks: [])
        #expect(ProofRules.judge(entry, against: row) == .unprovable)
        _ = try life.receive(.settled(entry, .conflict(.wasThisApplied, remote: row)), Self.context())
        _ = try life.receive(.decided(keep: "applied", nil), Self.context())
        #expect(life.steps.isEmpty)
        #expect(life.view?.fields == ["title": "a", "n": 2])
    }

    /// Another client has created the object again under its own id. The user's decision replaces that client's list,
    /// and the conflict record keeps the list.
    @Test func aListReplacedByARecreationUnderTheSameIdIsRecorded() throws {
        var life = Self.life(creating: ["title": "a", "n": 2, "log": ["mine"]], isRecreate: true)
        life.steps[0].step.idMayBeTaken = true
        life.steps[0].step.phase = .pending
        let row = RemoteRecord(
            className: "Holiday", objectId: "local", createdAt: .changed, updatedAt: .changed,
            fields: ["title": "a", "n": 2, "log": ["theirs"]])
        let question = try #require(Self.found(in: try life.receive(.row(row), Self.context())).first)
        #expect(question.kind == .ambiguousCreate)
        #expect(question.fields.contains("log"))
        #expect(question.remote?.fields["log"] == ["theirs"])
        _ = try life.receive(.decided(keep: "sendAgain", nil), Self.context())
        #expect(life.steps.map(\.step.kind) == [.update])
        #expect(life.steps.map(\.step.operations) == [.make(["log": ["mine"]])])
    }

    /// The user has incremented the second copy, and the recreation sets the number.
    @Test func anIncrementOverwrittenInASecondCopyIsRecorded() throws {
        var copy = ObjectLife(className: "Holiday", objectId: "a")
        copy.base = .make(["title": "a", "n": 5])
        copy.steps = [ObjectLife.Step(seq: 1, step: .make(.update, Self.increment), requestId: "s")]
        copy.replay()
        var life = Self.life(creating: ["title": "a", "n": 2], isRecreate: true)
        life.conflict = OpenConflict(kind: .ambiguousCreate, candidate: .make(["title": "a", "n": 5]))
        let outcome = try life.receive(.decided(keep: "applied", nil), Self.context(copy))
        #expect(life.view?.fields["n"] == 2)
        #expect(Self.found(in: outcome).contains { $0.fields == ["n"] && $0.remote?.fields["n"] == 6 })
    }

    /// The remote still has the object, although its lists did not show the object. The candidate of the conflict is
    /// then another object.
    @Test func aRowUnderTheObjectsOwnIdReplacesTheCandidateOfTheConflict() throws {
        var life = Self.life(creating: ["title": "a"], isRecreate: true)
        life.conflict = OpenConflict(kind: .ambiguousCreate, candidate: .make(["title": "a"]))
        let row = RemoteRecord(
            className: "Holiday", objectId: "local", createdAt: .made, updatedAt: .made, fields: ["title": "a"])
        let outcome = try life.receive(.row(row), Self.context())
        #expect(outcome.effects.contains { if case .copyShown(objectId: "a") = $0 { true } else { false } })
    }
}
