import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

/// Subqueries. The examples are cities in countries.
@Suite("Subqueries")
struct SubqueryTests {
    private let store: LocalStore

    init() async throws {
        store = try LocalStore.make { $0.allowsChosenIds = true }
        for (place, id) in ["no", "se", "dk"].enumerated() {
            try await store.create(
                ["objectId": .string(id), "code": .string(id), "size": .int(place), "tags": ["north", .string(id)]],
                of: "Country")
        }
        let cities: [(String, String?)] = [("oslo", "no"), ("bergen", "no"), ("malmo", "se"), ("atlantis", nil)]
        for (id, country) in cities {
            try await store.create(
                [
                    "objectId": .string(id), "country": country.map(JSONValue.country) ?? .null,
                    "code": .string(country ?? "xx"), "all": .array(country.map { [.country($0), 1] } ?? []),
                ], of: "City")
        }
        try await store.create(["objectId": "trip", "countries": .adding("no", "dk")], of: "Trip")
        try await store.create(["objectId": "stay", "countries": .adding("se")], of: "Trip")
    }

    private func cities(_ conditions: JSONValue) throws -> [String] { try store.ids(["where": conditions], of: "City") }

    private func countries(_ conditions: JSONValue, _ more: JSONObject = [:]) -> JSONValue {
        var query: JSONObject = ["className": "Country", "where": conditions]
        for (name, value) in more { query[name] = value }
        return .object(query)
    }

    @Test func inQueryFindsPointersToMatchingObjects() throws {
        #expect(try cities(["country": ["$inQuery": countries(["size": 0])]]) == ["oslo", "bergen"])
        #expect(try cities(["country": ["$inQuery": countries([:])]]) == ["oslo", "bergen", "malmo"])
        #expect(try cities(["country": ["$inQuery": countries(["size": 9])]]) == [])
        #expect(try cities(["all": ["$inQuery": countries(["size": 1])]]) == ["malmo"])
        #expect(try cities(["code": ["$inQuery": countries([:])]]) == [])
        #expect(try cities(["objectId": ["$inQuery": countries([:])]]) == [])
    }

    @Test func notInQueryFindsPointersToOtherObjects() throws {
        #expect(try cities(["country": ["$notInQuery": countries(["size": 0])]]) == ["malmo", "atlantis"])
        #expect(try cities(["country": ["$notInQuery": countries(["size": 9])]]).count == 4)
        #expect(try cities(["$nor": [["country": ["$notInQuery": countries(["size": 1])]]]]) == ["malmo"])
    }

    /// As on Parse Server.
    @Test(
        arguments: [
            ["order": "-size", "limit": 1], ["order": "size", "skip": 2], ["limit": 0], ["limit": "x"],
        ] as [JSONObject])
    func aSubqueryIgnoresItsLimit(_ more: JSONObject) throws {
        #expect(try cities(["country": ["$inQuery": countries([:], more)]]) == ["oslo", "bergen", "malmo"])
        let codes: JSONValue = ["query": countries([:], more), "key": "code"]
        #expect(try cities(["code": ["$dontSelect": codes]]) == ["atlantis"])
    }

    @Test func idsFromASelectSubqueryMatchPointers() throws {
        let ids = { (conditions: JSONValue, key: JSONValue) -> JSONValue in
            ["query": countries(conditions), "key": key]
        }
        #expect(try cities(["country": ["$select": ids(["size": 0], "objectId")]]) == ["oslo", "bergen"])
        #expect(try cities(["country": ["$dontSelect": ids(["size": 0], "objectId")]]) == ["malmo", "atlantis"])
        #expect(try cities(["country": ["$select": ids(["size": 1], "tags")]]) == ["malmo"])
        #expect(try cities(["code": ["$select": ids(["size": 1], "objectId")]]) == ["malmo"])
        #expect(try cities(["country.objectId": ["$select": ids(["size": 1], "objectId")]]) == ["malmo"])
        let malmo: JSONValue = ["className": "City", "where": ["objectId": "malmo"]]
        let ofCities: JSONValue = ["query": malmo, "key": "country.objectId"]
        #expect(try cities(["country": ["$select": ofCities]]) == ["malmo"])
        #expect(try store.ids(["where": ["objectId": ["$select": ofCities]]], of: "Country") == ["se"])
        let inside: JSONValue = ["className": "City", "where": ["country": ["$select": ids(["size": 1], "objectId")]]]
        #expect(try cities(["code": ["$select": ["query": inside, "key": "code"]]]) == ["malmo"])
    }

    /// The type of the field is unknown.
    @Test func idsFromASelectSubqueryMatchPointersInAReplica() async throws {
        let replica = try LocalStore.make(.replica)
        for (n, (city, country)) in [("x", "abcDEF1234"), ("y", "abcDEF1235")].enumerated() {
            try await replica.pull([.make(country, ["n": .int(n)], of: "Country")])
            try await replica.pull([.make(city, ["country": .country(country)], of: "City")])
        }
        let ids: JSONValue = ["query": ["className": "Country", "where": ["n": 0]], "key": "objectId"]
        #expect(try replica.ids(["where": ["country": ["$select": ids]]], of: "City") == ["x"])
        #expect(try replica.ids(["where": ["country": ["$dontSelect": ids]]], of: "City") == ["y"])
    }

