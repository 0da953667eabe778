import LocalStore
import ParseModel
import StoreSupport
import Testing

/// Field paths with many numbers. Each number may be an array position or the name of an object's member.
@Suite("Field paths with many array positions")
struct DeepPathTests {
    private static let path = "deep" + String(repeating: ".1", count: 26)

    /// - Parameter asArrays: which of the levels, counted from the outside, are arrays.
    private static func nested(_ value: JSONValue, asArrays: (Int) -> Bool) -> JSONValue {
        (0..<26).reversed().reduce(value) { inner, level in asArrays(level) ? [0, inner] : ["1": inner] }
    }

    private static func store() async throws -> LocalStore {
        let store = try LocalStore.make(.replica)
        try await store.pull([
            .make("objects", ["deep": nested(3, asArrays: { _ in false })]),
            .make("arrays", ["deep": nested(1, asArrays: { _ in true })]),
            .make("mixed", ["deep": nested(2, asArrays: { $0.isMultiple(of: 3) })]),
            .make("shallow", ["deep": [0, [0, 5]]]), .make("none", [:]),
        ])
        return store
    }

    @Test func objectsAreFoundByPathsWithManyArrayPositions() async throws {
        let store = try await Self.store()
        let found = { (condition: JSONValue) in try store.ids(["where": .object(JSONObject([(Self.path, condition)]))])
        }
        #expect(try found(2) == ["mixed"])
        #expect(try found(["$gt": 1]) == ["objects", "mixed"])
        #expect(try found(["$in": [1, 3]]) == ["objects", "arrays"])
        #expect(try found(["$exists": false]) == ["shallow", "none"])
        #expect(try found(["$ne": 1]) == ["objects", "mixed", "shallow", "none"])
    }

    @Test func objectsAreOrderedByPathsWithManyArrayPositions() async throws {
        let store = try await Self.store()
        let ids = try store.ids(["order": .string("-" + Self.path), "where": .object([Self.path: ["$exists": true]])])
        #expect(ids == ["objects", "mixed", "arrays"])
    }

    @Test func subqueriesMayUsePathsWithManyArrayPositions() async throws {
        let store = try await Self.store()
        try await store.pull([.make("x", ["of": Pointer(className: "Holiday", objectId: "mixed").json], of: "Day")])
        let inner: JSONValue = ["className": "Holiday", "where": .object([Self.path: 2])]
        #expect(try store.ids(["where": ["of": ["$inQuery": inner]]], of: "Day") == ["x"])
    }

    /// A statement that is twice as long for each number takes all memory at thirty.
    @Test(arguments: 1...31) func theSQLOfAConditionGrowsLinearlyWithTheLengthOfItsPath(numbers: Int) throws {
        let path = "deep" + String(repeating: ".0", count: numbers)
        let store = try LocalStore.make()
        let query = try ParseQuery(parameters: ["order": .string(path), "where": .object([path: ["$gt": 1]])])
        #expect(try store.explain("Day", query)[0].sql.utf8.count < 4000 + 1000 * numbers)
    }

    @Test func aQueryOfManyLongPathsIsRefused() throws {
        let store = try LocalStore.make()
        let path = String(repeating: "a", count: 950)
        let conditions = (0..<900).map { JSONValue.object([path + String($0): 1]) }
        let query = try ParseQuery(parameters: ["where": ["$or": .array(conditions)]])
        let error = try #require(throws: ParseError.self) { try store.find("Day", query) }
        #expect(error.code == .invalidQuery)
    }
}
