import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

/// Pipelines over objects in a file, stage by stage.
@Suite struct AggregateTests {
    private static let rows: [JSONObject] = [
        [
            "name": "a", "n": 1, "tags": ["x", "y"], "at": ["__type": "Date", "iso": "2027-02-06T10:20:30.004Z"],
            "place": ["city": "Oslo", "zip": 1],
            "owner": ["__type": "Pointer", "className": "Person", "objectId": "p1"],
        ],
        [
            "name": "b", "n": 2, "tags": ["y"], "at": ["__type": "Date", "iso": "2027-12-31T23:59:59.999Z"],
            "place": ["city": "Bergen", "zip": 2],
            "owner": ["__type": "Pointer", "className": "Person", "objectId": "p2"],
        ],
        ["name": "a", "n": 3.5, "tags": [], "owner": ["__type": "Pointer", "className": "Person", "objectId": "p1"]],
        ["name": "c"],
    ]

    private func store() async throws -> LocalStore {
        let store = try LocalStore.make()
        for row in Self.rows { try await store.create(row) }
        return store
    }

    /// The results without the ids and times that the store has made.
    private func results(_ pipeline: JSONValue, _ store: LocalStore? = nil) async throws -> [JSONValue] {
        let store = if let store { store } else { try await self.store() }
        var results: [JSONValue] = []
        let query = try AggregateQuery(parameters: ["pipeline": pipeline])
        try store.aggregate("Holiday", query, now: ParseDate(milliseconds: 0), timeout: .unlimited) {
            results.append($0)
        }
        return results
    }

    private func expect(_ pipeline: JSONValue, _ expected: [JSONValue]) async throws {
        #expect(try await results(pipeline) == expected)
    }

    private let named: JSONValue = ["$project": ["_id": 0, "name": 1, "n": 1]]

    @Test func anEmptyPipelineReturnsAllObjects() async throws {
        let all = try await results([])
        #expect(all.count == 4 && all.allSatisfy { $0.object?["createdAt"]?.string != nil })
    }

    @Test func matchSortSkipAndLimitSelectObjects() async throws {
        try await expect(
            [["$match": ["n": ["$gte": 1]]], ["$sort": ["n": -1]], ["$skip": 1], ["$limit": 1], named],
            [["name": "b", "n": 2]])
    }

    @Test func matchSortSkipAndLimitSelectDocumentsOfEarlierStages() async throws {
        try await expect(
            [
                named, ["$match": ["n": ["$gte": 1], "name": ["$regex": "^[ab]"]]], ["$sort": ["name": -1, "n": -1]],
                ["$skip": 1], ["$limit": 1],
            ], [["name": "a", "n": 3.5]])
    }

    @Test func groupStageComputesItsAccumulators() async throws {
        try await expect(
            [
                [
                    "$group": [
                        "_id": "$name", "sum": ["$sum": "$n"], "count": ["$sum": 1], "average": ["$avg": "$n"],
                        "least": ["$min": "$n"], "greatest": ["$max": "$n"], "docs": ["$count": [:]],
                        "first": ["$first": "$n"], "last": ["$last": "$n"],
                    ]
                ], ["$sort": ["_id": -1]], ["$match": ["_id": ["$lt": "c"]]],
            ],
            [
                [
                    "objectId": "b", "sum": 2, "count": 1, "average": 2, "least": 2, "greatest": 2, "docs": 1,
                    "first": 2,
                    "last": 2,
                ],
                [
                    "objectId": "a", "sum": 4.5, "count": 2, "average": 2.25, "least": 1, "greatest": 3.5, "docs": 2,
                    "first": 1, "last": 3.5,
                ],
            ])
    }

    @Test func aGroupWithANullIdHoldsAllDocuments() async throws {
        try await expect(
            [["$group": ["_id": nil, "n": ["$sum": "$n"], "none": ["$avg": "$name"]]]],
            [["objectId": nil, "n": 6.5, "none": nil]])
        try await expect([["$match": ["n": 99]], ["$group": ["_id": nil, "n": ["$sum": 1]]]], [])
    }

