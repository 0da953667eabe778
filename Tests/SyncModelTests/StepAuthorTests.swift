import ParseModel
import SyncModelSupport
import Testing

@testable import SyncModel

/// Local writes of two authors on one object.
@Suite("Pending changes of two authors")
struct StepAuthorTests {
    private static let other = AuthorKey(key: 2)

    private static func known(_ fields: JSONObject = ["n": 1]) -> ObjectLife {
        var life = ObjectLife(className: "Holiday", objectId: "a")
        life.base = .make(fields)
        life.replay()
        return life
    }

    private static func receive(
        _ event: LifeEvent, _ life: inout ObjectLife, as author: AuthorKey,
        _ change: (inout LifeContext) -> Void = { _ in }
    ) throws -> LifeOutcome {
        var context = LifeContext(now: .changed, author: author) { "r" }
        change(&context)
        let before = life
        let outcome = try life.receive(event, context)
        var seq = before.steps.compactMap(\.seq).max() ?? 0
        for index in life.steps.indices where life.steps[index].seq == nil {
            seq += 1
            life.steps[index].seq = seq
        }
        #expect(StepTable.violations(from: before, to: life, by: event) == [])
        return outcome
    }

    private static func edit(_ body: JSONObject, _ life: inout ObjectLife, as author: AuthorKey) throws {
        _ = try receive(.edited(.make(body), stale: nil), &life, as: author)
    }

    private static func steps(of life: ObjectLife) -> [String] {
        life.steps.map { "\($0.step.author.key) \($0.step.kind) \($0.step.operations.json.jsonText)" }
    }