    @Test func subqueriesMayBeNested() throws {
        let trips: JSONValue = ["className": "Trip", "where": ["objectId": "trip"]]
        let visited: JSONValue = [
            "$relatedTo": ["object": Pointer(className: "Trip", objectId: "trip").json, "key": "countries"]
        ]
        #expect(try cities(["country": ["$inQuery": countries(visited)]]) == ["oslo", "bergen"])
        let inNorway = countries([
            "code": ["$select": ["query": ["className": "City", "where": ["objectId": "oslo"]], "key": "code"]]
        ])
        #expect(
            try cities(["$or": [["country": ["$inQuery": inNorway]], ["objectId": "atlantis"]]]) == [
                "oslo", "bergen", "atlantis",
            ])
        #expect(try store.ids(["where": ["objectId": ["$notInQuery": trips]]], of: "Trip").count == 2)
    }

    @Test func inQueryFindsOwnersOfRelationsWithAMatchingMember() throws {
        #expect(try store.ids(["where": ["countries": ["$inQuery": countries(["size": 2])]]], of: "Trip") == ["trip"])
        #expect(
            try store.ids(["where": ["countries": ["$notInQuery": countries(["size": 2])]]], of: "Trip") == ["stay"])
    }

    @Test func selectOperatorFindsValuesOfAnotherClass() throws {
        let selected = { (name: String, key: String, conditions: JSONValue) -> JSONValue in
            [name: ["query": countries(conditions), "key": .string(key)]]
        }
        #expect(try cities(["code": selected("$select", "code", ["size": ["$gt": 0]])]) == ["malmo"])
        #expect(try cities(["code": selected("$select", "tags", [:])]) == ["oslo", "bergen", "malmo"])
        #expect(try cities(["code": selected("$dontSelect", "objectId", [:])]) == ["atlantis"])
        #expect(try cities(["code": selected("$select", "nothing", [:])]) == [])
        #expect(try cities(["code": selected("$dontSelect", "nothing", [:])]).count == 4)
        #expect(try cities(["code": ["$select": ["query": ["className": "Country"], "key": "code"]]]).count == 3)
    }

    /// As on Parse Server, which appends the results of the subquery to the list.
    @Test func anInListAndAnInQueryOnOneFieldAreCombined() throws {
        let found = try cities(["country": ["$in": [.country("se")], "$inQuery": countries(["size": 0])]])
        #expect(found == ["oslo", "bergen", "malmo"])
        let rest = try cities(["country": ["$nin": [.country("se")], "$notInQuery": countries(["size": 0])]])
        #expect(rest == ["atlantis"])
    }

    @Test func subqueriesFindObjectsByReplacedIds() async throws {
        let replica = try LocalStore.make(.replica)
        let local = try await replica.create(["code": "no"], of: "Country")
        try await replica.create(["country": .country(local)], of: "City")
        try await replica.push(local, .applied("remote", createdMs: 1, updatedMs: 1))
        let inner: JSONValue = ["className": "Country", "where": ["objectId": .string(local)]]
        #expect(try replica.ids(["where": ["country": ["$inQuery": inner]]], of: "City").count == 1)
    }

    /// Each level of the subqueries follows one pointer. When a statement named each level three times, SQLite took
    /// minutes to parse fifteen of them.
    @Test(arguments: ["$inQuery", "$notInQuery"]) func manyLevelsOfSubqueriesAreAccepted(name: String) async throws {
        let store = try LocalStore.make { $0.allowsChosenIds = true }
        for link in 0..<16 {
            try await store.create(
                [
                    "objectId": .string("l\(link)"), "n": .int(link),
                    "next": Pointer(className: "Link", objectId: "l\(link - 1)").json,
                ], of: "Link")
        }
        var conditions: JSONValue = ["n": 0]
        for _ in 0..<15 { conditions = ["next": .object([name: ["className": "Link", "where": conditions]])] }
        let query = try ParseQuery(parameters: ["where": conditions])
        let found = try store.find("Link", query).objects.map(\.objectId)
        #expect(found == (name == "$inQuery" ? ["l15"] : stride(from: 0, to: 16, by: 2).map { "l\($0)" }))
        let statements = try store.explain("Link", query)
        #expect(statements.count == 15)
        #expect(statements.allSatisfy { $0.sql.utf8.count < 3000 })
    }

    @Test func tooManyLevelsOfSubqueriesAreRefused() throws {
        var conditions: JSONValue = ["n": 0]
        for _ in 0..<17 { conditions = ["next": ["$inQuery": ["className": "Link", "where": conditions]]] }
        #expect(throws: ParseError(.invalidQuery, "where nests deeper than 16 levels")) {
            try ParseQuery(parameters: ["where": conditions])
        }
    }

    /// The time limit of the query includes the time of its innermost subqueries.
    @Test func subqueriesStopAtTheTimeLimitOfTheQuery() async throws {
        let store = try LocalStore.make()
        let text = String(repeating: "lorem ipsum ", count: 150)
        let requests = (0..<2000).map { _ in WriteRequest.create(className: "Country", body: ["v": .string(text)]) }
        _ = await store.perform(requests, atomically: true)
        let patterns = (0..<900).map { JSONValue.object(["v": ["$regex": .string("x.*\($0)$")]]) }
        var conditions: JSONValue = ["$or": .array(patterns)]
        for _ in 0..<3 { conditions = ["link": ["$inQuery": ["className": "Country", "where": conditions]]] }
        let query = try ParseQuery(parameters: ["where": conditions])
        #expect(throws: StoreError.tookTooLong) {
            try store.find("Country", query, timeout: ReadTimeout(.zero)) { _ in }
        }
        #expect(throws: StoreError.tookTooLong) { try store.explain("Country", query, timeout: ReadTimeout(.zero)) }
        #expect(try store.find("Country", ParseQuery(limit: 1)).objects.count == 1)
    }
}
