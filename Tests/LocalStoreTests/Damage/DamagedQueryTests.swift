import GRDB
import ParseModel
import StoreService
import StoreSupport
import Synchronization
import Testing

@testable import LocalStore

/// Queries that find damage that no check has found before.
@Suite("Queries that find damage")
struct DamagedQueryTests {
    private let directory: TemporaryDirectory
    private let store: LocalStore
    private let log = Log()
    private let holidays: [String]
    private let cities: [String]

    private final class Log: Sendable {
        let lines = Mutex<[String]>([])
    }

    /// Three cities, of which the second one is damaged, and a holiday in each.
    init() async throws {
        directory = try TemporaryDirectory()
        store = try LocalStore.make(in: directory) { [log] in
            $0.onDamage = { findings in log.lines.withLock { $0 += findings.lines } }
        }
        var (holidays, cities): ([String], [String]) = ([], [])
        for n in 0..<3 {
            let city = try await store.create(["n": .int(n), "name": .string("name \(n)")], of: "City")
            cities.append(city)
            holidays.append(
                try await store.create([
                    "city": Pointer(className: "City", objectId: city).json, "name": .string("name \(n)"),
                ]))
        }
        (self.holidays, self.cities) = (holidays, cities)
        let damaged = cities[1]
        try await DatabaseQueue(path: directory.path + "/tidegate.sqlite").writeWithoutTransaction { db in
            try db.execute(
                sql: "UPDATE objects SET view = replace(view, '\"n\":', '\"n\"#') WHERE id = ?", arguments: [damaged])
        }
    }

    private func expectNamedOnce() {
        #expect(log.lines.withLock { $0 } == ["the object \(cities[1]) of City is damaged"])
    }

    private static let all: JSONObject = ["className": "City", "where": ["n": ["$gte": 0]]]
    private static let innerQueries: [JSONObject] = [
        ["city": ["$inQuery": .object(all)]],
        ["name": ["$select": ["query": .object(all), "key": "name"]]],
        // Without a condition the damage shows where the values are read.
        ["name": ["$select": ["query": ["className": "City"], "key": "name"]]],
        // A query without conditions finds the damage when it reads the values.
        [
            "objectId": ["$exists": true],
            "name": [
                "$select": [
                    "query": ["className": "Holiday", "where": ["city": ["$inQuery": .object(all)]]], "key": "name",
                ]
            ],
        ],
    ]

    @Test(arguments: innerQueries)
    func aSubqueryLeavesADamagedObjectOut(condition: JSONObject) throws {
        for _ in 0..<2 {
            #expect(try store.ids(["where": .object(condition), "order": "name"]) == [holidays[0], holidays[2]])
        }
        expectNamedOnce()
        _ = try store.explain("Holiday", ParseQuery(parameters: ["where": .object(condition)]))
    }

    @Test func aNegatedSubqueryLeavesADamagedObjectOut() throws {
        let condition: JSONObject = ["city": ["$notInQuery": .object(Self.all)]]
        #expect(try store.ids(["where": .object(condition)]) == [holidays[1]])
        expectNamedOnce()
    }

    @Test func aCountLeavesADamagedObjectOut() throws {
        let query = try ParseQuery(parameters: ["where": ["n": ["$gte": 0]], "count": 1, "limit": 0])
        #expect(try store.find("City", query).count == 2)
    }

    @Test func aListThatMeetsADamagedObjectReturnsEachOtherObjectOnce() throws {
        // The query itself reads no object; the closure that receives the objects does.
        var read: [String] = []
        _ = try store.find("City", try ParseQuery(parameters: ["order": "objectId"]), timeout: .unlimited) { object in
            guard (try? JSONReader.read(object.json)) != nil else {
                throw StoreError.damaged(className: "City", objectId: object.objectId)
            }
            read.append(object.objectId)
        }
        #expect(read == [cities[0], cities[2]].sorted())
        expectNamedOnce()
    }

    @Test(arguments: [
        #"[{"$match":{"n":{"$gte":0}}},{"$group":{"_id":null,"sum":{"$sum":"$n"}}}]"#,
        #"[{"$group":{"_id":null,"sum":{"$sum":"$n"}}}]"#,
    ])
    func anAggregateLeavesADamagedObjectOut(pipeline: String) throws {
        let query = try AggregateQuery(parameters: ["pipeline": try JSONReader.read(pipeline)])
        var found: [JSONValue] = []
        try store.aggregate("City", query, now: TestClock().now, timeout: .unlimited) { found.append($0) }
        #expect(found.map { $0.object?["sum"] } == [2])
        expectNamedOnce()
    }

    @Test func aDistinctQueryLeavesADamagedObjectOut() throws {
        let query = try AggregateQuery(parameters: ["distinct": "name"])
        var found: [JSONValue] = []
        try store.aggregate("City", query, now: TestClock().now, timeout: .unlimited) { found.append($0) }
        #expect(Set(found.compactMap(\.string)) == ["name 0", "name 2"])
        expectNamedOnce()
    }

    @Test func indexesOfDamageFoundByAQueryAreRepaired() async throws {
        let index = try #require(FieldIndex(className: "City", path: try FieldPath("name")))
        #expect(try store.ids(["where": ["n": ["$gte": 0]]], of: "City").count == 2)
        try await DatabaseQueue(path: directory.path + "/tidegate.sqlite").writeWithoutTransaction { db in
            try db.execute(
                sql: "CREATE INDEX \"\(index.name)\" ON objects (json_valid(view)) WHERE \(index.condition)")
        }
        try await store.mendDamage()
        #expect(try await store.transactions.read { try IndexTable(db: $0).all() }.isEmpty)
    }
}
