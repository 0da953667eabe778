import LocalStore
import ParseModel
import Testing

@Suite("Query operators")
struct QueryOperatorTests {
    /// A condition, and which of `QueryRows` it finds.
    struct Case: Sendable {
        let predicate: String
        let found: Set<String>

        init(_ predicate: String, _ found: String...) {
            self.predicate = predicate
            self.found = Set(found)
        }

        /// All but these.
        init(_ predicate: String, without others: String...) {
            self.predicate = predicate
            found = Set(QueryRows.ids).subtracting(others)
        }
    }

    private static let date20 = #"{"__type":"Date","iso":"2020-01-01T00:00:00.000Z"}"#
    private static let countryX = #"{"__type":"Pointer","className":"Country","objectId":"x"}"#

    static let equality: [Case] = [
        Case("{}", without: "none"),
        Case(#"{"v":1}"#, "one", "numbers"),
        Case(#"{"v":1.0}"#, "one", "numbers"),
        Case(#"{"v":{"$eq":1}}"#, "one", "numbers"),
        Case(#"{"v":7}"#),
        Case(#"{"v":0}"#, "zero"),
        Case(#"{"v":true}"#, "true"),
        Case(#"{"v":false}"#, "false"),
        Case(#"{"v":"1"}"#, "text1"),
        Case(#"{"v":"a"}"#, "a", "texts"),
        Case(#"{"v":"ö"}"#, "oe"),
        Case(#"{"v":null}"#, "missing", "null"),
        Case(#"{"v":{"$eq":null}}"#, "missing", "null"),
        Case(#"{"v":\#(date20)}"#, "date20", "dates"),
        Case(#"{"v":{"__type":"Date","iso":"2020-01-01T00:00:00Z"}}"#, "date20", "dates"),
        Case(#"{"v":\#(countryX)}"#, "countryX", "pointers"),
        Case(#"{"v":{"__type":"Pointer","className":"City","objectId":"x"}}"#, "cityX"),
        Case(#"{"v":{"__type":"File","name":"f.txt"}}"#, "file"),
        Case(#"{"v":{"__type":"Bytes","base64":"aGk="}}"#, "bytes"),
        Case(#"{"v":{"__type":"GeoPoint","longitude":-30,"latitude":40}}"#, "geo"),
        Case(
            #"{"v":{"when":\#(date20),"n":1,"city":{"name":"Oslo"},"_x":1}}"#, "nested"),
        Case(#"{"v":{"city":{"name":"Oslo"}}}"#),
        Case(#"{"v":{"l":[2],"k":1}}"#, "objects"),
        Case(#"{"v":{"k":1}}"#),
        Case(#"{"v":[]}"#, "empty"),
        Case(#"{"v":["a","z"]}"#, "texts"),
        Case(#"{"v":["z","a"]}"#),
        Case(#"{"v":1,"objectId":"one"}"#, "one"),
        Case(#"{"nothing":1}"#),
    ]

    static let difference: [Case] = [
        Case(#"{"v":{"$ne":1}}"#, without: "one", "numbers"),
        Case(#"{"v":{"$ne":true}}"#, without: "true"),
        Case(#"{"v":{"$ne":"a"}}"#, without: "a", "texts"),
        Case(#"{"v":{"$ne":null}}"#, without: "missing", "null"),
        Case(#"{"v":{"$ne":\#(date20)}}"#, without: "date20", "dates"),
        Case(#"{"v":{"$ne":\#(countryX)}}"#, without: "countryX", "pointers"),
        Case(#"{"v":{"$ne":["a","z"]}}"#, without: "texts"),
        Case(#"{"nothing":{"$ne":1}}"#, without: "none"),
        Case(#"{"v":{"$nin":[1,"a"]}}"#, without: "one", "numbers", "a", "texts"),
        Case(#"{"v":{"$nin":[null]}}"#, without: "missing", "null"),
        Case(#"{"v":{"$nin":[]}}"#, without: "none"),
    ]

    static let membership: [Case] = [
        Case(#"{"v":{"$in":[1,"a",true]}}"#, "one", "numbers", "a", "texts", "true"),
        Case(#"{"v":{"$in":[null,0]}}"#, "missing", "null", "zero"),
        Case(#"{"v":{"$in":[]}}"#),
        Case(#"{"v":{"$in":[\#(date20),\#(countryX)]}}"#, "date20", "dates", "countryX", "pointers"),
        Case(#"{"v":{"$in":[{"k":1,"l":[2]}]}}"#, "objects"),
        Case(#"{"v":{"$exists":true}}"#, without: "missing", "null"),
        Case(#"{"v":{"$exists":false}}"#, "missing", "null"),
        Case(#"{"nothing":{"$exists":false}}"#, without: "none"),
        Case(#"{"objectId":{"$exists":true}}"#, without: "none"),
    ]

    static let order: [Case] = [
        Case(#"{"v":{"$lt":1}}"#, "zero"),
        Case(#"{"v":{"$lte":1}}"#, "zero", "one", "numbers"),
        Case(#"{"v":{"$gt":1}}"#, "onePointFive", "two", "numbers"),
        Case(#"{"v":{"$gte":1.5}}"#, "onePointFive", "two", "numbers"),
        Case(#"{"v":{"$gt":0,"$lt":2}}"#, "one", "onePointFive", "numbers"),
        Case(#"{"v":{"$gt":-1e300}}"#, "zero", "one", "onePointFive", "two", "numbers"),
        Case(#"{"v":{"$lt":"a"}}"#, "text1", "Ab", "jsonText"),
        Case(#"{"v":{"$lte":"a"}}"#, "text1", "Ab", "a", "texts", "jsonText"),
        Case(
            #"{"v":{"$gt":"a"}}"#, "b", "lines", "oe", "texts", "jsonText", "pointers", "dates", "objects"),
        Case(#"{"v":{"$gte":"ö"}}"#, "oe"),
        Case(#"{"v":{"$lt":\#(date20)}}"#),
        Case(#"{"v":{"$lte":\#(date20)}}"#, "date20", "dates"),
        Case(#"{"v":{"$gt":\#(date20)}}"#, "date21"),
        Case(#"{"v":{"$gte":\#(date20)}}"#, "date20", "date21", "dates"),
        Case(#"{"nothing":{"$lt":1}}"#),
    ]

    static let text: [Case] = [
        Case(#"{"v":{"$regex":"^a"}}"#, "a", "texts"),
        Case(#"{"v":{"$regex":"^a","$options":"i"}}"#, "a", "Ab", "texts"),
        Case(#"{"v":{"$regex":"^y"}}"#),
        Case(#"{"v":{"$regex":"^y","$options":"m"}}"#, "lines"),
        Case(#"{"v":{"$regex":"x.y"}}"#),
        Case(#"{"v":{"$regex":"x.y","$options":"s"}}"#, "lines"),
        Case(#"{"v":{"$regex":"^ b $ # one letter","$options":"x"}}"#, "b"),
        Case(#"{"v":{"$regex":"1"}}"#, "text1", "jsonText"),
        Case(#"{"objectId":{"$regex":"^date\\d+$"}}"#, "date20", "date21"),
    ]

    static let combination: [Case] = [
        Case(#"{"$or":[{"v":1},{"v":"b"}]}"#, "one", "numbers", "b"),
        Case(
            #"{"$or":[{"v":null},{"v":{"$gt":1}}],"objectId":{"$ne":"two"}}"#, "missing", "null", "onePointFive",
            "numbers"),
        Case(#"{"$and":[{"v":{"$gte":1}},{"v":{"$lt":2}}]}"#, "one", "onePointFive", "numbers"),
        Case(#"{"$and":[{"$or":[{"v":1},{"v":2}]},{"v":{"$ne":2}}]}"#, "one", "numbers"),
        Case(#"{"$or":[{}]}"#, without: "none"),
    ]

    static let paths: [Case] = [
        Case(#"{"v.city.name":"Oslo"}"#, "nested"),
        Case(#"{"v.city.name":{"$ne":"Oslo"}}"#, without: "nested"),
        Case(#"{"v.city.name":{"$regex":"^O"}}"#, "nested"),
        Case(#"{"v.n":{"$gt":0}}"#, "nested"),
        Case(#"{"v._x":1}"#, "nested"),
        Case(#"{"v.when":{"$gte":\#(date20)}}"#, "nested"),
        Case(#"{"v.city":{"$exists":true}}"#, "nested"),
        Case(#"{"v.0":1}"#, "numbers"),
        Case(#"{"v.1":{"$gte":5}}"#, "numbers"),
        Case(#"{"v.7":{"$exists":false}}"#, without: "none"),
    ]

    /// Row n was made at second n of 1970, and changed half a second later.
    static let columns: [Case] = [
        Case(#"{"objectId":"one"}"#, "one"),
        Case(#"{"objectId":1}"#),
        Case(#"{"objectId":{"$in":["one","two","nope"]}}"#, "one", "two"),
        Case(#"{"objectId":{"$nin":["one"]}}"#, without: "one"),
        Case(#"{"objectId":{"$lt":"B"}}"#, "Ab"),
        Case(#"{"createdAt":{"__type":"Date","iso":"1970-01-01T00:00:02.000Z"}}"#, "false"),
        Case(#"{"createdAt":{"$lte":{"__type":"Date","iso":"1970-01-01T00:00:01.000Z"}}}"#, "missing", "null"),
        Case(#"{"createdAt":{"$lt":"1970-01-01T00:00:01.000Z"}}"#, "missing"),
        Case(#"{"createdAt":{"$ne":{"__type":"Date","iso":"1970-01-01T00:00:02.000Z"}}}"#, without: "false"),
        Case(#"{"updatedAt":{"$gt":{"__type":"Date","iso":"1970-01-01T00:00:28.499Z"}}}"#, "file", "bytes"),
        Case(#"{"updatedAt":{"$gt":{"__type":"Date","iso":"1970-01-01T00:00:28.500Z"}}}"#, "bytes"),
        Case(#"{"updatedAt":{"$gte":{"__type":"Date","iso":"1970-01-01T00:00:29.500Z"}}}"#, "bytes"),
        Case(#"{"updatedAt":5}"#),
        Case(#"{"createdAt":{"$exists":false}}"#),
        Case(#"{"createdAt":null}"#),
    ]

    /// Cases that share a store.
    struct Group: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let cases: [Case]
    }

    @Test(arguments: [
        Group(testDescription: "equality", cases: equality), Group(testDescription: "difference", cases: difference),
        Group(testDescription: "membership", cases: membership), Group(testDescription: "order", cases: order),
        Group(testDescription: "text", cases: text), Group(testDescription: "combination", cases: combination),
        Group(testDescription: "paths", cases: paths), Group(testDescription: "columns", cases: columns),
    ])
    func findsWhatItShould(_ group: Group) async throws {
        let store = try await QueryRows.store()
        for item in group.cases {
            do {
                let found = try store.find(
                    "Row", ParseQuery(parameters: ["where": .string(item.predicate), "count": 1]))
                #expect(found.objects.map(\.objectId).sorted() == item.found.sorted(), "\(item.predicate)")
                #expect(found.count == item.found.count, "\(item.predicate)")
            } catch {
                Issue.record(error, "\(item.predicate)")
            }
        }
    }

    @Test(arguments: ["objectId", "v", "v.city.name"]) func longListIsNoLimit(_ field: String) async throws {
        let store = try await QueryRows.store()
        let values = (0..<5000).map { JSONValue.string("value \($0)") } + ["one", "a", "Oslo"]
        let found = ["objectId": ["a", "one"], "v": ["a", "texts"], "v.city.name": ["nested"]][field]
        for (name, count) in [("$in", found?.count), ("$nin", found.map { QueryRows.ids.count - $0.count })] {
            let query = try ParseQuery(parameters: ["where": [field: [name: .array(values)]]])
            #expect(try store.find("Row", query).objects.count == count)
        }
    }

    @Test func manyConstraintsAreNoLimit() async throws {
        let store = try await QueryRows.store()
        let values = (2..<302).map { JSONValue.object(["v": .int($0)]) }
        let pairs = values.prefix(200).map { JSONValue.object(["$or": [$0, ["v": 2]]]) }
        let query = try ParseQuery(parameters: ["where": ["$or": .array(values), "$and": .array(pairs)]])
        #expect(try store.find("Row", query).objects.map(\.objectId) == ["two"])
    }

    @Test func badRegularExpressionIsAnErrorAlsoWithoutObjects() throws {
        let store = try LocalStore.make()
        let error = #expect(throws: ParseError.self) {
            try store.find("Nothing", ParseQuery(parameters: ["where": #"{"$or":[{"v":{"$regex":"("}}]}"#]))
        }
        #expect(error?.code == .invalidQuery)
    }

    @Test func regularExpressionThatWouldTakeForEverIsAnError() async throws {
        let store = try LocalStore.make()
        let text = String(repeating: "a", count: 60) + "b"
        try await store.create(["v": .string(text)])
        let find = { (pattern: String) in
            try store.find("Holiday", ParseQuery(parameters: ["where": ["v": ["$regex": .string(pattern)]]])).objects
                .count
        }
        let error = #expect(throws: ParseError.self) { try find("^(a+)+$") }
        #expect(error?.code == .timeout)
        #expect(try find("^(a+)+b$") == 1)
        // A long text is no reason to give up.
        try await store.create(["v": .string(String(repeating: "lorem ", count: 20_000) + "ipsum")])
        #expect(try find("ips.m$") == 1)
        #expect(try find("zz") == 0)
    }

    @Test func numberInAPathIsAnIndexOrAName() async throws {
        let store = try LocalStore.make { $0.allowsChosenIds = true }
        try await store.create(["objectId": "names", "o": ["2026": "yr", "0": "zero", "1": ["2": "deep"]]])
        try await store.create(["objectId": "list", "p": ["zero", ["x", "y", "deep"]]])
        #expect(try store.ids(["where": ["o.2026": "yr"]]) == ["names"])
        #expect(try store.ids(["where": ["o.0": "zero"]]) == ["names"])
        #expect(try store.ids(["where": ["o.1.2": "deep"]]) == ["names"])
        #expect(try store.ids(["where": ["p.0": "zero"]]) == ["list"])
        #expect(try store.ids(["where": ["p.1.2": "deep"]]) == ["list"])
        #expect(try store.ids(["where": ["p.2026": ["$exists": true]]]) == [])
    }

    @Test func queryThatTakesLongerThanItsCallerWouldWaitEnds() async throws {
        let store = try LocalStore.make()
        let text = String(repeating: "lorem ipsum ", count: 150)
        let requests = (0..<2000).map { _ in WriteRequest.create(className: "Holiday", body: ["v": .string(text)]) }
        _ = await store.perform(requests, atomically: true)
        let patterns = (0..<900).map { JSONValue.object(["v": ["$regex": .string("x.*\($0)$")]]) }
        let query = try ParseQuery(parameters: ["where": ["$or": .array(patterns)]])
        #expect(throws: StoreError.tookTooLong) {
            try store.find("Holiday", query, patience: .zero) { _ in }
        }
        // The connection is as good as new.
        #expect(try store.find("Holiday", ParseQuery(limit: 1)).objects.count == 1)
        store.interruptReads()
        #expect(throws: StoreError.tookTooLong) { try store.find("Holiday", query) }
    }

    @Test func tooManyValuesAreTheClientsMistake() throws {
        let store = try LocalStore.make()
        let values = (0..<40_000).map { JSONValue.object(["n": .int($0)]) }
        let error = #expect(throws: ParseError.self) {
            try store.find("Holiday", ParseQuery(parameters: ["where": ["v": ["$in": .array(values)]]]))
        }
        #expect(error?.code == .invalidQuery)
    }

    @Test func otherClassesAndDeletedObjectsAreNotFound() async throws {
        let store = try LocalStore.make(.replica)
        try await store.create(["n": 1], of: "Birthday")
        try await store.pull([.make("r", ["n": 1]), .make("s", ["n": 1])])
        try await store.delete("r")
        #expect(try store.ids(["where": ["n": 1]]) == ["s"])
        #expect(try store.find("Holiday", ParseQuery(limit: 0, wantsCount: true)).count == 1)
    }
}
