import ParseModel
import SyncModelSupport
import Testing

@testable import SyncModel

@Suite("Rebase of pending changes")
struct RebaseRulesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let why: String
        let base: JSONObject?
        let steps: [PendingStep]
        /// The fields of the remote's row; nil if the object is deleted on the remote.
        let remote: JSONObject?
        let action: RebaseAction
        var isProvisional = false
        /// Whether the row is the state that the acknowledgement named.
        var isEcho = false
        /// Whether the row is unchanged since its creation.
        var isUnedited = false
        var openConflict: ConflictKind?
        var testDescription: String { why }

        init(
            _ why: String, base: JSONObject?, _ steps: [PendingStep], remote: JSONObject?, _ action: RebaseAction,
            isProvisional: Bool = false, isEcho: Bool = false, isUnedited: Bool = false,
            openConflict: ConflictKind? = nil
        ) {
            self.why = why
            self.base = base
            self.steps = steps
            self.remote = remote
            self.action = action
            self.isProvisional = isProvisional
            self.isEcho = isEcho
            self.isUnedited = isUnedited
            self.openConflict = openConflict
        }
    }

    private static let increment: JSONValue = ["__op": "Increment", "amount": 1]
    private static let unset: JSONValue = ["__op": "Delete"]
    private static func add(_ element: JSONValue) -> JSONValue { ["__op": "AddUnique", "objects": [element]] }

    private static let relation: JSONValue = ["__type": "Relation", "className": "Country"]
    private static let addMember: JSONValue = [
        "__op": "AddRelation", "objects": [Pointer(className: "Country", objectId: "c").json],
    ]

    static let edits: [Case] = [
        Case(
            "other fields follow the remote", base: ["n": 1], [.make(.update, ["n": 2])], remote: ["n": 1, "m": 1],
            .replay),
        Case(
            "nothing but the time has changed", base: ["n": 1], [.make(.update, ["n": 2])], remote: ["n": 1],
            .replay),
        Case(
            "both set a field", base: ["n": 1], [.make(.update, ["n": 2])], remote: ["n": 3],
            .settle(.fields, fields: ["n"], by: .local)),
        Case(
            "both set it to the same", base: ["n": 1], [.make(.update, ["n": 2])], remote: ["n": 2],
            .replay),
        Case(
            "both added a field", base: [:], [.make(.update, ["n": 2])], remote: ["n": 3],
            .settle(.fields, fields: ["n"], by: .local)),
        Case(
            "set here, removed there", base: ["n": 1], [.make(.update, ["n": 2])], remote: [:],
            .settle(.fields, fields: ["n"], by: .local)),
        Case(
            "removed here, set there", base: ["n": 1], [.make(.update, ["n": unset])], remote: ["n": 2],
            .settle(.fields, fields: ["n"], by: .local)),
        Case(
            "removed on both sides", base: ["n": 1], [.make(.update, ["n": unset])], remote: [:],
            .replay),
        Case(
            "sums just replay", base: ["n": 1], [.make(.update, ["n": increment])], remote: ["n": 9],
            .replay),
        Case(
            "arrays just replay", base: ["l": [1]], [.make(.update, ["l": add(2)])], remote: ["l": [1, 3]],
            .replay),
        Case(
            "a relation field that the row leaves out is no edit", base: ["n": 1, "r": relation],
            [.make(.update, ["r": addMember])], remote: ["n": 1], .replay),
        Case(
            "a relation field that the class has got is no edit", base: ["n": 1], [.make(.update, ["r": addMember])],
            remote: ["n": 1, "r": relation], .replay),
        Case(
            "a field that is a relation no longer", base: ["r": relation], [.make(.update, ["r": addMember])],
            remote: ["r": 1], .settle(.fields, fields: ["r"], by: .local)),
        Case(
            "every overridden field, each once, in order", base: ["n": 1, "m": 1, "k": 1, "l": [1]],
            [.make(.update, ["m": 2, "l": add(2), "n": 2]), .make(.update, ["n": 4, "k": 5])],
            remote: ["n": 3, "m": 3, "k": 1, "l": []], .settle(.fields, fields: ["m", "n"], by: .local)),
        Case(
            "a later step takes the difference back", base: ["n": 1],
            [.make(.update, ["n": 2]), .make(.update, ["n": 3])], remote: ["n": 3], .replay),
        Case(
            "the class has got a relation", base: ["n": 1], [.make(.delete)],
            remote: ["n": 1, "l": ["__type": "Relation", "className": "City"]], .replay, isEcho: true),
        Case(
            "somebody has added the first member of a relation", base: ["n": 1], [.make(.delete)],
            remote: ["n": 1, "l": ["__type": "Relation", "className": "City"]], .openConflict(.deletedLocally)),
        Case(
            "the acknowledged row has another client's value", base: ["n": 1], [.make(.update, ["n": 2])],
            remote: ["n": 3], .settle(.fields, fields: ["n"], by: .local), isProvisional: true, isEcho: true),
        Case(
            "the acknowledged row has another client's field", base: ["n": 1], [.make(.update, ["m": 2])],
            remote: ["n": 1, "m": 3], .settle(.fields, fields: ["m"], by: .local), isProvisional: true, isEcho: true),
        Case(
            "the acknowledged row has the URL of a file", base: ["f": ["__type": "File", "name": "a.txt"]],
            [.make(.update, ["f": .null])],
            remote: ["f": ["__type": "File", "name": "a.txt", "url": "http://localhost/a.txt"]],
            .replay, isProvisional: true, isEcho: true),
        Case(
            "another edit of what was just acknowledged", base: ["n": 1], [.make(.update, ["n": 2])],
            remote: ["n": 3], .settle(.fields, fields: ["n"], by: .local), isProvisional: true),
        Case(
            "the row of a create that arrived, edited by somebody since", base: nil,
            [.make(.create, ["n": 1], wasAttempted: true)], remote: ["n": 2], .replay),
        Case(
            "the same, and edited here since", base: nil,
            [.make(.create, ["n": 1, "m": 1], wasAttempted: true), .make(.update, ["n": 3, "m": 3])],
            remote: ["n": 2, "m": 1], .settle(.fields, fields: ["n"], by: .local)),
        Case(
            "somebody else has made an object of the same id", base: nil, [.make(.create, ["n": 1, "m": 1])],
            remote: ["n": 2, "m": 1], .settle(.fields, fields: ["n"], by: .local)),
        Case(
            "a refused change is rebased like another one", base: ["n": 1],
            [.make(.update, ["n": 2], phase: .rejected)],
            remote: ["n": 3], .settle(.fields, fields: ["n"], by: .local)),
    ]

    static let deletions: [Case] = [
        Case(
            "deleted here, untouched there", base: ["n": 1], [.make(.delete)], remote: ["n": 1],
            .replay),
        Case(
            "deleted here, edited there", base: ["n": 1], [.make(.delete)], remote: ["n": 2],
            .openConflict(.deletedLocally)),
        Case(
            "deleted here after a push of an edit", base: ["n": 1], [.make(.delete)], remote: ["n": 1],
            .replay, isProvisional: true, isEcho: true),
        Case(
            "deleted here, and the acknowledged row has another client's field", base: ["n": 1], [.make(.delete)],
            remote: ["n": 1, "m": 2], .openConflict(.deletedLocally), isProvisional: true, isEcho: true),
        Case(
            "deleted here, and the acknowledged row has the URL of a file and no null",
            base: ["f": ["__type": "File", "name": "a.txt"], "m": .null], [.make(.delete)],
            remote: ["f": ["__type": "File", "name": "a.txt", "url": "http://localhost/a.txt"]],
            .replay, isProvisional: true, isEcho: true),
        Case(
            "deleted here after a push, edited there since", base: ["n": 1], [.make(.delete)], remote: ["n": 2],
            .openConflict(.deletedLocally), isProvisional: true),
        Case(
            "deleted here, edited there twice", base: ["n": 2], [.make(.delete, phase: .held)], remote: ["n": 2],
            .openConflict(.deletedLocally), openConflict: .deletedLocally),
        Case(
            "deleted here after a rejection of its create, and edited there", base: nil, [.make(.delete)],
            remote: ["n": 2], .openConflict(.deletedLocally)),
        Case(
            "deleted here after a rejection of its create, and untouched there", base: nil, [.make(.delete)],
            remote: ["n": 2], .replay, isUnedited: true),
        Case("deleted on both sides", base: ["n": 1], [.make(.delete)], remote: nil, .remove),
        Case(
            "deleted there while a person decides about ours", base: ["n": 1], [.make(.delete, phase: .held)],
            remote: nil, .remove, openConflict: .deletedLocally),
        Case(
            "edited here, deleted there", base: ["n": 1], [.make(.update, ["n": 2])], remote: nil,
            .openConflict(.deletedRemotely)),
        Case(
            "still deleted there", base: ["n": 1], [.make(.update, ["n": 2], phase: .held)], remote: nil,
            .openConflict(.deletedRemotely), openConflict: .deletedRemotely),
        Case(
            "back again there", base: ["n": 1], [.make(.update, ["n": 2], phase: .held)], remote: ["n": 1],
            .replay, openConflict: .deletedRemotely),
        Case("not made there yet", base: nil, [.make(.create, ["n": 1])], remote: nil, .keep),
    ]

    /// While a request has no outcome, the base (the last known remote state) must not change, because the outcome is
    /// judged by comparison with this base.
    static let frozen: [Case] = [
        Case(
            "an edit on its way", base: ["n": 1], [.make(.update, ["n": 2], phase: .inFlight)], remote: ["n": 3], .keep),
        Case(
            "an edit of unknown outcome", base: ["n": 1], [.make(.update, ["n": 2], phase: .unknown)],
            remote: ["n": 3], .keep),
        Case(
            "on its way, and more work behind it", base: ["n": 1],
            [.make(.update, ["n": 2], phase: .inFlight), .make(.update, ["m": 2])], remote: ["m": 3], .keep),
        Case(
            "gone while it is on its way", base: ["n": 1], [.make(.update, ["n": 2], phase: .inFlight)], remote: nil,
            .keep),
        Case("a deletion of unknown outcome", base: ["n": 1], [.make(.delete, phase: .unknown)], remote: nil, .keep),
    ]

    @Test(arguments: edits + deletions + frozen) func eachRebaseOfPendingChangesHasTheExpectedResult(_ item: Case) {
        var life = ObjectLife(className: "Holiday", objectId: "a")
        life.base = item.base.map(ObjectState.make)
        life.baseIsProvisional = item.isProvisional
        life.steps = item.steps.map { ObjectLife.Step(step: $0, requestId: "r") }
        life.conflict = item.openConflict.map { OpenConflict(kind: $0) }
        let updatedAt: ParseDate = item.isUnedited ? .made : item.isEcho ? .based : .changed
        let row = item.remote.map { RemoteRecord.make($0, updatedAt: updatedAt) }
        let context = LifeContext(now: .changed, author: .gateway) { "r" }
        #expect(RebaseRules.decide(life, row, context) == item.action)
    }
}
