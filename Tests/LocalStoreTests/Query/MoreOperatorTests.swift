import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@Suite("More query operators")
struct MoreOperatorTests {
    private static let date20 = #"{"__type":"Date","iso":"2020-01-01T00:00:00.000Z"}"#
    private static let countryX = #"{"__type":"Pointer","className":"Country","objectId":"x"}"#

    static let all: [QueryCase] = [
        QueryCase(#"{"v":{"$all":[1]}}"#, "one", "numbers"),
        QueryCase(#"{"v":{"$all":[5,1]}}"#, "numbers"),
        QueryCase(#"{"v":{"$all":["a","z"]}}"#, "texts"),
        QueryCase(#"{"v":{"$all":["a","q"]}}"#),
        QueryCase(#"{"v":{"$all":[]}}"#),
        QueryCase(#"{"v":{"$all":[\#(date20),"plain"]}}"#, "dates"),
        QueryCase(#"{"v":{"$all":[\#(countryX)]}}"#, "countryX", "pointers"),
        QueryCase(#"{"v":{"$all":[{"l":[2],"k":1}]}}"#, "objects"),
        QueryCase(#"{"v":{"$all":[null]}}"#, "missing", "null", "nulls"),
        QueryCase(#"{"v":{"$all":[{"$regex":"^a"},{"$regex":"z"}]}}"#, "texts"),
        QueryCase(#"{"v":{"$all":[{"$regex":"^\\Qa\\E"}]}}"#, "a", "texts"),
        QueryCase(#"{"v.city.name":{"$all":["Oslo"]}}"#, "nested"),
        QueryCase(#"{"objectId":{"$all":["one"]}}"#, "one"),
        QueryCase(#"{"nothing":{"$all":[1]}}"#),
    ]

    static let containedBy: [QueryCase] = [
        QueryCase(#"{"v":{"$containedBy":[1,2,5]}}"#, "empty", "numbers"),
        QueryCase(#"{"v":{"$containedBy":[1]}}"#, "empty"),
        QueryCase(#"{"v":{"$containedBy":[]}}"#, "empty"),
        QueryCase(#"{"v":{"$containedBy":["z","a",1]}}"#, "empty", "texts"),
        QueryCase(#"{"v":{"$containedBy":["plain",\#(countryX),\#(date20)]}}"#, "empty", "pointers", "dates"),
        QueryCase(#"{"v":{"$containedBy":["plain",{"l":[2],"k":1}]}}"#, "empty", "objects"),
        QueryCase(#"{"nothing":{"$containedBy":[1]}}"#),
        QueryCase(#"{"objectId":{"$containedBy":["one"]}}"#),
    ]

    static let combination: [QueryCase] = [
        QueryCase(#"{"$nor":[{"v":1},{"v":"b"}]}"#, without: "one", "numbers", "b"),
        QueryCase(#"{"$nor":[{"v":{"$gt":"a"}}],"v":{"$regex":"."}}"#, "text1", "Ab", "a"),
        QueryCase(#"{"$nor":[{}]}"#),
        QueryCase(#"{"$nor":[{"$or":[{"v":null},{"v":{"$ne":1}}]}]}"#, "one", "numbers"),
        QueryCase(
            #"{"$or":[{"$nor":[{"v":{"$exists":true}}]},{"$and":[{"v":1},{"objectId":"one"}]}]}"#, "missing", "null",
            "one"),
        QueryCase(#"{"v":{"$in":[1],"$gt":1}}"#, "numbers"),
        QueryCase(#"{"v":{"$in":[[1,2],"b"]}}"#, "one", "numbers", "two", "b"),
        QueryCase(#"{"v":{"__type":"Pointer","className":"Country","objectId":"x","$ne":"plain"}}"#, "countryX"),
    ]

    static let order: [QueryCase] = [
        QueryCase(#"{"v":{"$gt":false}}"#, "true"),
        QueryCase(#"{"v":{"$lte":true}}"#, "false", "true"),
        QueryCase(#"{"v":{"$gt":\#(countryX)}}"#, "countryY"),
        QueryCase(#"{"v":{"$lte":\#(countryX)}}"#, "countryX", "pointers"),
        QueryCase(#"{"v":{"$gt":{"$relativeTime":"10 years ago"}}}"#, "date20", "date21", "dates"),
        QueryCase(#"{"v":{"$lt":{"$relativeTime":"now"}}}"#, "date20", "date21", "dates"),
        QueryCase(#"{"v":{"$gt":{"$relativeTime":"in 1 day"}}}"#),
        QueryCase(#"{"$nor":[{"v":{"$lt":{"$relativeTime":"3 yrs 10 days ago"}}}],"v":{"$gt":\#(date20)}}"#, "date21"),
    ]

    static let text: [QueryCase] = [
        QueryCase(#"{"v":{"$text":{"$search":{"$term":"AB"}}}}"#, "Ab"),
        QueryCase(#"{"v":{"$text":{"$search":{"$term":"AB","$caseSensitive":true}}}}"#),
        QueryCase(#"{"v":{"$text":{"$search":{"$term":"o"}}}}"#, "oe"),
        QueryCase(#"{"v":{"$text":{"$search":{"$term":"o","$diacriticSensitive":true}}}}"#),
        QueryCase(#"{"v":{"$text":{"$search":{"$term":"x b","$language":"en"}}}}"#, "lines", "b"),
        QueryCase(#"{"v":{"$text":{"$search":{"$term":"x b -y"}}}}"#, "b"),
        QueryCase(#"{"v":{"$text":{"$search":{"$term":"\"x y\""}}}}"#, "lines"),
        QueryCase(#"{"v":{"$text":{"$search":{"$term":"z"}}}}"#),
        QueryCase(#"{"v.city.name":{"$text":{"$search":{"$term":"oslo"}}}}"#, "nested"),
    ]

    static let places: [QueryCase] = [
        QueryCase(#"{"v":{"$nearSphere":{"__type":"GeoPoint","latitude":0,"longitude":0}}}"#, "geo"),
        QueryCase(
            #"{"v":{"$nearSphere":{"__type":"GeoPoint","latitude":41,"longitude":-30},"$maxDistanceInKilometers":112}}"#,
            "geo"),
        QueryCase(
            #"{"v":{"$nearSphere":{"__type":"GeoPoint","latitude":41,"longitude":-30},"$maxDistanceInKilometers":111}}"#
        ),
        QueryCase(
            #"{"v":{"$within":{"$box":[{"__type":"GeoPoint","latitude":39,"longitude":-31},{"__type":"GeoPoint","latitude":40,"longitude":-30}]}}}"#,
            "geo"),
        QueryCase(
            #"{"v":{"$within":{"$box":[{"__type":"GeoPoint","latitude":40,"longitude":-30},{"__type":"GeoPoint","latitude":39,"longitude":-31}]}}}"#,
            "geo"),
        QueryCase(
            #"{"v":{"$within":{"$box":[{"__type":"GeoPoint","latitude":40,"longitude":-31},{"__type":"GeoPoint","latitude":39,"longitude":-29}]}}}"#,
            "geo"),
        QueryCase(
            #"{"v":{"$within":{"$box":[{"__type":"GeoPoint","latitude":41,"longitude":-29},{"__type":"GeoPoint","latitude":39,"longitude":-31}]}}}"#,
            "geo"),
        // A box from 170° to -31° does not take the short way across 180°.
        QueryCase(
            #"{"v":{"$within":{"$box":[{"__type":"GeoPoint","latitude":39,"longitude":170},{"__type":"GeoPoint","latitude":40,"longitude":-31}]}}}"#,
            "geo"),
        QueryCase(
            #"{"v":{"$within":{"$box":[{"__type":"GeoPoint","latitude":39,"longitude":170},{"__type":"GeoPoint","latitude":40,"longitude":-29}]}}}"#
        ),
        QueryCase(#"{"v":{"$geoWithin":{"$centerSphere":[[-30,41],0.018]}}}"#, "geo"),
        QueryCase(#"{"v":{"$geoWithin":{"$centerSphere":[[-30,41],0.017]}}}"#),
        QueryCase(#"{"v":{"$geoWithin":{"$polygon":[[-31,39],[-29,39],[-30,41]]}}}"#, "geo"),
        QueryCase(#"{"v":{"$geoWithin":{"$polygon":[[-31,39],[-29,39],[-31,41]]}}}"#, "geo"),
        QueryCase(#"{"v":{"$geoWithin":{"$polygon":[[-31,39],[-29,39],[-31,40]]}}}"#),
        QueryCase(#"{"v":{"$geoIntersects":{"$point":{"__type":"GeoPoint","latitude":40,"longitude":-30}}}}"#),
    ]

    @Test(arguments: [
        QueryCases(testDescription: "all", cases: all),
        QueryCases(testDescription: "containedBy", cases: containedBy),
        QueryCases(testDescription: "combination", cases: combination),
        QueryCases(testDescription: "order", cases: order), QueryCases(testDescription: "text", cases: text),
        QueryCases(testDescription: "places", cases: places),
    ])
    func eachFurtherQueryOperatorFindsTheExpectedObjects(_ group: QueryCases) async throws {
        try group.check(await QueryRows.store())
    }

    @Test(arguments: ["n", "objectId"]) func relativeTimesAreAcceptedInConditionsOnDatesOnly(
        _ field: String
    ) async throws {
        let store = try LocalStore.make()
        try await store.create(["n": 1, "when": ["__type": "Date", "iso": "2020-01-01T00:00:00.000Z"]])
        let query = { (field: String) -> JSONObject in
            let old: JSONValue = ["$gt": ["$relativeTime": "50 years ago"]]
            return ["where": .object(JSONObject([(field, old)]))]
        }
        for field in ["when", "createdAt", "unknown"] { _ = try store.ids(query(field)) }
        #expect(try store.ids(query("when")).count == 1)
        #expect(throws: ParseError(.invalidJSON, "$relativeTime can only be used with Date field")) {
            try store.ids(query(field))
        }
    }

    // MARK: Places

    private static func point(_ latitude: Double, _ longitude: Double) -> JSONValue {
        GeoPoint(latitude: latitude, longitude: longitude).json
    }

    @Test func nearestObjectsComeFirstUnlessAnOrderIsGiven() async throws {
        let store = try LocalStore.make(.replica)
        let places = [("far", 50.0), ("near", 1), ("middle", 10), ("nowhere", nil)]
        try await store.pull(
            places.map { .make($0.0, ["at": $0.1.map { Self.point($0, 0) } ?? .null, "name": .string($0.0)]) })
        let near: JSONValue = ["at": ["$nearSphere": Self.point(0, 0)]]
        #expect(try store.ids(["where": near]) == ["near", "middle", "far"])
        #expect(try store.ids(["where": near, "order": "-name"]) == ["near", "middle", "far"])
        #expect(try store.ids(["where": near, "order": "name"]) == ["far", "middle", "near"])
        #expect(try store.ids(["where": near, "skip": 1, "limit": 1]) == ["middle"])
        for (unit, distance) in [
            ("$maxDistance", 0.2), ("$maxDistanceInRadians", 0.2), ("$maxDistanceInMiles", 700),
            ("$maxDistanceInKilometers", 1120),
        ] {
            let reach: JSONValue = ["at": ["$nearSphere": Self.point(0, 0), unit: .number(JSONNumber(distance))]]
            #expect(try store.ids(["where": reach]) == ["near", "middle"], "\(unit)")
        }
    }

    @Test func polygonsAreFoundByAPointInside() async throws {
        let store = try LocalStore.make(.replica)
        let square = { (size: Int) -> JSONValue in
            let size = JSONValue.int(size)
            return ["__type": "Polygon", "coordinates": [[0, 0], [0, size], [size, size], [size, 0]]]
        }
        try await store.pull([
            .make("small", ["area": square(1)]), .make("large", ["area": square(9)]), .make("none", [:]),
        ])
        func around(_ latitude: Double, _ longitude: Double) throws -> [String] {
            try store.ids(["where": ["area": ["$geoIntersects": ["$point": Self.point(latitude, longitude)]]]])
        }
        #expect(try around(0.5, 0.5) == ["small", "large"])
        #expect(try around(1, 1) == ["small", "large"])
        #expect(try around(8, 8.5) == ["large"])
        #expect(try around(-1, 0.5) == [])
    }

    @Test(arguments: [[], [[0, 0]]] as [[JSONValue]], [[], [[0, 0]]] as [[JSONValue]])
    func openAndClosedPolygonRingsAreEqual(stored: [JSONValue], asked: [JSONValue]) async throws {
        let store = try LocalStore.make()
        let ring: (JSONValue) -> JSONValue = { ["__type": "Polygon", "coordinates": $0] }
        let corners: [JSONValue] = [[0, 0], [0, 1], [1, 1]]
        let id = try await store.create(["area": ring(.array(corners + stored))])
        #expect(try store.ids(["where": ["area": ring(.array(corners + asked))]]) == [id])
        #expect(try store.ids(["where": ["area": ["$in": [ring(.array(corners + asked))]]]]) == [id])
        let shown = try #require(try store.object("Holiday", id)).json
        #expect(try JSONReader.read(shown).object?["area"] == ring(.array(corners + [[0, 0]])))
    }

    @Test func theBestTextMatchesComeFirst() async throws {
        let store = try LocalStore.make(.replica)
        try await store.pull([
            .make("long", ["s": "a shop that sells cakes and coffee"]), .make("tea", ["s": "tea"]),
            .make("short", ["s": "Coffee"]), .make("middle", ["s": "coffee cakes"]),
        ])
        let coffee: JSONValue = ["s": ["$text": ["$search": ["$term": "coffee"]]]]
        #expect(try store.ids(["where": coffee, "order": "$score"]) == ["short", "middle", "long"])
        #expect(try store.ids(["where": coffee]) == ["long", "short", "middle"])
    }
}
