import GRDB
import GRDBSQLite
import ParseModel
import StoreService
import Testing

@testable import LocalStore

/// The memory of SQLite for a query has a bound, whatever the conditions and the rows.
@Suite(.serialized)
struct QueryMemoryTests {
    private static let numbers = JSONValue.array((0..<20_000).map { .int(100_000 + $0) })

    /// - Parameter bytesMax: the bound, in bytes. The parse tree of the large row has about 0.5 MB.
    private static func store(_ bytesMax: Int) async throws -> LocalStore {
        let store = try LocalStore.make {
            $0.queryBytesMax = bytesMax
            $0.allowsChosenIds = true
        }
        var body: JSONObject = ["objectId": "large", "a": numbers, "t": .array((0..<2_000).map { .string("x\($0)") })]
        for field in 0..<200 { body["s\(field)"] = [.int(field)] }
        try await store.create(body)
        try await store.create(["objectId": "small", "a": [1], "t": ["y"]])
        return store
    }

    private static func list(_ key: String, _ count: Int, _ part: (Int) -> JSONObject) -> JSONObject {
        [key: .array((0..<count).map { .object(part($0)) })]
    }

    /// Conditions that find only the small object. Each part of a condition, compiled on its own, would read an array
    /// of the large object.
    private static let conditions: [JSONObject] = [
        list("$or", 400) { ["a": .int($0)] },
        list("$or", 100) { ["a": ["$lt": .int(10 - $0)]] },
        list("$or", 100) { ["t": ["$regex": .string("^y{1,\($0 + 1)}$")]] },
        list("$or", 100) { $0 == 0 ? ["a": 1] : ["s\($0)": .int(-1)] },
        list("$or", 50) { $0 == 0 ? ["a": 1] : ["a": QueryRows.pointer("C\($0)", "x")] },
        list("$and", 400) { ["a": ["$ne": .int(100_000 + $0)]] },
        list("$nor", 400) { ["a": .int(100_000 + $0)] },
        list("$or", 50) { ["a": ["$in": [.int($0), ["k": .int($0)]]]] },
    ]

    @Test(arguments: conditions)
    func conditionsOnOneFieldReadItsArrayOnce(condition: JSONObject) async throws {
        let store = try await Self.store(64 << 20)
        #expect(try store.ids(["where": .object(condition)]) == ["small"])
    }

    @Test func allValuesOfAnAllOperatorAreComparedInOneRead() async throws {
        let store = try await Self.store(64 << 20)
        func ids(_ values: [JSONValue]) throws -> [String] { try store.ids(["where": ["a": ["$all": .array(values)]]]) }
        let present = (0..<400).map { JSONValue.int(100_000 + $0) }
        #expect(try ids(present) == ["large"])
        #expect(try ids(present + [5]) == [])
        #expect(try ids([1, 1, 1, 1, 1]) == ["small"])
        #expect(try store.ids(["where": ["t": ["$all": ["y", "y", "y", "y"]]]]) == ["small"])
    }

    @Test func aQueryOverItsMemoryLimitFailsAndOtherQueriesContinue() async throws {
        let store = try await Self.store(4 << 20)
        #expect(throws: StoreError.tooMuchMemory) { try store.ids(Self.innerQueries) }
        // The connection, other queries and writes still work.
        #expect(try store.ids(["where": ["t": "y"]]) == ["small"])
        try await store.update("large", ["n": 1])
        #expect(try store.ids(["where": ["n": 1]]) == ["large"])
    }

    /// SQLite holds a copy of the row for each condition. Without a stop within the row, these take a hundred times the bound.
    @Test(arguments: [
        list("$or", 300) { ["text": ["$lt": .string("a\($0)")]] },
        list("$or", 300) { ["text": ["$regex": .string("^a\($0)")]] },
        list("$or", 300) { ["f\($0)": ["$exists": true]] }, list("$and", 300) { ["f\($0)": ["$exists": false]] },
        list("$or", 300) { ["text": ["$containedBy": [.int($0)]]] }, list("$or", 300) { ["f\($0)": .int($0)] },
        list("$or", 300) { ["f\($0)": ["$in": [nil, 1]]] },
    ])
    func manyConditionsOnALargeRowStopAtTheMemoryLimit(condition: JSONObject) async throws {
        let store = try LocalStore.make { $0.queryBytesMax = 4 << 20 }
        try await store.create(["text": .string(String(repeating: "x", count: 1 << 20))])
        #expect(throws: StoreError.tooMuchMemory) { try store.ids(["where": .object(condition)]) }
        #expect(QueryMemory.latestPeak < 12 << 20)
    }

    @Test func sortingLargeRowsKeepsOnlyTheirKeysInMemory() async throws {
        let store = try LocalStore.make { $0.queryBytesMax = 4 << 20 }
        let text = JSONValue.string(String(repeating: "x", count: 100_000))
        for number in 0..<100 { try await store.create(["n": .int(number * 37 % 100), "text": text]) }
        var numbers: [Int] = []
        let query = try ParseQuery(parameters: ["order": "-n", "limit": 90, "skip": 5, "count": 1])
        let count = try store.find("Holiday", query, timeout: .unlimited) {
            numbers.append(try $0.fields(of: "Holiday")["n"]?.int ?? -1)
        }
        #expect(numbers == Array((5..<95).reversed()))
        #expect(count == 100)
    }

    @Test func aQueryIsRefusedWhileOtherQueriesUseAllMemory() async throws {
        let store = try await Self.store(QueryMemory.bytesMax)
        #expect(try store.ids(Self.innerQueries) == [])
        try Self.takingMemory(of: store, 255 << 20) {
            #expect(throws: StoreError.memoryInUse) { try store.ids(Self.innerQueries) }
            let small = try store.ids(["where": ["t": "y"]])
            #expect(small == ["small"])
        }
        #expect(try store.ids(Self.innerQueries) == [])
    }

    /// Fifty conditions that SQLite tests one by one.
    private static let innerQueries: JSONObject = [
        "where": .object(list("$or", 50) { ["a": ["$inQuery": ["className": "City", "where": ["n": .int($0)]]]] })
    ]

    /// Runs `body` while another query has reserved the memory. The reserved memory is never written, so it takes no
    /// real memory. A query in `body` is counted separately.
    private static func takingMemory(of store: LocalStore, _ bytes: UInt64, _ body: () throws -> Void) throws {
        try store.transactions.read { db in
            try QueryMemory.bounded(db, bytesMax: 1 << 40) {
                let taken = try #require(sqlite3_malloc64(bytes))
                defer { sqlite3_free(taken) }
                try body()
            }
        }
    }
}
