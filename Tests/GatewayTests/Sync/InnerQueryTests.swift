import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests pulls whose conditions contain subqueries. A Parse Server may cut the result of a subquery without an error
/// (`subqueryLimit`), so the engine reads it itself.
@Suite("Subqueries in the conditions of pulls")
struct InnerQueryTests {
    private static let operators = ["$inQuery", "$notInQuery", "$select", "$dontSelect"]

    private func world(_ conditions: JSONObject, valuesMax: Int = 10_000) async throws -> World {
        var options = SyncOptions()
        options.innerQueryValuesMax = valuesMax
        let world = try await World.make(pageSize: 2, options: options) { hub, _ in
            for n in 0..<5 {
                let country = try await hub.store.create("Country", ["n": .int(n), "code": .string("c\(n)")])
                try await hub.store.create(
                    "Holiday",
                    [
                        "name": .string("h\(n)"), "code": .string("c\(n)"),
                        "country": Pointer(className: "Country", objectId: country).json,
                    ])
            }
        }
        try await world.replica.sync()
        try await world.replica.set(["pulls": [["name": "part", "where": .object(conditions)]]])
        return world
    }

    private func sync(_ world: World) async throws -> SyncSummary {
        world.clock.advance(.seconds(30))
        return try await world.replica.sync()
    }

    private func names(_ world: World) throws -> [String] {
        try world.replica.store.all("Holiday").values.compactMap { $0["name"]?.string }.sorted()
    }

    private static let low: JSONObject = ["className": "Country", "where": ["n": ["$lt": 3]]]

    private static let cases: [(JSONObject, [String])] = [
        (["country": ["$inQuery": .object(low)]], ["h0", "h1", "h2"]),
        (["country": ["$notInQuery": .object(low)]], ["h3", "h4"]),
        (["code": ["$select": ["query": .object(low), "key": "code"]]], ["h0", "h1", "h2"]),
        (["code": ["$dontSelect": ["query": .object(low), "key": "code"]]], ["h3", "h4"]),
        (
            [
                "objectId": [
                    "$select": ["query": ["className": "Holiday", "where": ["name": "h1"]], "key": "objectId"]
                ]
            ], ["h1"]
        ),
        (["$or": [["country": ["$inQuery": .object(low)]], ["name": "h4"]]], ["h0", "h1", "h2", "h4"]),
        (
            [
                "country": [
                    "$inQuery": [
                        "className": "Country",
                        "where": ["code": ["$select": ["query": .object(low), "key": "code"]]],
                    ]
                ]
            ], ["h0", "h1", "h2"]
        ),
    ]

    @Test(arguments: cases)
    func subqueriesInPullConditionsAreResolvedByTheEngineAndNotSent(
        conditions: JSONObject, expected: [String]
    ) async throws {
        let world = try await world(conditions)
        _ = world.transport.takeSent()
        _ = try await sync(world)
        #expect(try names(world) == expected)
        for sent in world.transport.takeSent() {
            #expect(!Self.operators.contains { (sent.line + sent.body).contains($0) }, "\(sent.line)")
        }
    }

    @Test func objectEntersTheSubsetWhenTheSubqueriedClassChanges() async throws {
        let world = try await world(["country": ["$inQuery": .object(Self.low)]])
        _ = try await sync(world)
        let country = try #require(try world.hub.store.all("Country").first { $0.value["n"] == 4 }?.key)
        try await world.hub.store.update("Country", country, ["n": 1])
        for _ in 0..<2 { _ = try await sync(world) }
        #expect(try names(world) == ["h0", "h1", "h2", "h4"])
    }

    /// A subquery with a large result is sent unchanged. The sync warns that the remote may cut its result.
    @Test func largeSubqueryInPullConditionsIsSentWithAWarning() async throws {
        let world = try await world(["country": ["$inQuery": .object(Self.low)]], valuesMax: 2)
        _ = world.transport.takeSent()
        let summary = try await sync(world)
        #expect(try names(world) == ["h0", "h1", "h2"])
        #expect(world.transport.takeSent().contains { ($0.line + $0.body).contains("$inQuery") })
        #expect(summary.warnings.contains { $0.contains("an inner query of the pull part is sent as it is") })
    }

    @Test func subqueryThatTheRemoteRefusesStopsOnlyItsPull() async throws {
        let world = try await world(["country": ["$inQuery": .object(Self.low)]])
        _ = try await world.hub.store.changeSchema("Country") { schema in
            var schema = try #require(schema)
            schema.permissions = ["find": [:], "get": ["*": true], "count": [:]]
            return SchemaChange(schema)
        }
        world.clock.advance(.seconds(30))
        _ = await world.replica.attempt()
        let figures = try await world.replica.store.figures()
        #expect(figures.classes.first { $0.name == "Holiday" }?.refusal != nil)
    }
}
