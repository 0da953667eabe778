import HTTPTypes
import LocalStore
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import Gateway

/// Tests which changes give an object another tag (`X-Tidegate-Tag`), and which do not.
@Suite("Tags of objects")
struct ObjectTagTests {
    private let world: World
    private let replica: TagClient

    init() async throws {
        world = try await World.make(classes: ["Holiday", "Country"], isOffline: true)
        replica = TagClient(world.replica.api(world.clock))
    }

    private func sync() async throws {
        world.transport.heal()
        world.clock.advance(.seconds(30))
        try await world.replica.sync()
    }

    @Test func acknowledgedPushDoesNotChangeTheTagOfAnObject() async throws {
        // The remote adds a relation to every object of its class, and orders keys differently. The tag must not
        // change.
        _ = try await world.hub.store.create(
            "Holiday",
            ["z": 1, "name": "first", "rel": ["__op": "AddRelation", "objects": [.pointer("Country", "c")]]])
        let store = world.replica.store
        let country = try await store.create("Country", ["name": "Norway"])
        let file = try await replica.client.upload("flag.png", "bytes")
        let id = try await store.create(
            "Holiday",
            [
                "name": "é", "n": 1.5, "big": 12_345_678_901, "zero": 0, "flag": true, "image": file,
                "in": .pointer("Country", country), "all": [.pointer("Country", country), ["deep": file]],
                "deep": ["b": 1, "a": ["d": 2, "c": [3]]], "gone": nil,
                "at": ["__type": "Date", "iso": "2026-01-01T00:00:00.000Z"],
                "place": ["__type": "GeoPoint", "longitude": 5, "latitude": 52],
                "ACL": ["*": ["read": true, "write": true]],
            ])
        let before = try await replica.tag("Holiday", id)
        try await sync()
        #expect(try store.state("Holiday", id) == .synced)
        let adopted = try #require(try store.object("Holiday", id)?.objectId)
        #expect(adopted != id)
        #expect(try await replica.tag("Holiday", id) == before)
        #expect(try await replica.tag("Holiday", adopted) == before)
        try await sync()
        #expect(try await replica.tag("Holiday", id) == before)
        try await store.update("Holiday", id, ["n": ["__op": "Increment", "amount": 1]])
        let incremented = try await replica.tag("Holiday", id)
        #expect(incremented != before)
        try await sync()
        #expect(try await replica.tag("Holiday", id) == incremented)
    }

    @Test func idReplacedByTheRemoteInAPointerDoesNotChangeTheTag() async throws {
        world.transport.heal()
        let store = world.replica.store
        try await sync()
        let country = try await store.create("Country", ["name": "Norway"])
        let id = try await store.create("Holiday", ["in": .pointer("Country", country)])
        let before = try await replica.tag("Holiday", id)
        try await sync()
        let adopted = try #require(try store.object("Country", country)?.objectId)
        #expect(try store.fields("Holiday", id)?["in"] == .pointer("Country", adopted))
        #expect(try await replica.tag("Holiday", id) == before)
        try await store.update("Holiday", id, ["in": .pointer("Country", "another")])
        #expect(try await replica.tag("Holiday", id) != before)
    }

    @Test func anyChangeOfAFieldChangesTheTag() async throws {
        let store = world.replica.store
        let id = try await store.create("Holiday", ["n": 1, "deep": ["a": [1, 2]], "text": "a"])
        var seen: Set<String> = [try await replica.tag("Holiday", id)]
        let changes: [JSONObject] = [
            ["n": 2], ["deep": ["a": [2, 1]]], ["deep.b": 1], ["text": "b"], ["more": false],
            ["text": ["__op": "Delete"]], ["n": "2"], ["ACL": ["*": ["read": true]]],
        ]
        for change in changes {
            try await store.update("Holiday", id, change)
            let (isNew, _) = seen.insert(try await replica.tag("Holiday", id))
            #expect(isNew, "\(change)")
        }
        // Each state has a new tag, even if the fields are those of an earlier state.
        try await store.update("Holiday", id, ["n": 2])
        #expect(seen.insert(try await replica.tag("Holiday", id)).inserted)
        try await sync()
        let hubId = try #require(try store.object("Holiday", id)?.objectId)
        try await world.hub.store.update("Holiday", hubId, ["theirs": 1])
        #expect(seen.contains(try await replica.tag("Holiday", id)))
        try await sync()
        #expect(!seen.contains(try await replica.tag("Holiday", id)))
    }

    @Test func aChangeOfTheTimeAloneDoesNotChangeTheTag() async throws {
        let store = world.replica.store
        let id = try await store.create("Holiday", ["n": 1])
        let before = try await replica.tag("Holiday", id)
        world.clock.advance(.seconds(5))
        try await store.update("Holiday", id, ["n": 1])
        #expect(try await replica.tag("Holiday", id) == before)
    }

