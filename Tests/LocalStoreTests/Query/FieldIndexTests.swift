import GRDB
import GRDBSQLite
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

@Suite("Indexes on fields")
struct FieldIndexTests {
    private let clock = TestClock()
    private let store: LocalStore

    init() async throws {
        store = try LocalStore.make(.replica, clock: clock) {
            $0.indexing = IndexKeeper.Limits(
                missesMin: 3, orderLossMin: .zero, orderObjectsMin: 3, objectsMin: 50, idleMax: .seconds(100),
                countMax: 3)
        }
        try await store.pull(
            (0..<60).map { place in
                .make(
                    "id\(place)",
                    [
                        "name": .string("n\(place % 20)"), "n": .int(place % 7), "link": .country("c\(place % 30)"),
                        "when": ParseDate(milliseconds: Int64(place % 40) * 1000).json, "ok": true, "tags": ["a", "b"],
                    ])
            })
    }

    private func ask(_ parameters: JSONObject, times: Int = 3) throws {
        for _ in 0..<times { _ = try store.ids(parameters) }
    }

    /// Some paths with several numbers need a subquery, which SQLite does not allow in an index.
    @Test func pathsWithManyArrayPositionsDoNotPreventDatabaseIndexes() async throws {
        try ask(["where": ["tags.0.0.0": "a"]])
        try ask(["where": ["tags.0.0": "a"]], times: 1)
        try ask(["where": ["name": "n5"]])
        #expect(try await store.tendIndexes().made == ["Holiday name"])
        try ask(["where": ["tags.0.0": "a"]])
        #expect(try await store.tendIndexes().made == ["Holiday tags.0.0"])
    }

    @Test func usesOfEachIndexAreCounted() async throws {
        try ask(["where": ["name": "n5"]])
        #expect(try await store.tendIndexes().made == ["Holiday name"])
        let unused = IndexUse(className: "Holiday", fields: ["name"], count: 0, latest: nil)
        #expect(try store.objects.indexUses() == [unused])
        try ask(["where": ["name": "n5"]], times: 2)
        let used = try store.objects.indexUses()
        #expect(used.map(\.count) == [2] && used[0].latest != nil)
    }

