import GRDB
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

@Suite("Queries by relations")
struct RelationQueryTests {
    private let store: LocalStore

    init() async throws {
        store = try LocalStore.make { $0.allowsChosenIds = true }
        for (place, id) in ["a", "b", "c", "d"].enumerated() {
            try await store.create(["objectId": .string(id), "n": .int(place)], of: "Country")
        }
        try await store.create(["objectId": "x", "countries": .adding("a", "b", "c")])
        try await store.create(["objectId": "y", "countries": .adding("c")])
        try await store.create(["objectId": "z", "countries": .removing("a"), "capital": .country("c")])
    }

    @Test func relationMembersCanBeFilteredOrderedAndPaged() throws {
        #expect(try store.members(of: "x", "countries", ["order": "-n"]) == ["c", "b", "a"])
        #expect(try store.members(of: "x", "countries", ["where": ["n": ["$gt": 0]], "order": "-n"]) == ["c", "b"])
        #expect(try store.members(of: "x", "countries", ["where": ["objectId": "b"]]) == ["b"])
        #expect(try store.members(of: "x", "countries", ["where": ["objectId": "d"]]).isEmpty)
        #expect(try store.members(of: "x", "countries", ["order": "n", "limit": 1, "skip": 1]) == ["b"])
    }

    @Test func relationMembersAreCounted() throws {
        let predicate = Predicate.relatedTo(Pointer(className: "Holiday", objectId: "x"), field: "countries")
        let found = try store.find("Country", ParseQuery(predicate: predicate, limit: 1, wantsCount: true))
        #expect((found.objects.count, found.count) == (1, 3))
        #expect(
            try store.find("Country", ParseQuery(predicate: predicate, limit: 0, wantsCount: true)).objects.isEmpty)
    }

    @Test func relatedToMayBeCombinedWithOtherConditions() throws {
        func related(_ owner: String) -> JSONValue {
            let object = Pointer(className: "Holiday", objectId: owner).json
            return ["$relatedTo": ["object": object, "key": "countries"]]
        }
        #expect(try store.ids(["where": ["$or": [related("y"), ["n": 3]]]], of: "Country") == ["c", "d"])
        #expect(try store.ids(["where": ["$and": [related("x"), related("y")]]], of: "Country") == ["c"])
    }

    @Test func ownersOfARelationAreFoundByTheirMembers() throws {
        func owners(_ constraint: JSONValue) throws -> [String] { try store.ids(["where": ["countries": constraint]]) }
        #expect(try owners(.country("c")) == ["x", "y"])
        #expect(try owners(["$in": [.country("a"), .country("d")]]) == ["x"])
        #expect(try owners(["$ne": .country("a")]) == ["y", "z"])
        #expect(try owners(["$nin": [.country("a"), .country("c")]]) == ["z"])
        #expect(try owners(Pointer(className: "City", objectId: "a").json).isEmpty)
        #expect(try store.ids(["where": ["capital": .country("c")]]) == ["z"])
        #expect(
            try store.ids(["where": ["$or": [["capital": .country("c")], ["countries": .country("a")]]]]) == ["x", "z"])
    }

    /// Parse Server also ignores `$exists` beside a comparison of a relation.
    @Test func existsBesideAComparisonOfARelationHasNoEffect() throws {
        func owners(_ constraint: JSONValue) throws -> [String] { try store.ids(["where": ["countries": constraint]]) }
        for exists in [true, false] as [JSONValue] {
            #expect(try owners(["$exists": exists, "$ne": .country("a")]) == ["y", "z"])
            #expect(try owners(["$nin": [.country("a"), .country("c")], "$exists": exists]) == ["z"])
            #expect(try owners(["$exists": exists, "$in": [.country("a")]]) == ["x"])
            let query: JSONValue = ["className": "Country", "where": ["n": 0]]
            #expect(try owners(["$exists": exists, "$inQuery": query]) == ["x"])
            #expect(try owners(["$exists": exists, "$notInQuery": query]) == ["y", "z"])
            var pointer = try #require(JSONValue.country("c").object)
            pointer["$exists"] = exists
            #expect(try owners(.object(pointer)) == ["x", "y"])
        }
        #expect(try store.ids(["where": ["capital": ["$exists": false, "$ne": .country("c")]]]) == ["x", "y"])
        #expect(try store.ids(["where": ["capital": ["$exists": true, "$ne": .country("c")]]]) == [])
    }

    @Test func relationMembersAreFoundByIndexes() throws {
        let owner = Pointer(className: "Holiday", objectId: "x")
        for order in ["", "-createdAt", "updatedAt", "n", "objectId"] {
            let plan = try plan(of: .relatedTo(owner, field: "countries"), in: "Country", order: order)
            #expect(
                plan.contains { $0.contains("SEARCH objects USING") && $0.contains("(class=? AND id=?)") }, "\(plan)")
            #expect(plan.contains { $0.hasPrefix("SEARCH relation_members USING PRIMARY KEY") }, "\(plan)")
        }
        let byMember = try self.plan(of: .field(FieldPath("countries"), .equal(.country("a"))), in: "Holiday")
        #expect(byMember.contains { $0.contains("relation_members_by_member") }, "\(byMember)")
    }

    /// A field that is known to be a relation has no value that a pointer could equal, so the query reads no values of
    /// rows.
    @Test func ownersOfARelationAreFoundByIndexes() throws {
        let members: [Constraint] = [.equal(.country("a")), .in([.country("a"), .country("d")])]
        for constraint in members {
            let predicate = Predicate.field(try FieldPath("countries"), constraint)
            let statements = try store.explain("Holiday", ParseQuery(predicate: predicate))
            let last = try #require(statements.last)
            #expect(!last.sql.contains("json_type"), "\(last.sql)")
            #expect(last.plan.contains { $0.contains("relation_members_by_member") }, "\(last.plan)")
            #expect(last.plan.contains { $0.contains("SEARCH objects USING") && $0.contains("id=?") }, "\(last.plan)")
        }
    }

    private func plan(of predicate: Predicate, in className: String, order: String = "") throws -> [String] {
        let keys = try ParseQuery(parameters: ["order": .string(order)]).order
        var compiler = QueryCompiler(className: className, by: .ofMaster)
        let sql = "SELECT id FROM objects WHERE class = ? AND view IS NOT NULL AND \(compiler.condition(predicate))"
        return try store.transactions.read { db in
            let order = compiler.order(keys)
            return try db.rows(
                "EXPLAIN QUERY PLAN \(sql) ORDER BY \(order) LIMIT 100", [className] + compiler.arguments
            ) { $0.text(3) }
        }
    }
}
