import LocalStore
import ParseModel
import StoreService
import StoreSupport
import SyncEngine
import Testing

/// Tests pulls that the remote refuses, beside pulls that succeed.
@Suite("Pulls that the remote refuses")
struct RefusedPullTests {
    /// This query is valid only for dates. Only the server knows that the field is a number, and refuses it.
    private static let bad: JSONObject = ["n": ["$lt": ["$relativeTime": "1 day ago"]]]

    private func world(_ classes: [String] = ["Holiday", "Birthday"]) async throws -> World {
        let world = try await World.make(classes: classes)
        for name in classes { try await world.hub.store.create(name, ["n": 1]) }
        return world
    }

    @Test func aRefusedPullIsAWarningAndOtherClassesSync() async throws {
        let world = try await world()
        try await world.replica.sync()
        try await world.replica.set(["pulls": [["name": "bad", "where": .object(Self.bad)]]], of: "Birthday")
        try await world.hub.store.create("Holiday", ["n": 2])
        try await world.replica.store.create("Birthday", ["n": 3])
        world.clock.advance(.seconds(60))
        let (status, answer) = try await world.replica.send("POST /sync?wait=true", clock: world.clock)
        #expect(status == 200)
        #expect(answer["warnings"]?.array?.count == 1)
        #expect(answer["warnings"]?.array?.first?.string?.contains("Birthday") == true)
        #expect(answer["pushed"] == 1)
        try world.expectEqual()
        // The objects of the class with the refused pull are kept.
        #expect(try world.replica.store.all("Birthday").count == 2)
        #expect(try world.hub.store.all("Birthday").count == 2)
    }

    @Test func otherPullsOfAClassWithARefusedPullContinue() async throws {
        let world = try await world()
        try await world.replica.sync()
        try await world.replica.set(
            ["pulls": [["name": "bad", "where": .object(Self.bad)], ["name": "n", "where": ["n": ["$gt": 0]]]]])
        try await world.hub.store.create("Holiday", ["n": 2])
        #expect(try await world.replica.sync().warnings.count == 1)
        try world.expectEqual()
    }

    @Test func manyRefusedPullsDoNotStopOtherClasses() async throws {
        let world = try await world(["A", "B", "C", "D", "Holiday"])
        try await world.replica.sync()
        for name in ["A", "B", "C", "D"] {
            try await world.replica.set(["pulls": [["name": "bad", "where": .object(Self.bad)]]], of: name)
        }
        try await world.hub.store.create("Holiday", ["n": 2])
        world.clock.advance(.seconds(60))
        #expect(try await world.replica.sync().warnings.count == 4)
        try world.expectEqual()
    }

    @Test(
        arguments: [
            ["pulls": [["name": "a", "where": ["n": ["$near": 1]]]]],
            ["pulls": [["name": "a", "where": ["$or": ["n": 1]]]]],
            ["pulls": [["name": "a", "where": ["n": ["$all": 1]]]]], ["pulls": [["name": "a"], ["name": "a"]]],
            ["pulls": [["name": ""]]], ["pulls": [["name": "a", "keys": []]]], ["pulls": [["name": "a", "limit": 3]]],
            ["pulls": "all"], ["policy": "mine"], ["opField": 3], ["deletedField": "a.b"], ["relations": "no"],
            ["files": ["a.b": "none"]], ["files": ["objectId": "lazy"]], ["files": ["": "none"]],
            ["interval": 3],
        ] as [JSONObject])
    func invalidOptionsOfAPullAreRefusedAtOnce(options: JSONObject) async throws {
        let world = try await world()
        let (status, answer) = try await world.replica.send("PUT /sync/classes/Holiday", options, clock: world.clock)
        #expect(status == 400)
        #expect([102, 107].contains(answer["code"]))
        #expect(try await world.replica.store.sync.syncClasses().allSatisfy { $0.options.policy == .merge })
    }

    @Test func changedPullOptionsAreShownAndOtherOptionsStay() async throws {
        let world = try await world()
        _ = try await world.replica.send(
            "PUT /sync/classes/Holiday", ["policy": "local", "opField": "ops", "deletedField": "gone"],
            clock: world.clock)
        let (status, answer) = try await world.replica.send(
            "PUT /sync/classes/Holiday",
            ["opField": nil, "relations": false, "pulls": [["name": "few", "where": ["n": 1], "keys": ["n"]]]],
            clock: world.clock)
        #expect(status == 200)
        #expect(answer["policy"] == "local")
        #expect(answer["opField"] == .null)
        #expect(answer["deletedField"] == "gone")
        #expect(answer["relations"] == false)
        let pull = try #require(answer["pulls"]?.array?.first?.object)
        #expect((pull["name"], pull["where"], pull["keys"]) == ("few", ["n": 1], ["n"]))
        #expect(pull["initialSyncComplete"] == false)
        try await world.replica.sync()
        let (_, later) = try await world.replica.send("GET /sync/classes/Holiday", clock: world.clock)
        #expect(later["pulls"]?.array?.first?.object?["initialSyncComplete"] == true)
    }
}
