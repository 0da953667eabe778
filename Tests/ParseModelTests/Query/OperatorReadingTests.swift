import ParseModel
import Testing

/// Reading and refusing the operators for lists, areas, texts, times and subqueries.
@Suite struct OperatorReadingTests {
    private static let point = #"{"__type":"GeoPoint","latitude":40,"longitude":-30}"#
    private static let place = GeoPoint(latitude: 40, longitude: -30)

    @Test(
        arguments: [
            (#"{"$all":[1,"x"]}"#, .all([1, "x"])), (#"{"$all":[]}"#, .all([])),
            (#"{"$all":[{"$regex":"^a"}]}"#, .allMatching(["^a"])),
            (#"{"$containedBy":[1]}"#, .containedBy([1])), (#"{"$in":[[1,2],3]}"#, .in([1, 2, 3])),
            (#"{"$gte":true}"#, .greaterOrEqual(true)),
            (#"{"$lt":{"$relativeTime":"2 days ago"}}"#, .less(["$relativeTime": "2 days ago"])),
            (
                #"{"$text":{"$search":{"$term":"x","$caseSensitive":true,"$language":"en"}}}"#,
                .text(TextSearch(term: "x", isCaseSensitive: true))
            ),
            (#"{"$nearSphere":\#(point)}"#, .near(place, maxDistanceRadians: nil)),
            (#"{"$nearSphere":\#(point),"$maxDistance":0.5}"#, .near(place, maxDistanceRadians: 0.5)),
            (#"{"$nearSphere":\#(point),"$maxDistanceInRadians":2}"#, .near(place, maxDistanceRadians: 2)),
            (#"{"$nearSphere":\#(point),"$maxDistanceInMiles":3959}"#, .near(place, maxDistanceRadians: 1)),
            (#"{"$maxDistanceInKilometers":6371,"$nearSphere":\#(point)}"#, .near(place, maxDistanceRadians: 1)),
            (#"{"$within":{"$box":[\#(point),\#(point)]}}"#, .within(.box(southwest: place, northeast: place))),
            (#"{"$geoWithin":{"$centerSphere":[[-30,40],1]}}"#, .within(.circle(place, radiusRadians: 1))),
            (
                #"{"$geoWithin":{"$polygon":[\#(point),[-30,40],\#(point)]}}"#,
                .within(.polygon([place, place, place]))
            ),
            (
                #"{"$geoWithin":{"$polygon":{"__type":"Polygon","coordinates":[[-30,40],[-30,40],[-30,40]]}}}"#,
                .within(.polygon([place, place, place]))
            ),
            (#"{"$geoIntersects":{"$point":\#(point)}}"#, .surrounds(place)),
        ] as [(String, Constraint)])
    func operatorsAreRead(json: String, constraint: Constraint) throws {
        #expect(try read(#"{"n":\#(json)}"#) == .field(try FieldPath("n"), constraint))
    }

    @Test func subqueriesAreRead() throws {
        let (n, m) = (try FieldPath("n"), try FieldPath("m"))
        let inner = Subquery(className: "Other", predicate: .field(m, .equal(1)))
        #expect(
            try read(#"{"n":{"$inQuery":{"className":"Other","where":{"m":1},"keys":"m","fields":[],"trace":true}}}"#)
                == .field(n, .inQuery(inner)))
        let redirected = Subquery(className: "Other", redirectingKey: "r", predicate: .field(m, .equal(1)))
        #expect(
            try read(#"{"n":{"$inQuery":{"className":"Other","redirectClassNameForKey":"r","where":{"m":1}}}}"#)
                == .field(n, .inQuery(redirected)))
        #expect(
            try read(#"{"n":{"$notInQuery":{"className":"Other","where":{},"order":"-m","limit":3,"skip":"x"}}}"#)
                == .field(n, .notInQuery(Subquery(className: "Other"))))
        #expect(
            try read(#"{"n":{"$select":{"query":{"className":"Other"},"key":"m"}}}"#)
                == .field(n, .select(Subquery(className: "Other"), m)))
        #expect(
            try read(#"{"n":{"$dontSelect":{"query":{"className":"Other","where":{"m":1}},"key":"m"}}}"#)
                == .field(n, .dontSelect(inner, m)))
    }

    @Test func existsFalseBesideAComparisonDoesNotApplyToRelations() throws {
        let n = try FieldPath("n")
        #expect(
            try read(#"{"n":{"$exists":false,"$ne":1}}"#)
                == .and([.field(n, .existsUnlessRelation(false)), .field(n, .notEqual(1))]))
        #expect(
            try read(#"{"n":{"$exists":true,"$gt":1}}"#) == .and([.field(n, .exists(true)), .field(n, .greater(1))]))
    }

    @Test func filesInConditionsAreComparedByTheirNames() throws {
        let n = try FieldPath("n")
        #expect(try read(#"{"n":{"$gt":{"__type":"File","name":"a"}}}"#) == .field(n, .greater("a")))
    }

    @Test func valuesBesideOperatorsAreEqualityConditions() throws {
        let n = try FieldPath("n")
        #expect(try read(#"{"n":{"a":2,"$ne":1}}"#) == .and([.field(n, .notEqual(1)), .field(n, .equal(["a": 2]))]))
    }

    @Test(arguments: [
        (#"{"$all":3}"#, "bad $all value"), (#"{"$in":1}"#, "bad $in value"), (#"{"$nin":{"a":1}}"#, "bad $nin value"),
        (#"{"$all":[{"$regex":"a"},1]}"#, #"All $all values must be of regex type or none: [{"$regex":"a"},1]"#),
        (#"{"$containedBy":1}"#, "bad $containedBy: should be an array"), (#"{"$regex":1}"#, "bad regex: 1"),
        (#"{"$text":{}}"#, "bad $text: $search, should be object"),
        (#"{"$text":{"$search":"x"}}"#, "bad $text: $search, should be object"),
        (#"{"$text":{"$search":{}}}"#, "bad $text: $term, should be string"),
        (#"{"$text":{"$search":{"$term":"x","$language":1}}}"#, "bad $text: $language, should be string"),
        (#"{"$text":{"$search":{"$term":"x","$caseSensitive":1}}}"#, "bad $text: $caseSensitive, should be boolean"),
        (
            #"{"$text":{"$search":{"$term":"x","$diacriticSensitive":"x"}}}"#,
            "bad $text: $diacriticSensitive, should be boolean"
        ),
        (#"{"$within":{}}"#, "malformatted $within arg"), (#"{"$within":{"$box":[1]}}"#, "malformatted $within arg"),
        (#"{"$geoWithin":{}}"#, "bad $geoWithin value"),
        (
            #"{"$geoWithin":{"$polygon":[[1,2],[1,2]]}}"#,
            "bad $geoWithin value; $polygon should contain at least 3 GeoPoints"
        ),
        (
            #"{"$geoWithin":{"$polygon":1}}"#,
            "bad $geoWithin value; $polygon should be Polygon object or Array of Parse.GeoPoint's"
        ),
        (
            #"{"$geoWithin":{"$polygon":{"__type":"Polygon"}}}"#,
            "bad $geoWithin value; Polygon.coordinates should contain at least 3 lon/lat pairs"
        ),
        (#"{"$geoWithin":{"$polygon":[[1,2],[1,2],3]}}"#, "bad $geoWithin value"),
        (
            #"{"$geoWithin":{"$centerSphere":[[1,2]]}}"#,
            "bad $geoWithin value; $centerSphere should be an array of Parse.GeoPoint and distance"
        ),
        (
            #"{"$geoWithin":{"$centerSphere":[1,2]}}"#, "bad $geoWithin value; $centerSphere geo point invalid"
        ),
        (
            #"{"$geoWithin":{"$centerSphere":[[1,2],-1]}}"#,
            "bad $geoWithin value; $centerSphere distance invalid"
        ),
        (#"{"$geoIntersects":{"$point":1}}"#, "bad $geoIntersect value; $point should be GeoPoint"),
        (#"{"$geoIntersects":{"$point":[1,2]}}"#, "bad $geoIntersect value; $point should be GeoPoint"),
        (#"{"$nearSphere":1}"#, "bad $nearSphere value; should be GeoPoint"),
        (#"{"$nearSphere":[-30,40]}"#, "bad $nearSphere value; should be GeoPoint"),
        (
            #"{"$eq":{"$relativeTime":"now"}}"#,
            "$relativeTime can only be used with the $lt, $lte, $gt, and $gte operators"
        ),
        (
            #"{"$gt":{"$relativeTime":"soon"}}"#,
            "bad $relativeTime ($gt) value. Time should either start with 'in' or end with 'ago'"
        ),
    ])
    func malformedOperandsHaveParseServerMessages(json: String, message: String) {
        #expect(throws: ParseError(.invalidJSON, message)) { try read(#"{"n":\#(json)}"#) }
    }

    @Test(arguments: [
        (#"{"$inQuery":{"className":"Other"}}"#, "improper usage of $inQuery"),
        (#"{"$notInQuery":{"where":{}}}"#, "improper usage of $notInQuery"),
        (#"{"$select":{"className":"Other"}}"#, "improper usage of $select"),
        (#"{"$select":{"query":{"className":"Other"},"key":"a","x":1}}"#, "improper usage of $select"),
        (#"{"$dontSelect":{"query":{"className":"Other"}}}"#, "improper usage of $dontSelect"),
        (#"{"$inQuery":{"className":"Other","where":{"a":{"$x":1}}}}"#, "bad constraint: $x"),
        (#"{"$maxDistance":1}"#, "bad constraint: $maxDistance needs a $nearSphere in the same object"),
        (
            #"{"$nearSphere":\#(point),"$maxDistance":-1}"#,
            "bad constraint: $maxDistance needs a number of at least 0"
        ),
    ])
    func invalidQueriesAreRefused(json: String, message: String) {
        #expect(throws: ParseError(.invalidQuery, message)) { try read(#"{"n":\#(json)}"#) }
    }

    @Test func subqueriesShareTheDepthLimitOfCombinations() throws {
        let nested = { (depth: Int) in
            String(repeating: #"{"n":{"$inQuery":{"className":"C","where":"#, count: depth) + "{}"
                + String(repeating: "}}}", count: depth)
        }
        #expect(throws: Never.self) { try read(nested(Predicate.depthMax)) }
        #expect(throws: ParseError.self) { try read(nested(Predicate.depthMax + 1)) }
    }

    @Test(arguments: [
        ("now", 0), ("in 1 sec", 1), ("2 minutes 5 secs ago", -125), ("IN 1 hr 1 MIN", 3660), ("1 day ago", -86_400),
        ("in 2 wks", 1_209_600), ("1 year ago", -31_536_000), ("  3  d  ago ", -259_200),
    ])
    func relativeTimesAreRead(text: String, seconds: Int64) throws {
        let time = try #require(RelativeTime(["$relativeTime": .string(text)]))
        #expect(time.seconds == seconds)
        #expect(time.date(now: ParseDate(milliseconds: 5)).milliseconds == 5 + seconds * 1000)
    }

    @Test(arguments: [
        ("12 hours", "Time should either start with 'in' or end with 'ago'"),
        ("in 1 day ago", "Time cannot have both 'in' and 'ago'"),
        ("in 12 hours 1", "Invalid time string. Dangling unit or number."),
        ("in 12.3 hours", "'12.3' is not an integer."), ("1 fortnight ago", "Invalid interval: 'fortnight'"),
        ("in 999999999999999 years", "'999999999999999' is too large."),
    ])
    func invalidRelativeTimesAreRefused(text: String, info: String) {
        #expect(throws: ParseError(.invalidJSON, "bad $relativeTime ($lte) value. \(info)")) {
            try read(#"{"n":{"$lte":{"$relativeTime":"\#(text)"}}}"#)
        }
    }

    private func read(_ json: String) throws -> Predicate { try Predicate(json: try JSONReader.read(json)) }
}