    @Test func aGroupIdMayHaveSeveralFieldsNumbersAndPointers() async throws {
        try await expect(
            [
                ["$match": ["owner": ["$exists": true]]],
                ["$group": ["_id": ["who": "$owner", "name": "$name"], "n": ["$sum": 1]]],
            ],
            [
                ["objectId": ["who": "p1", "name": "a"], "n": 2], ["objectId": ["who": "p2", "name": "b"], "n": 1],
            ])
        try await expect(
            [["$group": ["_id": "$owner"]], ["$sort": ["objectId": 1]]],
            [["objectId": nil], ["objectId": "p1"], ["objectId": "p2"]])
        try await expect(
            [["$group": ["_id": "$place.zip"]], ["$match": ["_id": ["$gt": 1]]]], [["objectId": 2]])
    }

    @Test func aGroupIdMayBeAPartOfADate() async throws {
        let parts: JSONValue = [
            "year": ["$year": "$at"], "month": ["$month": ["$at"]], "day": ["$dayOfMonth": ["date": "$at"]],
            "inYear": ["$dayOfYear": "$at"], "inWeek": ["$dayOfWeek": "$at"], "hour": ["$hour": "$at"],
            "minute": ["$minute": "$at"], "second": ["$second": "$at"], "ms": ["$millisecond": "$at"],
        ]
        try await expect(
            [["$match": ["at": ["$exists": true]]], ["$group": ["_id": parts]]],
            [
                [
                    "objectId": [
                        "year": 2027, "month": 2, "day": 6, "inYear": 37, "inWeek": 7, "hour": 10, "minute": 20,
                        "second": 30, "ms": 4,
                    ]
                ],
                [
                    "objectId": [
                        "year": 2027, "month": 12, "day": 31, "inYear": 365, "inWeek": 6, "hour": 23, "minute": 59,
                        "second": 59, "ms": 999,
                    ]
                ],
            ])
        let ofAll = try await results([["$group": ["_id": nil, "made": ["$min": "$createdAt"], "at": ["$max": "$at"]]]])
        #expect(ofAll[0].object?["made"].flatMap { ParseDate($0) } != nil)
        #expect(ofAll[0].object?["at"] == Self.rows[1]["at"])
    }

    @Test func projectStageKeepsRemovesAndComputesFields() async throws {
        try await expect(
            [["$limit": 1], ["$project": ["objectId": 0, "place.city": true, "year": ["$year": "$at"], "was": "$n"]]],
            [["place": ["city": "Oslo"], "year": 2027, "was": 1]])
        try await expect(
            [
                ["$limit": 1],
                ["$project": ["_id": 0, "createdAt": 0, "updatedAt": 0, "at": 0, "owner": 0, "place": ["zip": 0]]],
            ],
            [["name": "a", "n": 1, "tags": ["x", "y"], "place": ["city": "Oslo"]]])
        let kept = try await results([["$limit": 1], ["$project": ["name": 1]]])
        #expect(kept[0].object?.keys == ["objectId", "name"])
    }

    @Test func countStageReturnsOneDocumentOrNone() async throws {
        try await expect([["$count": "all"]], [["all": 4]])
        try await expect([["$match": ["name": "a"]], ["$count": "all"]], [["all": 2]])
        try await expect([["$skip": 1], ["$limit": 2], ["$count": "all"]], [["all": 2]])
        try await expect([["$skip": 3], ["$limit": 2], ["$count": "all"]], [["all": 1]])
        try await expect([["$match": ["name": "z"]], ["$count": "all"]], [])
        try await expect([["$unwind": "$tags"], ["$count": "all"], ["$match": ["all": 3]]], [["all": 3]])
    }