    @Test func anEditByAnotherAuthorIsASeparatePendingChange() throws {
        var life = Self.known()
        try Self.edit(["n": 2], &life, as: .gateway)
        try Self.edit(["n": 3], &life, as: Self.other)
        try Self.edit(["m": 4], &life, as: Self.other)
        try Self.edit(["n": 5], &life, as: .gateway)
        #expect(
            Self.steps(of: life) == [#"1 update {"n":2}"#, #"2 update {"n":3,"m":4}"#, #"1 update {"n":5}"#])
        #expect(life.view?.fields == ["n": 5, "m": 4])
    }

    @Test func aDeletionKeepsTheUpdatesOfAnotherAuthor() throws {
        var life = Self.known()
        try Self.edit(["n": 2], &life, as: .gateway)
        try Self.edit(["n": 3], &life, as: Self.other)
        _ = try Self.receive(.deleted(stale: nil), &life, as: Self.other)
        #expect(Self.steps(of: life) == [#"1 update {"n":2}"#, "2 delete {}"])
        #expect(life.view == nil)
    }

    @Test func aDeletionOfAnotherAuthorsCreateIsSent() throws {
        var life = ObjectLife(className: "Holiday", objectId: "a")
        _ = try Self.receive(.created(.make(["n": 1]), hasChosenId: false), &life, as: .gateway)
        _ = try Self.receive(.deleted(stale: nil), &life, as: Self.other)
        #expect(Self.steps(of: life) == [#"1 create {"n":1}"#, "2 delete {}"])
    }

    @Test func aDeletionOfAnUnansweredCreateIsSentByItsCreator() throws {
        var life = ObjectLife(className: "Holiday", objectId: "a")
        _ = try Self.receive(.created(.make(["n": 1]), hasChosenId: false), &life, as: Self.other)
        let outcome = try Self.receive(.undone(seq: 1), &life, as: .gateway) { $0.isUnanswered = true }
        #expect(outcome.effects == [])
        #expect(Self.steps(of: life) == ["2 delete {}"])
    }

    /// Both parts of a split create belong to the same author.
    @Test func bothPartsOfASplitCreateKeepTheirAuthor() throws {
        var life = ObjectLife(className: "Holiday", objectId: "a")
        _ = try Self.receive(.created(.make(["n": 1, "m": 2]), hasChosenId: false), &life, as: Self.other)
        let entry = OutboxEntry(life.steps[0], of: life, awaits: [], unansweredAt: nil, ownMarks: [])
        _ = try Self.receive(.split(entry, deferring: ["m"]), &life, as: .gateway)
        #expect(Self.steps(of: life) == [#"2 create {"n":1}"#, #"2 update {"m":2}"#])
    }

    @Test func aRefusedChangeCannotBeCorrectedByAnotherAuthor() throws {
        var life = Self.known()
        try Self.edit(["n": 2], &life, as: .gateway)
        let entry = OutboxEntry(life.steps[0], of: life, awaits: [], unansweredAt: nil, ownMarks: [])
        _ = try Self.receive(.chosen(entry, serverTime: .based), &life, as: .gateway)
        let refused = Settlement.rejected(code: 111, message: "no", wasAttempted: false)
        _ = try Self.receive(.settled(entry, refused), &life, as: .gateway)
        try Self.edit(["n": 3], &life, as: Self.other)
        #expect(life.steps.map(\.step.phase) == [.rejected, .pending])
        try Self.edit(["n": 4], &life, as: Self.other)
        #expect(Self.steps(of: life) == [#"1 update {"n":2}"#, #"2 update {"n":4}"#])
    }

    /// The sync of one author pulls the row, which conflicts with a change of another author.
    @Test func aConflictBelongsToTheAuthorOfTheChange() throws {
        var life = Self.known()
        try Self.edit(["n": 2], &life, as: Self.other)
        let outcome = try Self.receive(.row(.make(["n": 3])), &life, as: .gateway) { $0.options.policy = .manual }
        let record = outcome.effects.compactMap { effect in
            if case .conflictFound(let record) = effect { record } else { nil }
        }.first
        #expect(record?.author == Self.other)
        _ = try Self.receive(.decided(keep: "local", Correction(operations: .make(["m": 1]))), &life, as: Self.other)
        #expect(Self.steps(of: life) == [#"2 update {"n":2,"m":1}"#])
    }

    @Test func givingUpARefusedCreateKeepsTheChangesOfAnotherAuthor() throws {
        var life = ObjectLife(className: "Holiday", objectId: "a")
        _ = try Self.receive(.created(.make(["n": 1]), hasChosenId: false), &life, as: .gateway)
        let entry = OutboxEntry(life.steps[0], of: life, awaits: [], unansweredAt: nil, ownMarks: [])
        _ = try Self.receive(.chosen(entry, serverTime: .based), &life, as: .gateway)
        _ = try Self.receive(
            .settled(entry, .rejected(code: 111, message: "no", wasAttempted: false)), &life, as: .gateway)
        try Self.edit(["m": 3], &life, as: Self.other)
        try Self.edit(["n": 4], &life, as: .gateway)
        _ = try Self.receive(.givenUp(seq: 1), &life, as: .gateway)
        #expect(Self.steps(of: life) == [#"2 create {"m":3}"#])
        #expect(life.view?.fields == ["m": 3])
    }

    /// The sync of one author finds that the object is missing. The edit of another author wins and creates it again.
    @Test func anObjectIsRecreatedByTheAuthorOfTheEdit() throws {
        var life = Self.known()
        try Self.edit(["n": 2], &life, as: Self.other)
        let outcome = try Self.receive(.absent, &life, as: .gateway) { $0.options.policy = .local }
        #expect(outcome.tally.settled == 1)
        #expect(Self.steps(of: life) == [#"2 create {"n":2}"#])
    }

    @Test func anAcknowledgedStateBelongsToTheSenderUntilARowIsPulled() throws {
        var life = Self.known()
        for author in [AuthorKey.gateway, Self.other] {
            try Self.edit(["n": .int(Int(author.key))], &life, as: author)
            let entry = OutboxEntry(life.steps[0], of: life, awaits: [], unansweredAt: nil, ownMarks: [])
            _ = try Self.receive(.chosen(entry, serverTime: .based), &life, as: author)
            let answer = Acknowledgement(objectId: "a", createdAt: nil, updatedAt: .changed, echoed: [:])
            _ = try Self.receive(.settled(entry, .acknowledged(answer)), &life, as: author)
            #expect(life.provisionalAs == author)
        }
        try Self.edit(["n": 7], &life, as: .gateway)
        #expect(life.provisionalAs == Self.other)
        _ = try Self.receive(.row(.make(["n": 2])), &life, as: .gateway)
        #expect(life.provisionalAs == nil)
    }
}
