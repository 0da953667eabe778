import ParseModel
import Testing

@Suite struct AggregateQueryTests {
    private func query(_ pipeline: JSONValue) throws -> AggregateQuery {
        try AggregateQuery(parameters: ["pipeline": pipeline])
    }

    @Test func leadingStagesOfAPipelineAreRunByTheStore() throws {
        let query = try query([
            ["$match": ["n": 1]], ["$sort": ["n": -1]], ["$match": ["name": "a"]], ["$skip": 2], ["$limit": 10],
            ["$skip": 3],
            ["$limit": 9], ["$match": ["n": 2]], ["$limit": 1],
        ])
        let n = try FieldPath("n")
        #expect(query.source.predicate == .and([.field(n, .equal(1)), .field(try FieldPath("name"), .equal("a"))]))
        #expect(query.source.order == [SortKey(path: n, descending: true)])
        #expect(query.source.skip == 5 && query.source.limit == 7)
        #expect(query.stages == [.match(.field(n, .equal(2))), .limit(1)])
    }

    @Test(
        arguments: [
            ["pipeline": ["$match": ["n": 1], "$count": "all"]],
            ["pipeline": [["$match": ["n": 1]], ["$count": "all"]]],
            ["$match": ["n": 1], "$count": "all", "hint": "x", "comment": "x", "_method": "GET"],
            ["pipeline": [["where": ["n": 2]], ["$match": ["n": 1]], ["distinct": "n"], ["$count": "all"]]],
        ] as [JSONObject])
    func pipelineStagesAreReadFromAListAnObjectOrParameters(parameters: JSONObject) throws {
        let query = try AggregateQuery(parameters: parameters)
        #expect(query.source.predicate == .field(try FieldPath("n"), .equal(1)))
        #expect(query.stages == [.count("all")])
    }

    @Test func matchStageAcceptsMongoDBNamesAndDates() throws {
        let query = try query([
            ["$match": ["$or": [["_id": "a"], ["_created_at": ["$lt": ["$date": "2027-02-06T00:00:00Z"]]]]]]
        ])
        let date = try #require(ParseDate(iso: "2027-02-06T00:00:00.000Z"))
        #expect(
            query.source.predicate
                == .or([
                    .field(try FieldPath("objectId"), .equal("a")),
                    .field(try FieldPath("createdAt"), .less(date.json)),
                ]))
    }

    @Test func distinctHasAPredicateAndNoStages() throws {
        let query = try AggregateQuery(
            parameters: ["distinct": "name", "where": #"{"n":1}"#, "pipeline": [["$limit": 1]]])
        #expect(query.distinct == (try FieldPath("name")))
        #expect(query.source.predicate == .field(try FieldPath("n"), .equal(1)) && query.stages.isEmpty)
    }

    @Test(
        arguments: [
            (["group": ["_id": nil]], "Invalid aggregate stage 'group'."),
            (["$foo": [:]], "Unrecognized pipeline stage name: '$foo'"),
            (["$lookup": [:]], "The stage $lookup is not supported."),
            (["$match": [:], "$limit": 1], "Pipeline stages should only have one key but found $match, $limit."),
            ([:], "Pipeline stages should only have one key but found ."),
            (["$group": ["objectId": "$n"]], "Cannot use 'objectId' in aggregation stage $group."),
            (["$group": ["n": ["$sum": 1]]], "Invalid parameter for query: group. Missing key _id"),
            (["$group": ["_id": nil, "n": ["$foo": 1]]], "unknown group operator '$foo'"),
            (["$group": ["_id": nil, "n": 1]], "The field 'n' must be an accumulator object"),
            (["$group": ["_id": ["$foo": 1]]], "Unrecognized expression '$foo'"),
            (["$group": ["_id": "$$ROOT"]], "Variables are not supported: $$ROOT"),
            (["$match": ["$expr": [:]]], "$expr is not supported in $match."),
            (["$match": ["$foo": 1]], "unknown top level operator: $foo"),
            (["$match": ["n": ["$foo": 1]]], "bad constraint: $foo"),
            (["$sort": ["n": 2]], "$sort key ordering must be 1 (for ascending) or -1 (for descending)"),
            (["$limit": 0], "the limit must be positive"),
            (["$skip": -1], "invalid argument to $skip stage: Expected a non-negative number in: $skip: -1"),
            (["$unwind": "tags"], "path option to $unwind stage should be prefixed with a '$': tags"),
            (
                ["$project": ["a": 1, "b": 0]],
                "Invalid $project :: caused by :: Cannot do exclusion on field b in inclusion projection"
            ),
        ] as [(JSONValue, String)])
    func errorsOfPipelinesMatchParseServer(stage: JSONValue, message: String) {
        #expect(throws: ParseError(.invalidQuery, message)) { try query([stage]) }
    }

    @Test(
        arguments: [
            1, "x", [1], [["$count": ""]], [["$count": "a.b"]], [["$group": 1]], [["$project": [:]]], [["$sort": [:]]],
            [["$unwind": ["path": "$a", "x": 1]]],
            [["$count": "n"], ["$match": ["p": ["$inQuery": ["className": "A", "where": [:]]]]]],
        ] as [JSONValue])
    func invalidPipelinesAreRefused(pipeline: JSONValue) {
        #expect { try query(pipeline) } throws: { ($0 as? ParseError)?.code == .invalidQuery }
    }

    @Test func theNumberAndDepthOfStagesInAPipelineAreBounded() {
        #expect(throws: ParseError.self) { try query(.array(Array(repeating: ["$limit": 1], count: 101))) }
        let deep = (0..<40).reduce("$n" as JSONValue) { inner, _ in ["a": inner] }
        #expect(throws: ParseError.self) { try query([["$group": ["_id": deep]]]) }
    }

    @Test(arguments: ["$group", "$project"]) func theSizeOfStageArgumentsIsBounded(name: String) throws {
        let stage = { (count: Int) -> JSONValue in
            var arguments: JSONObject = name == "$group" ? ["_id": nil] : [:]
            for place in 0..<count { arguments["f\(place)"] = name == "$group" ? ["$sum": 1] : 1 }
            return .object([name: .object(arguments)])
        }
        #expect(throws: Never.self) { try query([stage(400)]) }
        #expect(throws: ParseError(.invalidQuery, "\(name) holds more than 1000 values")) { try query([stage(1001)]) }
        let deep: JSONValue = ["a": .array(Array(repeating: ["$n", "$n"], count: 400))]
        #expect(throws: ParseError.self) { try query([["$project": deep]]) }
    }
}