    /// SQLite compares bound values with the conditions of partial indexes, unless the connection forbids it.
    @Test func aStatementIsNotPreparedAgainForOtherValues() async throws {
        try ask(["where": ["name": "n5"]])
        #expect(try await store.tendIndexes().made == ["Holiday name"])
        let preparedAgain = try await store.transactions.read { db in
            let statement = try db.cachedStatement(
                sql: "SELECT count(*) FROM objects WHERE class = ? AND view IS NOT NULL")
            // The first run finds the new index in the schema, and prepares the statement again.
            _ = try Int.fetchOne(statement, arguments: ["Holiday"])
            let before = sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_REPREPARE, 0)
            for className in ["Birthday", "_Role", "Holiday"] {
                _ = try Int.fetchOne(statement, arguments: [className])
            }
            return sqlite3_stmt_status(statement.sqliteStatement, SQLITE_STMTSTATUS_REPREPARE, 0) - before
        }
        #expect(preparedAgain == 0)
    }

    private func plan(_ parameters: JSONObject) throws -> String {
        try store.explain("Holiday", ParseQuery(parameters: parameters))[0].plan.joined(separator: "\n")
    }

    /// Queries that an index on a field serves.
    private static let served: [(field: String, parameters: JSONObject)] = [
        ("name", ["where": ["name": "n5"]]), ("name", ["where": ["name": ["$in": ["n1", "n2", "zz"]]]]),
        ("name", ["where": ["name": ["$regex": "^\\Qn5\\E"]]]),
        ("name", ["where": ["name": ["$regex": "^n5"], "n": ["$gt": 1]]]),
        ("name", ["where": ["$and": [["name": "n5"], ["n": ["$gt": 2]]]], "order": "-n"]),
        ("link", ["where": ["link": .country("c3")], "order": "n"]),
        ("when", ["where": ["when": ["$gte": ParseDate(milliseconds: 30_000).json]]]),
        ("when", ["order": "-when", "limit": 5]),
        ("n", ["where": ["n": ["$gt": 2, "$lte": 4]], "order": "n", "skip": 2]),
        ("n", ["where": ["ok": true], "order": "n,name"]),
    ]

    @Test(arguments: served.indices) func queriesThatMissAnIndexGetOne(_ place: Int) async throws {
        let (field, parameters) = Self.served[place]
        let before = try store.ids(parameters)
        #expect(try !plan(parameters).contains("values Holiday"))
        try ask(parameters, times: 2)
        #expect(try await store.tendIndexes().made == ["Holiday \(field)"])
        #expect(try plan(parameters).contains("USING INDEX values Holiday \(field)"))
        #expect(try store.ids(parameters) == before)
        // An object that is created later is found, too.
        let late = try await store.create([
            "name": "n5", "n": 4, "link": .country("c3"), "when": ParseDate(milliseconds: 39_000).json, "ok": true,
        ])
        var unlimited = parameters
        (unlimited["limit"], unlimited["skip"]) = (nil, nil)
        #expect(try store.ids(unlimited).contains(late) == !(parameters["where"]?.jsonText.contains("$in") ?? false))
    }

    @Test(
        arguments: [
            ["where": ["tags": "a"]], ["where": ["ok": true]], ["where": ["objectId": "id1"], "order": "n"],
            ["where": ["nothing": nil]],
            ["where": ["name": ["$ne": "x"]]], ["where": ["name": ["$regex": "^n.*"]]],
            ["where": ["name": ["$regex": "^n", "$options": "i"]]],
            ["where": ["name": ["$regex": "^\\Qa\\E|\\Qb\\E"]]], ["where": ["$or": [["name": "n1"], ["name": "n2"]]]],
            ["order": "-createdAt"], [:],
        ] as [JSONObject])
    func queriesThatCannotUseAnIndexGetNone(_ parameters: JSONObject) async throws {
        try ask(parameters, times: 5)
        #expect(try await store.tendIndexes().made == [])
    }

    private static let inOrder: [JSONObject] = [
        ["where": ["n": 3], "order": "when"], ["where": ["n": 3], "order": "-when", "limit": 4, "skip": 1],
        ["where": ["name": "n5", "n": ["$gte": 0]], "order": "when,n"],
        ["where": ["n": 3], "order": "-createdAt"],
    ]

    /// The query reads objects with equal values in the order of the index, and only as many objects as it returns.
    @Test(arguments: inOrder.indices) func anIndexWithAnOrderReplacesOneWithoutIt(_ place: Int) async throws {
        let parameters = Self.inOrder[place]
        let before = try store.ids(parameters)
        let field = parameters["where"]?.object?["name"] == nil ? "n" : "name"
        let order = parameters["order"]?.string?.contains("when") == true ? "when" : "createdAt"
        try ask(parameters)
        #expect(try await store.tendIndexes().made == ["Holiday \(field)"])
        #expect(try plan(parameters).contains("USE TEMP B-TREE FOR ORDER BY"))
        try ask(parameters)
        #expect(try await store.tendIndexes().made == ["Holiday \(field) \(order)"])
        let plan = try plan(parameters)
        #expect(plan.contains("USING INDEX values Holiday \(field) \(order) (<expr>=? AND <expr>=?"), "\(plan)")
        #expect(!plan.contains("USE TEMP B-TREE FOR ORDER BY"))
        #expect(try store.ids(parameters) == before)
        // Queries without the order use the index, too, and find all objects.
        let unordered: JSONObject = ["where": parameters["where"] ?? [:]]
        try ask(unordered, times: 5)
        #expect(try self.plan(unordered).contains("USING INDEX values Holiday \(field) \(order)"))
        #expect(try await store.tendIndexes().made == [])
        let names = try await store.transactions.read {
            try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE name LIKE '% Holiday %'")
        }
        #expect(Set(names) == ["values Holiday \(field) \(order)", "others Holiday \(field)"])
    }

    /// A text, a number and a date can have the same sort key.
    @Test func anIndexedQueryDoesNotFindValuesOfOtherTypes() async throws {
        let day = ParseDate(milliseconds: 5000)
        let query: JSONObject = ["where": ["name": .string(day.iso)], "order": "n"]
        try ask(["where": ["name": "n5"], "order": "n"])
        _ = try await store.tendIndexes()
        let text = try await store.create(["name": .string(day.iso), "n": 1])
        for value in [day.json, .country(day.iso)] as [JSONValue] {
            _ = try await store.create(["name": value, "n": 1])
        }
        #expect(try plan(query).contains("values Holiday name"))
        #expect(try store.ids(query) == [text])
        let numbers: JSONObject = ["where": ["n": ["$lte": 1]], "order": "n"]
        try ask(numbers)
        #expect(try await store.tendIndexes().made == ["Holiday n"])
        let before = try store.ids(numbers)
        _ = try await store.create(["n": true])
        #expect(try store.ids(numbers) == before)
    }

    @Test(arguments: ["field", "fields"]) func databaseIndexesOfAnEarlierVersionAreReplaced(kind: String) async throws {
        try await store.transactions.write { transaction in
            try transaction.db.run(
                "CREATE INDEX \"\(kind) Holiday name\" ON objects (json_extract(view, '$.name'), pk)")
            try transaction.db.run("CREATE INDEX \"odd Holiday name\" ON objects (pk) WHERE class = 'Holiday'")
        }
        #expect(try await store.tendIndexes().dropped == ["Holiday name"])
        try ask(["where": ["name": "n5"]])
        #expect(try await store.tendIndexes().made == ["Holiday name"])
    }

    @Test func subqueriesUseIndexes() async throws {
        try await store.pull([.make("c3", ["n": 1], of: "Country"), .make("c4", ["n": 2], of: "Country")])
        let query: JSONObject = ["where": ["link": ["$inQuery": ["className": "Country", "where": ["n": 1]]]]]
        try ask(query)
        #expect(try await store.tendIndexes().made == ["Holiday link"])
        #expect(try plan(query).contains("USING INDEX values Holiday link"))
        #expect(try store.ids(query) == ["id3", "id33"])
    }

    @Test func rareQueriesAndSmallClassesGetNoIndex() async throws {
        try ask(["where": ["name": "n5"]], times: 2)
        #expect(try await store.tendIndexes().made == [])
        try await store.pull([.make("x", ["name": "x"], of: "Small")])
        for _ in 0..<5 { _ = try store.ids(["where": ["name": "x"]], of: "Small") }
        #expect(try await store.tendIndexes().made == [])
    }

    @Test func arrayElementsAreFoundInAnIndexedField() async throws {
        let query: JSONObject = ["where": ["name": "n5"]]
        try ask(query)
        #expect(try await store.tendIndexes().made == ["Holiday name"])
        let id = try await store.create(["name": ["n5", "other"]])
        #expect(try store.ids(query).contains(id))
        #expect(try !plan(query).contains("values Holiday"))
        try await store.update(id, ["name": "n5"])
        #expect(try store.ids(query).contains(id))
        #expect(try plan(query).contains("values Holiday name"))
    }

    @Test func filesAreFoundByNameInAnIndexedField() async throws {
        let query: JSONObject = ["where": ["name": "n5"]]
        try ask(query)
        #expect(try await store.tendIndexes().made == ["Holiday name"])
        let id = try await store.create(["name": ["__type": "File", "name": "n5"]])
        #expect(try store.ids(query).contains(id))
        #expect(try store.ids(["where": ["name": ["$regex": "^n5"]]]).contains(id))
        #expect(try !plan(query).contains("values Holiday"))
    }

    @Test func relationMembersAreFoundInAnIndexedField() async throws {
        let query: JSONObject = ["where": ["link": .country("c3")]]
        try ask(query)
        #expect(try await store.tendIndexes().made == ["Holiday link"])
        let id = try await store.create(["link": .adding("c3")])
        #expect(try store.ids(query) == ["id3", "id33", id])
    }

    @Test func unusedIndexesAreDropped() async throws {
        let query: JSONObject = ["where": ["name": "n5"]]
        try ask(query)
        _ = try await store.tendIndexes()
        clock.advance(.seconds(60))
        try ask(query, times: 1)
        clock.advance(.seconds(60))
        #expect(try await store.tendIndexes().dropped == [])
        clock.advance(.seconds(60))
        #expect(try await store.tendIndexes().dropped == ["Holiday name"])
        #expect(try !plan(query).contains("values Holiday"))
        #expect(try store.ids(query).count == 3)
    }

    @Test func theNumberOfIndexesIsBounded() async throws {
        for field in ["name", "n", "link", "when"] { try ask(["order": .string(field)]) }
        try ask(["order": "when"])
        #expect(try await store.tendIndexes().made == ["Holiday when", "Holiday link", "Holiday n"])
        try ask(["order": "name"])
        #expect(try await store.tendIndexes().made == [])
    }

    /// A number in a path may be a position in an array, or a key of an object.
    @Test(arguments: [("list.0", 1), ("list.0.1", 1), ("list.0.1.2", 0), ("list.0.a.1.b.2", 0)])
    func pathsWithFewArrayPositionsUseADatabaseIndex(path: String, count: Int) async throws {
        let parameters: JSONObject = ["where": [path: "x"]]
        try ask(parameters)
        #expect(try await store.tendIndexes().made.count == count)
        #expect(try plan(parameters).contains("USING INDEX values Holiday \(path)") == (count == 1))
        try ask(parameters, times: 5)
        #expect(try await store.tendIndexes().made == [])
    }

    @Test func anIndexThatNoQueryCanUseIsDropped() async throws {
        let name = "Holiday list.0.1.2"
        try await store.transactions.write { transaction in
            for kind in ["fields", "odd"] {
                try transaction.db.run("CREATE INDEX \"\(kind) \(name)\" ON objects (pk) WHERE class = 'Holiday'")
            }
        }
        #expect(try await store.tendIndexes().dropped == [name])
        let left = try await store.transactions.read {
            try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE name LIKE '%list%'")
        }
        #expect(left.isEmpty)
        #expect(try await store.tendIndexes().dropped == [])
    }
}