    @Test func unwindStageReturnsADocumentForEachArrayElement() async throws {
        let shown: JSONValue = ["$project": ["_id": 0, "tags": 1, "at": 1]]
        let only: JSONValue = ["$project": ["tags": 1]]
        try await expect(
            [only, ["$unwind": ["path": "$tags", "includeArrayIndex": "at"]], shown],
            [["tags": "x", "at": 0], ["tags": "y", "at": 1], ["tags": "y", "at": 0]])
        try await expect(
            [only, ["$unwind": ["path": "$tags", "preserveNullAndEmptyArrays": true]], shown],
            [["tags": "x"], ["tags": "y"], ["tags": "y"], [:], [:]])
        try await expect([["$unwind": "$name"], ["$count": "n"]], [["n": 4]])
        try await expect(
            [["$unwind": "$tags"], ["$group": ["_id": "$tags", "n": ["$sum": 1]]]],
            [["objectId": "x", "n": 1], ["objectId": "y", "n": 2]])
    }

    @Test(
        arguments: [
            ("name", [:], ["a", "b", "c"]), ("tags", [:], ["x", "y"]), ("place.city", [:], ["Oslo", "Bergen"]),
            ("name", ["n": ["$gt": 1]], ["b", "a"]), ("nothing", [:], []),
            ("owner", ["name": "a"], [["__type": "Pointer", "className": "Person", "objectId": "p1"]]),
        ] as [(String, JSONValue, [JSONValue])])
    func distinctReturnsEachValueOfAFieldOnce(field: String, conditions: JSONValue, expected: [JSONValue]) async throws
    {
        let query = try AggregateQuery(parameters: ["distinct": .string(field), "where": conditions])
        var values: [JSONValue] = []
        try await store().aggregate("Holiday", query, now: ParseDate(milliseconds: 0), timeout: .unlimited) {
            values.append($0)
        }
        #expect(values == expected)
    }

    /// Orders with lines: an array of objects, and one order whose lines hold arrays themselves.
    private func orders() async throws -> LocalStore {
        let store = try LocalStore.make()
        for lines in [
            [["sku": "a", "n": 1], ["sku": "b", "n": 5]], [["sku": "b", "n": 2]],
            [["sku": "c", "of": [["k": 1], ["k": 2]]], 7],
            [], [["sku": "d", "n": 9]],
        ] as [JSONValue] {
            try await store.create(["name": .string("o\(try store.ids().count)"), "lines": lines])
        }
        return store
    }

