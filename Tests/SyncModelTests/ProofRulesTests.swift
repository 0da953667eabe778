import ParseModel
import SyncModelSupport
import Testing

@testable import SyncModel

@Suite("Proof of an unknown outcome")
struct ProofRulesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let why: String
        let base: JSONObject
        let body: JSONObject
        let row: JSONObject
        let updatedAt: ParseDate
        let verdict: ProofRules.Verdict
        var testDescription: String { why }

        init(
            _ why: String, base: JSONObject = ["n": 1], _ body: JSONObject, row: JSONObject,
            at updatedAt: ParseDate = .changed, _ verdict: ProofRules.Verdict
        ) {
            self.why = why
            self.base = base
            self.body = body
            self.row = row
            self.updatedAt = updatedAt
            self.verdict = verdict
        }
    }

    private static let increment: JSONValue = ["__op": "Increment", "amount": 1]
    private static let unset: JSONValue = ["__op": "Delete"]
    private static let date: JSONValue = ["__type": "Date", "iso": "2024-01-01T00:00:00.000Z"]
    private static func file(_ name: JSONValue, _ url: String? = nil) -> JSONValue {
        var file: JSONObject = ["__type": "File", "name": name]
        if let url { file["url"] = .string(url) }
        return .object(file)
    }

    @Test(arguments: [
        Case("the row holds what was set", ["n": 2, "d": date], row: ["d": date, "n": 2.0, "other": 1], .applied),
        Case("also where nothing else tells of a write", ["n": 1], row: ["n": 1], at: .based, .applied),
        Case("one of two fields is not there", ["n": 2, "m": 2], row: ["n": 2], .mayBeSentAgain),
        Case("somebody set something else since", ["n": 2], row: ["n": 3], .mayBeSentAgain),
        Case("the field is gone, as it should be", ["n": unset], row: [:], .applied),
        Case("a null is as good as gone", ["n": unset], row: ["n": nil], .applied),
        Case("the field is still there", ["n": unset], row: ["n": 1], .mayBeSentAgain),
        Case("keys come in another order", ["o": ["a": 1, "b": 2]], row: ["o": ["b": 2, "a": 1]], .applied),
        Case("elements in another order are another array", ["l": [1, 2]], row: ["l": [2, 1]], .mayBeSentAgain),
        Case(
            "the server adds a file's address", ["f": file("a.txt")], row: ["f": file("a.txt", "http://x/a.txt")],
            .applied),
        Case("another file", ["f": file("a.txt")], row: ["f": file("b.txt", "http://x/b.txt")], .mayBeSentAgain),
        Case("a request with nothing in it", [:], row: ["n": 9], .applied),
        Case("a sum, and no write since", ["n": increment], row: ["n": 1], at: .based, .notApplied),
        Case("a sum that fits, and a write since", ["n": increment], row: ["n": 2], .unprovable),
        Case("a sum that does not fit", ["n": increment], row: ["n": 1], .unprovable),
        Case(
            "an array, and no write since", ["l": ["__op": "AddUnique", "objects": [1]]], row: ["n": 1], at: .based,
            .notApplied),
        Case("a sum beside a field that was set", ["n": increment, "m": 2], row: ["n": 2, "m": 2], .unprovable),
    ])
    func theRemotesRowProvesWhetherAnUpdateWasApplied(_ item: Case) {
        let entry = OutboxEntry.make("a", .make(.update, item.body, phase: .unknown), base: item.base)
        #expect(ProofRules.judge(entry, against: .make(item.row, updatedAt: item.updatedAt)) == item.verdict)
    }

    /// A missing operation id proves that a request was not executed, unless another client has created the object again since.
    @Test(arguments: [
        (true, ParseDate.made, ProofRules.Verdict.applied), (false, .made, .notApplied), (true, .based, .applied),
        (false, .based, .unprovable),
    ])
    func anOperationIdInARowProvesThatARequestWasApplied(
        isThere: Bool, createdAt: ParseDate, verdict: ProofRules.Verdict
    ) {
        let entry = OutboxEntry.make("a", .make(.update, ["n": Self.increment], phase: .unknown), base: ["n": 1])
        let row = RemoteRecord(
            className: "Holiday", objectId: "a", createdAt: createdAt, updatedAt: .changed, fields: ["n": 2])
        #expect(ProofRules.judge(entry, against: row, mark: isThere) == verdict)
    }

    struct Candidate: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: JSONObject
        let row: JSONObject
        let holds: Bool

        init(_ why: String, _ body: JSONObject, row: JSONObject, _ holds: Bool) {
            testDescription = why
            self.body = body
            self.row = row
            self.holds = holds
        }
    }

    /// Tests which of the objects created since then belongs to a create without a client-chosen id.
    @Test(arguments: [
        Candidate("every sent field is equal", ["n": 1, "s": "x"], row: ["s": "x", "n": 1], true),
        Candidate("defaults of the schema do not count", ["n": 1], row: ["n": 1, "level": "default"], true),
        Candidate("a field differs", ["n": 1, "s": "x"], row: ["n": 1, "s": "y"], false),
        Candidate("a field is missing", ["n": 1, "s": "x"], row: ["n": 1], false),
        Candidate("null means absent", ["n": 1, "s": nil], row: ["n": 1], true),
        Candidate("a sum began with nothing", ["n": increment], row: ["n": 1], true),
        Candidate("another sum", ["n": increment], row: ["n": 2], false),
        Candidate("operations on arrays too", ["l": ["__op": "AddUnique", "objects": [1, 1]]], row: ["l": [1]], true),
        Candidate("an empty object is like every other one", [:], row: ["n": 7], true),
    ])
    func theObjectOfALostCreateIsFoundAmongNewRows(_ item: Candidate) {
        let entry = OutboxEntry.make("a", .make(.create, item.body, phase: .unknown))
        #expect(ProofRules.holds(.make(item.row), of: entry) == item.holds)
    }
}
