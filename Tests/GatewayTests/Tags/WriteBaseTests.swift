import HTTPTypes
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import Gateway

/// Tests writes that name the state on which they are based: `_base` is the `updatedAt` of that state.
@Suite("Writes that name their base state")
struct WriteBaseTests {
    private let world: World
    private let replica: TagClient

    init() async throws {
        world = try await World.make()
        replica = TagClient(world.replica.api(world.clock))
    }

    private var store: LocalStore { world.replica.store }

    /// Makes an object whose field `a` the remote has changed after a client read it.
    /// - Returns: its id, and the `updatedAt` of the read state.
    private func changedObject(policy: JSONValue) async throws -> (id: String, seen: JSONValue) {
        try await world.replica.set(["policy": policy])
        let id = try await world.hub.store.create("Holiday", ["a": 1, "b": 1])
        try await world.replica.sync()
        let seen = try #require(try await replica.send(.get, "/classes/Holiday/\(id)").json["updatedAt"])
        world.clock.advance(.seconds(30))
        try await world.hub.store.update("Holiday", id, ["a": 2])
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
        return (id, seen)
    }

    private func put(_ id: String, _ body: JSONObject) async throws -> (status: Int, json: JSONObject) {
        let answer = try await replica.send(.put, "/classes/Holiday/\(id)", body)
        return (answer.status, answer.json)
    }

    private func settled() throws -> [ListedConflict] { try store.conflicts(resolved: true) }