    @Test(
        arguments: [
            (["lines.sku": "b"], ["o0", "o1"]), (["lines.n": ["$gt": 4]], ["o0", "o4"]),
            (["lines.sku": ["$in": ["c", "d"]]], ["o2", "o4"]), (["lines.sku": ["$ne": "b"]], ["o2", "o3", "o4"]),
            (["lines.sku": ["$nin": ["a", "c"]]], ["o1", "o3", "o4"]), (["lines.of": ["$exists": true]], ["o2"]),
            (["lines.n": ["$exists": false]], ["o2", "o3"]), (["lines.sku": ["$all": ["a", "b"]]], ["o0"]),
            (["lines.sku": ["$regex": "^[ad]"]], ["o0", "o4"]), (["lines.n": nil], ["o2"]),
            (["lines.0.sku": "b"], ["o1"]), (["lines.of.k": 2], ["o2"]), (["name": "o0", "lines.n": 5], ["o0"]),
            (["$or": [["lines.n": 2], ["name": "o3"]]], ["o1", "o3"]),
            (["$nor": [["lines.sku": "b"]]], ["o2", "o3", "o4"]),
            (["lines.n": ["$gt": 1, "$lt": 2]], ["o0"]),
        ] as [(JSONValue, [JSONValue])])
    func matchStageReadsPathsIntoArraysOfObjects(_ conditions: JSONValue, _ names: [JSONValue]) async throws {
        let store = try await orders()
        let shown: JSONValue = ["$project": ["_id": 0, "name": 1]]
        #expect(try await results([["$match": conditions], shown], store) == names.map { ["name": $0] })
        // The same behind other stages, in another order, and counted.
        let all: JSONValue = ["$project": ["name": 1, "lines": 1]]
        #expect(try await results([all, ["$match": conditions], shown], store) == names.map { ["name": $0] })
        #expect(
            try await results([["$match": conditions], ["$sort": ["name": -1]], shown], store)
                == names.reversed().map { ["name": $0] })
        #expect(try await results([["$match": conditions], ["$count": "n"]], store) == [["n": .int(names.count)]])
    }

    @Test func groupsAndProjectionsReadPathsIntoArraysOfObjects() async throws {
        let store = try await orders()
        #expect(
            try await results([["$group": ["_id": "$lines.sku", "n": ["$first": "$lines.n"]]], ["$limit": 3]], store)
                == [
                    ["objectId": ["a", "b"], "n": [1, 5]], ["objectId": ["b"], "n": [2]], ["objectId": ["c"], "n": []],
                ])
        let taken: JSONValue = ["$project": ["_id": 0, "skus": "$lines.sku", "ks": "$lines.of.k", "lines.n": 1]]
        #expect(
            try await results([taken], store) == [
                ["lines": [["n": 1], ["n": 5]], "skus": ["a", "b"], "ks": []],
                ["lines": [["n": 2]], "skus": ["b"], "ks": []], ["lines": [[:]], "skus": ["c"], "ks": [[1, 2]]],
                ["lines": [], "skus": [], "ks": []], ["lines": [["n": 9]], "skus": ["d"], "ks": []],
            ])
        for (field, values) in [("lines.sku", ["a", "b", "c", "d"]), ("lines.0.n", [1, 2, 9])]
            as [(JSONValue, [JSONValue])]
        {
            var found: [JSONValue] = []
            let query = try AggregateQuery(parameters: ["distinct": field])
            try store.aggregate("Holiday", query, now: ParseDate(milliseconds: 0), timeout: .unlimited) {
                found.append($0)
            }
            #expect(found == values)
        }
    }

    @Test func aRegularExpressionThatTakesTooLongInAPipelineIsReported() async throws {
        let store = try LocalStore.make()
        try await store.create(["name": .string(String(repeating: "a", count: 40) + "b")])
        let endless: JSONValue = ["$regex": "^(a+)+$"]
        for pipeline: JSONValue in [
            [["$group": ["_id": "$name"]], ["$match": ["_id": endless]]],
            [["$project": ["name": 1]], ["$match": ["name": endless]]],
        ] {
            let error = await #expect(throws: ParseError.self) { try await results(pipeline, store) }
            #expect(error?.code == .timeout)
        }
    }

    @Test func theFirstMatchStageMayQueryOtherClasses() async throws {
        let store = try await store()
        try await store.create(["name": "b"], of: "Wanted")
        let wanted: JSONValue = ["$select": ["query": ["className": "Wanted", "where": [:]], "key": "name"]]
        #expect(try await results([["$match": ["name": wanted]], named], store) == [["name": "b", "n": 2]])
    }

    @Test func sumsOfWholeNumbersAreWholeNumbers() async throws {
        let store = try LocalStore.make()
        for n in [0.1, 0.2, 9_007_199_254_740_000] { try await store.create(["n": .number(JSONNumber(n))]) }
        try await store.create(["n": 1e308])
        try await store.create(["n": 1e308])
        #expect(
            try await results([["$match": ["n": ["$lt": 1]]], ["$group": ["_id": nil, "n": ["$sum": "$n"]]]], store)
                == [["objectId": nil, "n": 0.30000000000000004]])
        #expect(
            try await results([["$group": ["_id": nil, "n": ["$sum": "$n"]]]], store) == [["objectId": nil, "n": nil]])
    }

    // MARK: Texts that stand for dates and pointers

    @Test func matchStageComparesDatesWithISOTexts() async throws {
        let matched = { (condition: JSONValue) in [["$match": ["at": condition]], named] as JSONValue }
        try await expect(matched("2027-02-06T10:20:30.004Z"), [["name": "a", "n": 1]])
        try await expect(matched(["$gt": "2027-03-01"]), [["name": "b", "n": 2]])
        try await expect(
            matched(["$in": ["2027-02-06T10:20:30.004Z", "2027-12-31T23:59:59.999Z"]]),
            [["name": "a", "n": 1], ["name": "b", "n": 2]])
        try await expect(
            [["$project": ["_id": 0, "at": 1, "name": 1, "n": 1]], ["$match": ["at": ["$gt": "2027-03-01"]]], named],
            [["name": "b", "n": 2]])
    }

    @Test func matchStageComparesPointersWithIds() async throws {
        let matched = { (condition: JSONValue) in [["$match": ["owner": condition]], named] as JSONValue }
        try await expect(matched("p2"), [["name": "b", "n": 2]])
        try await expect(matched("Person$p2"), [["name": "b", "n": 2]])
        try await expect(matched(["$in": ["p2", "p3"]]), [["name": "b", "n": 2]])
        try await expect(
            [["$project": ["_id": 0, "owner": 1, "name": 1, "n": 1]], ["$match": ["owner": "p2"]], named],
            [["name": "b", "n": 2]])
    }

    /// A replica that may not read the remote's schema knows no types.
    @Test func aTextMatchesTextsDatesAndPointersIfTheTypeIsUnknown() async throws {
        let store = try LocalStore.make(.replica)
        let owner = Pointer(className: "Person", objectId: "abcDEF1234").json
        try await store.pull([
            .make("a", ["at": ["__type": "Date", "iso": "2027-02-06T10:20:30.004Z"], "name": "a"]),
            .make("b", ["owner": owner, "name": "b"]), .make("c", ["owner": "abcDEF1234", "name": "c"]),
        ])
        let names = { (condition: JSONValue) in
            try await results([["$match": condition], ["$project": ["_id": 0, "name": 1]]], store)
                .compactMap { $0.object?["name"]?.string }
        }
        #expect(try await names(["at": "2027-02-06T10:20:30.004Z"]) == ["a"])
        #expect(try await names(["at": ["$lt": "2027-03-01"]]) == ["a"])
        #expect(try await names(["owner": "abcDEF1234"]) == ["b", "c"])
        #expect(try await names(["owner": ["$nin": ["abcDEF1234"]]]) == ["a"])
    }

    // MARK: Bounds

    /// A single regular expression can take as long as many documents.
    @Test func regularExpressionsStopAtTheTimeLimitOfThePipeline() async throws {
        let store = try LocalStore.make()
        try await store.create(["a": "text"])
        let query = try AggregateQuery(
            parameters: ["pipeline": [["$project": ["a": 1]], ["$match": ["a": ["$regex": "t"]]]]])
        var looks = 0
        #expect(throws: StoreError.tookTooLong) {
            try store.aggregate(
                "Holiday", query, now: ParseDate(milliseconds: 0), timeout: ReadTimeout(.seconds(5)),
                uptime: {
                    looks += 1
                    return .seconds(10 * looks)
                }, each: { _ in })
        }
    }

    /// The stages can take longer for an object than the query that finds the object.
    @Test func pipelineStagesStopAtTheTimeLimit() async throws {
        let store = try LocalStore.make()
        let list = JSONValue.array((0..<200).map { .int($0) })
        try await store.create(["a": list, "b": list])
        let query = try AggregateQuery(
            parameters: ["pipeline": [["$unwind": "$a"], ["$unwind": "$b"], ["$count": "all"]]])
        var looks = 0
        #expect(throws: StoreError.tookTooLong) {
            try store.aggregate(
                "Holiday", query, now: ParseDate(milliseconds: 0), timeout: ReadTimeout(.seconds(5)),
                uptime: {
                    looks += 1
                    return .seconds(looks)
                }, each: { _ in })
        }
    }
}
