import ParseModel
import RemoteService
import SyncModel
import SyncModelSupport
import Testing

@testable import SyncEngine

@Suite("Objects that a lost create may have made")
struct CandidateRulesTests {
    private static let list: JSONValue = Pointer(className: "AListWithAVeryLongName", objectId: "p0inter-of-all").json
    /// A class whose objects all share the same list and all have different titles.
    private static let sample: [JSONObject] = (0..<50).map {
        ["title": .string("t\($0)"), "list": list, "done": .bool($0 % 2 == 0)]
    }
    private static let sent: JSONObject = ["title": "new", "list": list, "done": false]

    private func candidates(_ rows: JSONObject..., sample: [JSONObject] = sample) -> [JSONObject] {
        CandidateRules(sent: Self.sent, sample: sample).candidates(among: rows.map { .make($0) }).map(\.fields)
    }

    @Test func aRowThatSharesOnlyCommonValuesIsNoCandidateForACreate() {
        #expect(candidates(["title": "other", "list": Self.list, "done": false]).isEmpty)
    }

    @Test func aRowThatSharesARareValueIsACandidateForACreate() {
        let row: JSONObject = ["title": "new", "list": nil, "done": true]
        #expect(candidates(["title": "other", "list": Self.list, "done": false], row) == [row])
    }

    /// Another client has changed most fields, and the title belongs to no other object.
    @Test(arguments: 3...12) func aRowThatSharesOneRareValueIsACandidateDespiteManyChanges(changed: Int) {
        var sent: JSONObject = ["title": "new", "list": Self.list, "done": false]
        var row: JSONObject = ["title": "new", "list": Self.list, "done": false]
        for number in 0..<changed {
            sent["field\(number)"] = .string("mine \(number)")
            row["field\(number)"] = .string("theirs \(number)")
        }
        let rules = CandidateRules(sent: sent, sample: Self.sample)
        let other: JSONObject = ["title": "other", "list": Self.list, "done": false]
        #expect(rules.candidates(among: [.make(other), .make(row)]).map(\.fields) == [row])
        #expect(rules.remakes(among: [.make(other), .make(row)]).map(\.fields) == [row])
    }

    /// A value is rare if at most one of twenty other objects has it.
    @Test(arguments: [(0, true), (1, true), (2, true), (3, false), (20, false)])
    func aValueOfFewObjectsIsRare(others: Int, isRare: Bool) {
        let sent: JSONObject = ["title": "new", "place": "Rome", "code": "x1", "note": "n1"]
        let row: JSONObject = ["title": "new", "place": "Bonn", "code": "y", "note": "z"]
        let sample: [JSONObject] = (0..<50).map { number in
            [
                "title": .string(number < others ? "new" : "t\(number)"), "place": "Rome",
                "code": .string("c\(number)"), "note": .string("n\(number + 100)"),
            ]
        }
        #expect(CandidateRules(sent: sent, sample: sample).candidates(among: [.make(row)]).isEmpty != isRare)
    }

    @Test(arguments: [19, 20]) func aValueIsRareOnlyInAClassWithEnoughOtherObjects(others: Int) {
        let sent: JSONObject = ["title": "new", "code": "x1", "done": true]
        let sample: [JSONObject] = (0..<others).map { ["title": .string("t\($0)"), "done": false] }
        let row: JSONObject = ["title": "other", "code": "y", "done": true]
        let found = CandidateRules(sent: sent, sample: sample).candidates(among: [.make(row)])
        #expect(found.count == (others == 20 ? 1 : 0))
    }

    /// An author may give all objects the same ACL, also in a class of many authors.
    @Test func aRowThatSharesOnlyARareACLIsNoCandidate() {
        let acl: JSONValue = ["alice": ["read": true]]
        let row: JSONObject = ["title": "other", "code": "y", "ACL": acl]
        let sent: JSONObject = ["title": "new", "code": "x1", "ACL": acl]
        #expect(CandidateRules(sent: sent, sample: Self.sample).candidates(among: [.make(row)]).isEmpty)
    }

    @Test func theMostLikelyCandidateForACreateComesFirst() {
        let best: JSONObject = ["title": "new", "list": Self.list, "done": true]
        let next: JSONObject = ["title": "new", "done": true]
        #expect(candidates(next, best) == [best, next])
        #expect(candidates(best, next) == [best, next])
    }

    @Test func initialValuesWeighLessThanOthersInAnEmptyClass() {
        let row: JSONObject = ["title": "edited", "list": Self.list, "done": true]
        let ours: JSONObject = ["title": "new", "list": Self.list, "done": true]
        #expect(candidates(["done": false], ours, row, sample: []).first == ours)
        #expect(candidates(["done": false], sample: []).isEmpty)
    }

    @Test func aListThatContainsTheSentElementsCountsAsEqualToTheSentList() {
        let sent: JSONObject = ["title": "new", "log": ["a", "b"], "n": 2]
        let row: JSONObject = ["title": "other", "log": ["b", "x", "a"], "n": 3]
        let rules = CandidateRules(sent: sent, sample: Array(repeating: ["n": 2, "title": "new"], count: 20))
        #expect(rules.candidates(among: [.make(row)]).count == 1)
    }

    @Test func aValueSharedByOtherNewRowsWeighsLess() {
        let rows = (0..<5).map {
            RemoteRecord.make(["title": .string("other \($0)"), "list": Self.list, "done": false])
        }
        let rules = CandidateRules(sent: Self.sent, sample: [])
        #expect(rules.candidates(among: rows).isEmpty)
        #expect(rules.candidates(among: Array(rows.prefix(1))).count == 1)
    }
}