    @Test func tagDoesNotDependOnRequestedFields() async throws {
        let store = world.replica.store
        let country = try await store.create("Country", ["name": "Norway"])
        let id = try await store.create(
            "Holiday",
            ["name": .string(String(repeating: "long ", count: 4000)), "n": 1, "in": .pointer("Country", country)])
        let tag = try await replica.tag("Holiday", id)
        #expect(tag.hasPrefix("\"") && tag.hasSuffix("\""))
        for query in ["?keys=n", "?excludeKeys=n", "?include=in", "?keys=objectId", "?_sync=true"] {
            #expect(try await replica.tag("Holiday", id, query) == tag, "\(query)")
        }
        #expect(try await replica.tag("Holiday", id, "", [.acceptEncoding: "gzip"]) == tag)
        for query in ["", "&keys=n", "&include=in", "&keys=objectId", "&order=-n&count=1"] {
            let list = try await replica.send(.get, "/classes/Holiday?_sync=true\(query)").json
            #expect(TagClient.tag(in: list["results"]?.array?.first) == tag, "\(query)")
        }
        let feed = try await replica.send(.get, "/changes?since=0&_sync=true").json["results"]?.array ?? []
        let inFeed = feed.map { TagClient.tag(in: $0.object?["object"]) }
        #expect(inFeed.contains(tag))
        let plain = try await replica.send(.get, "/changes?since=0").json
        #expect(!plain.jsonText.contains("_sync"))
    }

    @Test func answersToWritesContainTheTagOnRequest() async throws {
        let made = try await replica.send(.post, "/classes/Holiday?_sync=true", ["n": 1]).json
        let id = try #require(made["objectId"]?.string)
        #expect(made["_sync"]?.object?["state"] == "created")
        #expect(try await TagClient.tag(in: .object(made)) == replica.tag("Holiday", id))
        let changed = try await replica.send(.put, "/classes/Holiday/\(id)?_sync=true", ["n": 2]).json
        #expect(try await TagClient.tag(in: .object(changed)) == replica.tag("Holiday", id))
        let batch: JSONObject = [
            "requests": [
                ["method": "PUT", "path": .string("/classes/Holiday/\(id)?_sync=true"), "body": ["n": 3]],
                ["method": "GET", "path": .string("/classes/Holiday/\(id)?_sync=true")],
                ["method": "PUT", "path": .string("/classes/Holiday/\(id)"), "body": ["n": 3]],
            ]
        ]
        let answer = await replica.client.send(.post, "/batch", [:], batch.jsonBytes)
        let items = try JSONReader.read(answer.body).array?.map { $0.object?["success"] } ?? []
        let tag = try await replica.tag("Holiday", id)
        #expect(items.map { TagClient.tag(in: $0 ?? nil) } == [tag, tag, nil])
        #expect(try await replica.send(.put, "/classes/Holiday/\(id)", ["n": 4]).json["_sync"] == nil)
        let gone = try await replica.send(.delete, "/classes/Holiday/\(id)?_sync=true").json
        #expect(gone == ["_sync": ["state": "deleted"]])
    }

    /// Each gateway has its own tags, so a tag of another gateway is not valid here even if the fields are the same.
    @Test func tagsOfTwoGatewaysDifferForTheSameFields() async throws {
        let hub = TagClient(world.hub.api)
        let id = try await world.hub.store.create("Holiday", ["n": 1, "name": "a"])
        try await sync()
        #expect(try await hub.tag("Holiday", id) != replica.tag("Holiday", id))
    }

    @Test func operationIdsAreNotPartOfTheTag() async throws {
        try await world.replica.set(["opField": "tidegateOps"])
        let id = try await world.replica.store.create("Holiday", ["n": 1])
        try await sync()
        let before = try await replica.tag("Holiday", id)
        for _ in 1...2 {
            try await world.replica.store.update("Holiday", id, ["n": 1])
            try await sync()
            #expect(try await replica.tag("Holiday", id) == before)
        }
    }

    /// A tag that was read after a change of the class's options is valid for a write.
    @Test func tagReadAfterAnOptionChangeIsValidForWrites() async throws {
        let id = try await world.hub.store.create("Holiday", ["n": 1, "marks": ["a"]])
        try await sync()
        let before = try await replica.tag("Holiday", id)
        try await world.replica.set(["opField": "marks"])
        // The field now holds operation ids, so clients no longer see it.
        let after = try await replica.tag("Holiday", id)
        #expect(after != before)
        #expect(try await replica.send(.put, "/classes/Holiday/\(id)", ["n": 2], ifMatch: after).status == 200)
    }

    @Test func syncStateOfAnObjectListsItsPulledFields() async throws {
        let id = try await world.hub.store.create("Holiday", ["name": "a", "text": "long", "n": 1])
        try await sync()
        let whole = try await replica.send(.get, "/classes/Holiday/\(id)?_sync=true").json
        #expect(whole["_sync"]?.object?["fetched"] == nil)
        try await world.replica.set(["pulls": [["name": "names", "keys": ["name", "n"]]]])
        try await sync()
        let part = try await replica.send(.get, "/classes/Holiday/\(id)?_sync=true").json
        #expect(part["_sync"]?.object?["fetched"] == ["ACL", "n", "name"])
        let list = try await replica.send(.get, "/classes/Holiday?_sync=true").json
        #expect(list["results"]?.array?.first == .object(part))
    }
}

extension JSONValue {
    static func pointer(_ className: String, _ objectId: String) -> JSONValue {
        Pointer(className: className, objectId: objectId).json
    }
}