    @Test(arguments: ["merge", "local"] as [JSONValue]) func writeBasedOnAnOldStateIsKeptAndRecordedUnderTheLocalPolicy(
        _ policy: JSONValue
    ) async throws {
        let (id, seen) = try await changedObject(policy: policy)
        #expect(try await put(id, ["a": 3, "b": 3, "_base": seen]).status == 200)
        #expect(try store.fields("Holiday", id) == ["a": 3, "b": 3])
        let record = try #require(try settled().first)
        #expect(record.fields == ["a"])
        #expect(record.resolution == "local")
        #expect(record.base?.contains("\"a\":1") == true)
        #expect(record.local?.contains("\"a\":3") == true)
        #expect(record.remote?.contains("\"a\":2") == true)
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id) == ["a": 3, "b": 3])
    }

    @Test func writeBasedOnAnOldStateKeepsOthersChangesUnderTheRemotePolicy() async throws {
        let (id, seen) = try await changedObject(policy: "remote")
        #expect(try await put(id, ["a": 3, "b": 3, "_base": seen]).status == 200)
        #expect(try store.fields("Holiday", id) == ["a": 2, "b": 3])
        let record = try #require(try settled().first)
        #expect((record.fields, record.resolution) == (["a"], "remote"))
        #expect(try await put(id, ["a": 4, "_base": seen]).status == 200)
        #expect(try store.fields("Holiday", id) == ["a": 2, "b": 3])
        try await world.replica.sync()
        try world.expectEqual()
    }

    @Test(arguments: [("local", ["a": 3, "b": 3]), ("remote", ["a": 2, "b": 1])] as [(String, JSONObject)])
    func writeBasedOnAnOldStateIsAConflictUnderTheManualPolicy(_ keep: String, _ result: JSONObject) async throws {
        let (id, seen) = try await changedObject(policy: "manual")
        #expect(try await put(id, ["a": 3, "b": 3, "_base": seen]).status == 200)
        #expect(try store.state("Holiday", id) == .conflict)
        let conflict = try #require(try store.conflicts(resolved: false).first)
        #expect(conflict.fields == ["a"])
        #expect(conflict.remote?.contains("\"a\":2") == true)
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id) == ["a": 2, "b": 1])
        try await store.resolveConflict(conflict.id, keep: keep, fields: nil)
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id) == result)
        try world.expectEqual()
        #expect(try store.invariantViolations() == [])
    }

    @Test(arguments: ["merge", "remote", "manual"] as [JSONValue])
    func fieldsUnchangedAtTheRemoteAreWrittenDespiteAnOldBaseDate(_ policy: JSONValue) async throws {
        let (id, seen) = try await changedObject(policy: policy)
        #expect(try await put(id, ["b": 5, "a": 2, "_base": seen]).status == 200)
        #expect(try store.fields("Holiday", id) == ["a": 2, "b": 5])
        #expect(try settled().isEmpty)
        #expect(try store.state("Holiday", id) == .updated)
    }

    @Test func commutativeOperationsBasedOnAnOldStateAreNoConflict() async throws {
        let (id, seen) = try await changedObject(policy: "manual")
        #expect(try await put(id, ["a": ["__op": "Increment", "amount": 5], "_base": seen]).status == 200)
        #expect(try store.fields("Holiday", id)?["a"] == 7)
        #expect(try store.state("Holiday", id) == .updated)
    }

    @Test func writeBasedOnTheStateBeforeTheGatewaysOwnPushIsNoConflict() async throws {
        try await world.replica.set(["policy": "manual"])
        let id = try await store.create("Holiday", ["a": 1])
        let made = try #require(try await replica.send(.get, "/classes/Holiday/\(id)").json["updatedAt"])
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
        world.clock.advance(.seconds(30))
        #expect(try await put(id, ["a": 2, "_base": made]).status == 200)
        #expect(try store.state("Holiday", id) == .updated)
        try await world.replica.sync()
        #expect(try store.fields("Holiday", id) == ["a": 2])
        #expect(try store.conflicts(resolved: false).isEmpty && settled().isEmpty)
    }

    @Test func writeWithAnUnknownBaseDateRecordsEveryDifferentValueAsAConflict() async throws {
        let (id, _) = try await changedObject(policy: "merge")
        #expect(try await put(id, ["a": 2, "b": 9, "c": 1, "_base": "2001-01-01T00:00:00.000Z"]).status == 200)
        let record = try #require(try settled().first)
        #expect(record.fields == ["b", "c"])
        #expect(record.base == nil)
        #expect(try store.fields("Holiday", id) == ["a": 2, "b": 9, "c": 1])
    }

    @Test func writeBasedOnAStateBeforeAnotherLocalClientsEditFollowsThePolicy() async throws {
        let (id, _) = try await changedObject(policy: "manual")
        let seen = try #require(try await replica.send(.get, "/classes/Holiday/\(id)").json["updatedAt"])
        world.clock.advance(.seconds(1))
        #expect(try await put(id, ["a": 5, "_base": seen]).status == 200)
        world.clock.advance(.seconds(1))
        #expect(try await put(id, ["a": 6, "_base": seen]).status == 200)
        let conflict = try #require(try store.conflicts(resolved: false).first)
        #expect(conflict.base?.contains("\"a\":5") == true)
        #expect(conflict.local?.contains("\"a\":6") == true)
        try await store.resolveConflict(conflict.id, keep: "local", fields: nil)
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id)?["a"] == 6)
    }

    @Test(arguments: ["merge", "manual", "local", "remote"] as [JSONValue])
    func deletionBasedOnAnOldStateFollowsTheConflictPolicy(_ policy: JSONValue) async throws {
        let (id, seen) = try await changedObject(policy: policy)
        let answer = try await replica.send(.delete, "/classes/Holiday/\(id)", ["_base": seen])
        #expect(answer.status == 200)
        switch policy {
        case "local":
            #expect(try store.object("Holiday", id) == nil)
            #expect(try settled().map(\.resolution) == ["local"])
        case "remote":
            #expect(try store.state("Holiday", id) == .synced)
            #expect(try settled().map(\.resolution) == ["remote"])
        default:
            #expect(try store.state("Holiday", id) == .conflict)
            let conflict = try #require(try store.conflicts(resolved: false).first)
            #expect(conflict.kind == .deletedLocally)
            try await world.replica.sync()
            #expect(try world.hub.store.object("Holiday", id) != nil)
            try await store.resolveConflict(conflict.id, keep: policy == "merge" ? "local" : "remote", fields: nil)
        }
        try await world.replica.sync()
        #expect(try (world.hub.store.object("Holiday", id) == nil) == ["local", "merge"].contains(policy))
        try world.expectEqual()
        #expect(try store.invariantViolations() == [])
    }

    @Test func pendingEditSurvivesAConflictingDeletionDecidedForTheRemote() async throws {
        let (id, seen) = try await changedObject(policy: "merge")
        #expect(try await put(id, ["b": 8]).status == 200)
        #expect(try await replica.send(.delete, "/classes/Holiday/\(id)", ["_base": seen]).status == 200)
        let conflict = try #require(try store.conflicts(resolved: false).first)
        #expect(try store.fields("Holiday", id) == ["a": 2, "b": 8])
        try await store.resolveConflict(conflict.id, keep: "remote", fields: nil)
        try await world.replica.sync()
        #expect(try world.hub.store.fields("Holiday", id) == ["a": 2, "b": 8])
        #expect(try store.invariantViolations() == [])
    }

    @Test func deletionBasedOnTheCurrentStateIsCarriedOut() async throws {
        let (id, _) = try await changedObject(policy: "manual")
        let seen = try #require(try await replica.send(.get, "/classes/Holiday/\(id)").json["updatedAt"])
        #expect(try await replica.send(.delete, "/classes/Holiday/\(id)", ["_base": seen]).status == 200)
        #expect(try store.object("Holiday", id) == nil)
    }

    @Test func standaloneGatewayRefusesAWriteBasedOnAnOldState() async throws {
        let hub = TagClient(world.hub.api)
        let id = try await world.hub.store.create("Holiday", ["a": 1, "b": 1])
        let path = "/classes/Holiday/\(id)"
        let seen = try #require(try await hub.send(.get, path).json["updatedAt"])
        world.clock.advance(.seconds(1))
        #expect(try await hub.send(.put, path, ["a": 2, "_base": seen]).status == 200)
        world.clock.advance(.seconds(1))
        #expect(try await hub.send(.put, path, ["b": 2, "_base": seen]).status == 200)
        for (method, body) in [(.put, ["a": 3, "_base": seen]), (.delete, ["_base": seen])]
            as [(HTTPRequest.Method, JSONObject)]
        {
            let answer = try await hub.send(method, path, body)
            #expect(answer.status == 412)
            #expect(answer.json["object"]?.object?["a"] == 2)
            #expect(answer.tag != nil)
        }
        #expect(try world.hub.store.fields("Holiday", id) == ["a": 2, "b": 2])
    }

    @Test(
        arguments: [
            nil, 5, "yesterday", "2026-02-30T00:00:00Z", ["iso": "2026-01-01T00:00:00Z"], [],
            ["__type": "Date", "iso": "x"],
        ] as [JSONValue])
    func writeWhoseBaseIsNoDateIsAnsweredWith400(_ base: JSONValue) async throws {
        let (id, _) = try await changedObject(policy: "merge")
        let before = try store.all("Holiday")
        for (method, path) in [(.put, "/\(id)"), (.delete, "/\(id)"), (.post, "")] as [(HTTPRequest.Method, String)] {
            let answer = try await replica.send(method, "/classes/Holiday\(path)", ["a": 3, "_base": base])
            #expect(answer.status == 400)
        }
        #expect(try store.all("Holiday") == before)
    }

    @Test func baseDateOfAWriteIsNeverStoredAsAField() async throws {
        let (id, seen) = try await changedObject(policy: "merge")
        let date: JSONValue = ["__type": "Date", "iso": seen]
        #expect(try await put(id, ["b": 4, "_base": date]).status == 200)
        let made = try await replica.send(.post, "/classes/Holiday", ["a": 1, "_base": date])
        #expect(made.status == 201)
        let item: JSONObject = [
            "requests": [
                ["method": "PUT", "path": .string("/classes/Holiday/\(id)"), "body": ["a": 7, "_base": seen]]
            ]
        ]
        let answer = await replica.client.send(.post, "/batch", [:], item.jsonBytes)
        #expect(answer.text.contains("success"))
        #expect(try settled().map(\.fields) == [["a"]])
        let objects = try store.all("Holiday").values.map(\.jsonText)
        let pending = try store.pendingChanges().map(\.step.operations.json.jsonText)
        #expect(!(objects + pending).joined().contains("_base"))
    }
}
