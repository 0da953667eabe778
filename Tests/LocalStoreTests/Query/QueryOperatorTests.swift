import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@Suite("Query operators")
struct QueryOperatorTests {
    private static let date20 = #"{"__type":"Date","iso":"2020-01-01T00:00:00.000Z"}"#
    private static let countryX = #"{"__type":"Pointer","className":"Country","objectId":"x"}"#

    static let equality: [QueryCase] = [
        QueryCase("{}", without: "none"),
        QueryCase(#"{"v":1}"#, "one", "numbers"),
        QueryCase(#"{"v":1.0}"#, "one", "numbers"),
        QueryCase(#"{"v":{"$eq":1}}"#, "one", "numbers"),
        QueryCase(#"{"v":7}"#),
        QueryCase(#"{"v":0}"#, "zero"),
        QueryCase(#"{"v":true}"#, "true"),
        QueryCase(#"{"v":false}"#, "false"),
        QueryCase(#"{"v":"1"}"#, "text1"),
        QueryCase(#"{"v":"a"}"#, "a", "texts"),
        QueryCase(#"{"v":"ö"}"#, "oe"),
        QueryCase(#"{"v":null}"#, "missing", "null"),
        QueryCase(#"{"v":{"$eq":null}}"#, "missing", "null"),
        QueryCase(#"{"v":\#(date20)}"#, "date20", "dates"),
        QueryCase(#"{"v":{"__type":"Date","iso":"2020-01-01T00:00:00Z"}}"#, "date20", "dates"),
        QueryCase(#"{"v":\#(countryX)}"#, "countryX", "pointers"),
        QueryCase(#"{"v":{"__type":"Pointer","className":"City","objectId":"x"}}"#, "cityX"),
        QueryCase(#"{"v":{"__type":"File","name":"f.txt"}}"#, "file"),
        QueryCase(#"{"v":"f.txt"}"#, "file"),
        QueryCase(#"{"v":{"$eq":"f.txt"}}"#, "file"),
        QueryCase(#"{"v.name":"f.txt"}"#, "file"),
        QueryCase(#"{"v":{"__type":"Bytes","base64":"aGk="}}"#, "bytes"),
        QueryCase(#"{"v":{"__type":"GeoPoint","longitude":-30,"latitude":40}}"#, "geo"),
        QueryCase(
            #"{"v":{"when":\#(date20),"n":1,"city":{"name":"Oslo"},"_x":1}}"#, "nested"),
        QueryCase(#"{"v":{"city":{"name":"Oslo"}}}"#),
        QueryCase(#"{"v":{"l":[2],"k":1}}"#, "objects"),
        QueryCase(#"{"v":{"k":1}}"#),
        QueryCase(#"{"v":[]}"#, "empty"),
        QueryCase(#"{"v":["a","z"]}"#, "texts"),
        QueryCase(#"{"v":["z","a"]}"#),
        QueryCase(#"{"v":1,"objectId":"one"}"#, "one"),
        QueryCase(#"{"nothing":1}"#),
    ]

    static let difference: [QueryCase] = [
        QueryCase(#"{"v":{"$ne":1}}"#, without: "one", "numbers"),
        QueryCase(#"{"v":{"$ne":true}}"#, without: "true"),
        QueryCase(#"{"v":{"$ne":"a"}}"#, without: "a", "texts"),
        QueryCase(#"{"v":{"$ne":null}}"#, without: "missing", "null", "nulls"),
        QueryCase(#"{"v":{"$ne":\#(date20)}}"#, without: "date20", "dates"),
        QueryCase(#"{"v":{"$ne":\#(countryX)}}"#, without: "countryX", "pointers"),
        QueryCase(#"{"v":{"$ne":["a","z"]}}"#, without: "texts"),
        QueryCase(#"{"nothing":{"$ne":1}}"#, without: "none"),
        QueryCase(#"{"v":{"$nin":[1,"a"]}}"#, without: "one", "numbers", "a", "texts"),
        QueryCase(#"{"v":{"$nin":[null]}}"#, without: "missing", "null", "nulls"),
        QueryCase(#"{"v":{"$nin":[null,"a"]}}"#, without: "missing", "null", "nulls", "a", "texts"),
        QueryCase(#"{"v":{"$ne":"f.txt"}}"#, without: "file"),
        QueryCase(#"{"v":{"$nin":["f.txt","n"]}}"#, without: "file", "nulls"),
        QueryCase(#"{"v":{"$nin":[]}}"#, without: "none"),
    ]

    static let membership: [QueryCase] = [
        QueryCase(#"{"v":{"$in":[1,"a",true]}}"#, "one", "numbers", "a", "texts", "true"),
        QueryCase(#"{"v":{"$in":[null,0]}}"#, "missing", "null", "nulls", "zero"),
        QueryCase(#"{"v":{"$in":["f.txt","zz"]}}"#, "file"),
        QueryCase(#"{"v":{"$in":[]}}"#),
        QueryCase(#"{"v":{"$in":[\#(date20),\#(countryX)]}}"#, "date20", "dates", "countryX", "pointers"),
        QueryCase(#"{"v":{"$in":[{"k":1,"l":[2]}]}}"#, "objects"),
        QueryCase(#"{"v":{"$exists":true}}"#, without: "missing", "null"),
        QueryCase(#"{"v":{"$exists":false}}"#, "missing", "null"),
        QueryCase(#"{"nothing":{"$exists":false}}"#, without: "none"),
        QueryCase(#"{"objectId":{"$exists":true}}"#, without: "none"),
    ]

    static let order: [QueryCase] = [
        QueryCase(#"{"v":{"$lt":1}}"#, "zero"),
        QueryCase(#"{"v":{"$lte":1}}"#, "zero", "one", "numbers"),
        QueryCase(#"{"v":{"$gt":1}}"#, "onePointFive", "two", "numbers"),
        QueryCase(#"{"v":{"$gte":1.5}}"#, "onePointFive", "two", "numbers"),
        QueryCase(#"{"v":{"$gt":0,"$lt":2}}"#, "one", "onePointFive", "numbers"),
        QueryCase(#"{"v":{"$gt":-1e300}}"#, "zero", "one", "onePointFive", "two", "numbers"),
        QueryCase(#"{"v":{"$lt":"a"}}"#, "text1", "Ab", "jsonText"),
        QueryCase(#"{"v":{"$lte":"a"}}"#, "text1", "Ab", "a", "texts", "jsonText"),
        QueryCase(
            #"{"v":{"$gt":"a"}}"#, "b", "lines", "oe", "texts", "jsonText", "pointers", "dates", "objects", "file",
            "nulls"),
        QueryCase(#"{"v":{"$gte":"ö"}}"#, "oe"),
        QueryCase(#"{"v":{"$lt":\#(date20)}}"#),
        QueryCase(#"{"v":{"$lte":\#(date20)}}"#, "date20", "dates"),
        QueryCase(#"{"v":{"$gt":\#(date20)}}"#, "date21"),
        QueryCase(#"{"v":{"$gte":\#(date20)}}"#, "date20", "date21", "dates"),
        QueryCase(#"{"nothing":{"$lt":1}}"#),
    ]

    static let text: [QueryCase] = [
        QueryCase(#"{"v":{"$regex":"^a"}}"#, "a", "texts"),
        QueryCase(#"{"v":{"$regex":"^a","$options":"i"}}"#, "a", "Ab", "texts"),
        QueryCase(#"{"v":{"$regex":"^y"}}"#),
        QueryCase(#"{"v":{"$regex":"^y","$options":"m"}}"#, "lines"),
        QueryCase(#"{"v":{"$regex":"x.y"}}"#),
        QueryCase(#"{"v":{"$regex":"x.y","$options":"s"}}"#, "lines"),
        QueryCase(#"{"v":{"$regex":"^ b $ # one letter","$options":"x"}}"#, "b"),
        QueryCase(#"{"v":{"$regex":"1"}}"#, "text1", "jsonText"),
        QueryCase(#"{"objectId":{"$regex":"^date\\d+$"}}"#, "date20", "date21"),
    ]

    static let combination: [QueryCase] = [
        QueryCase(#"{"$or":[{"v":1},{"v":"b"}]}"#, "one", "numbers", "b"),
        QueryCase(
            #"{"$or":[{"v":null},{"v":{"$gt":1}}],"objectId":{"$ne":"two"}}"#, "missing", "null", "onePointFive",
            "numbers"),
        QueryCase(#"{"$and":[{"v":{"$gte":1}},{"v":{"$lt":2}}]}"#, "one", "onePointFive", "numbers"),
        QueryCase(#"{"$and":[{"$or":[{"v":1},{"v":2}]},{"v":{"$ne":2}}]}"#, "one", "numbers"),
        QueryCase(#"{"$or":[{}]}"#, without: "none"),
    ]

    static let paths: [QueryCase] = [
        QueryCase(#"{"v.city.name":"Oslo"}"#, "nested"),
        QueryCase(#"{"v.city.name":{"$ne":"Oslo"}}"#, without: "nested"),
        QueryCase(#"{"v.city.name":{"$regex":"^O"}}"#, "nested"),
        QueryCase(#"{"v.n":{"$gt":0}}"#, "nested"),
        QueryCase(#"{"v._x":1}"#, "nested"),
        QueryCase(#"{"v.when":{"$gte":\#(date20)}}"#, "nested"),
        QueryCase(#"{"v.city":{"$exists":true}}"#, "nested"),
        QueryCase(#"{"v.0":1}"#, "numbers"),
        QueryCase(#"{"v.1":{"$gte":5}}"#, "numbers"),
        QueryCase(#"{"v.7":{"$exists":false}}"#, without: "none"),
    ]

    /// Row n was made at second n of 1970, and changed half a second later.
    static let columns: [QueryCase] = [
        QueryCase(#"{"objectId":"one"}"#, "one"),
        QueryCase(#"{"objectId":1}"#),
        QueryCase(#"{"objectId":{"$in":["one","two","nope"]}}"#, "one", "two"),
        QueryCase(#"{"objectId":{"$nin":["one"]}}"#, without: "one"),
        QueryCase(#"{"objectId":{"$lt":"B"}}"#, "Ab"),
        QueryCase(#"{"createdAt":{"__type":"Date","iso":"1970-01-01T00:00:02.000Z"}}"#, "false"),
        QueryCase(#"{"createdAt":{"$lte":{"__type":"Date","iso":"1970-01-01T00:00:01.000Z"}}}"#, "missing", "null"),
        QueryCase(#"{"createdAt":{"$lt":"1970-01-01T00:00:01.000Z"}}"#, "missing"),
        QueryCase(#"{"createdAt":{"$ne":{"__type":"Date","iso":"1970-01-01T00:00:02.000Z"}}}"#, without: "false"),
        QueryCase(#"{"updatedAt":{"$gt":{"__type":"Date","iso":"1970-01-01T00:00:29.499Z"}}}"#, "file", "bytes"),
        QueryCase(#"{"updatedAt":{"$gt":{"__type":"Date","iso":"1970-01-01T00:00:29.500Z"}}}"#, "bytes"),
        QueryCase(#"{"updatedAt":{"$gte":{"__type":"Date","iso":"1970-01-01T00:00:30.500Z"}}}"#, "bytes"),
        QueryCase(#"{"updatedAt":5}"#),
        QueryCase(#"{"createdAt":{"$exists":false}}"#),
        QueryCase(#"{"createdAt":null}"#),
    ]

    @Test(arguments: [
        QueryCases(testDescription: "equality", cases: equality),
        QueryCases(testDescription: "difference", cases: difference),
        QueryCases(testDescription: "membership", cases: membership),
        QueryCases(testDescription: "order", cases: order),
        QueryCases(testDescription: "text", cases: text),
        QueryCases(testDescription: "combination", cases: combination),
        QueryCases(testDescription: "paths", cases: paths), QueryCases(testDescription: "columns", cases: columns),
    ])
    func eachBasicQueryOperatorFindsTheExpectedObjects(_ group: QueryCases) async throws {
        try group.check(await QueryRows.store())
    }

    @Test(arguments: ["objectId", "v", "v.city.name"]) func anInListOfThousandsOfValuesIsAccepted(
        _ field: String
    ) async throws {
        let store = try await QueryRows.store()
        let values = (0..<5000).map { JSONValue.string("value \($0)") } + ["one", "a", "Oslo"]
        let found = ["objectId": ["a", "one"], "v": ["a", "texts"], "v.city.name": ["nested"]][field]
        for (name, count) in [("$in", found?.count), ("$nin", found.map { QueryRows.ids.count - $0.count })] {
            let query = try ParseQuery(parameters: ["where": [field: [name: .array(values)]]])
            #expect(try store.find("Row", query).objects.count == count)
        }
    }

    @Test func aQueryWithManyConditionsIsAccepted() async throws {
        let store = try await QueryRows.store()
        let values = (2..<302).map { JSONValue.object(["v": .int($0)]) }
        let pairs = values.prefix(200).map { JSONValue.object(["$or": [$0, ["v": 2]]]) }
        let query = try ParseQuery(parameters: ["where": ["$or": .array(values), "$and": .array(pairs)]])
        #expect(try store.find("Row", query).objects.map(\.objectId) == ["two"])
    }

    @Test func anInvalidRegularExpressionIsAnErrorEvenWithoutObjects() throws {
        let store = try LocalStore.make()
        let error = #expect(throws: ParseError.self) {
            try store.find("Nothing", ParseQuery(parameters: ["where": #"{"$or":[{"v":{"$regex":"("}}]}"#]))
        }
        #expect(error?.code == .invalidQuery)
    }

    @Test func aRegularExpressionThatTakesTooLongIsAnError() async throws {
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
        // A long text alone does not exceed the time limit.
        try await store.create(["v": .string(String(repeating: "lorem ", count: 20_000) + "ipsum")])
        #expect(try find("ips.m$") == 1)
        #expect(try find("zz") == 0)
    }

    @Test func aNumberInAPathIsAnArrayPositionOrAMemberName() async throws {
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

    @Test func aQueryStopsAtItsTimeLimit() async throws {
        let store = try LocalStore.make()
        let text = String(repeating: "lorem ipsum ", count: 150)
        let requests = (0..<2000).map { _ in WriteRequest.create(className: "Holiday", body: ["v": .string(text)]) }
        _ = await store.perform(requests, atomically: true)
        let patterns = (0..<900).map { JSONValue.object(["v": ["$regex": .string("x.*\($0)$")]]) }
        let query = try ParseQuery(parameters: ["where": ["$or": .array(patterns)]])
        #expect(throws: StoreError.tookTooLong) {
            try store.find("Holiday", query, timeout: ReadTimeout(.zero)) { _ in }
        }
        #expect(throws: StoreError.tookTooLong) {
            try store.find("Holiday", query, timeout: ReadTimeout(nil, whileWanted: { false })) { _ in }
        }
        // The connection still works after the interrupted query.
        #expect(try store.find("Holiday", ParseQuery(limit: 1)).objects.count == 1)
        store.interruptReads()
        #expect(throws: StoreError.tookTooLong) { try store.find("Holiday", query) }
    }

    @Test func anInListOfTooManyValuesIsRefused() throws {
        let store = try LocalStore.make()
        let values = (0..<40_000).map { JSONValue.object(["n": .int($0)]) }
        let error = #expect(throws: ParseError.self) {
            try store.find("Holiday", ParseQuery(parameters: ["where": ["v": ["$in": .array(values)]]]))
        }
        #expect(error?.code == .invalidQuery)
    }

    @Test func aQueryFindsNoDeletedObjectsAndNoOtherClasses() async throws {
        let store = try LocalStore.make(.replica)
        try await store.create(["n": 1], of: "Birthday")
        try await store.pull([.make("r", ["n": 1]), .make("s", ["n": 1])])
        try await store.delete("r")
        #expect(try store.ids(["where": ["n": 1]]) == ["s"])
        #expect(try store.find("Holiday", ParseQuery(limit: 0, wantsCount: true)).count == 1)
    }
}
