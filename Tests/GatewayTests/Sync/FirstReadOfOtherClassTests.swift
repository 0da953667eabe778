import GatewayAPI
import HTTPServer
import HTTPTypes
import ParseModel
import Testing

/// Tests a user's reads that also read another class, whose first sync is not complete.
@Suite("Reads that wait for the first pull of another class")
struct FirstReadOfOtherClassTests {
    private static let subquery =
        "where="
        + PercentCoding.encodedPathSegment(#"{"place":{"$inQuery":{"className":"Place","where":{"name":"sea"}}}}"#)
    private let world: World
    private let api: GatewayAPI

    /// Makes a holiday that refers to a place in a field and in a list. The class of places is registered and not
    /// pulled yet.
    init() async throws {
        world = try await World.make(classes: ["Holiday"]) { hub, _ in
            let id = try await hub.store.create("Place", ["name": "sea"])
            let pointer: JSONObject = ["__type": "Pointer", "className": "Place", "objectId": .string(id)]
            try await hub.store.create("Holiday", ["place": .object(pointer), "places": [.object(pointer)]])
        }
        try await world.replica.sync()
        try await world.replica.store.registerClass("Place")
        api = world.replica.api(world.clock, user: SpaceUser(objectId: "ada") { ["objectId": "ada"] })
    }

    private func results(_ answer: (Int, JSONObject)) -> [JSONObject] {
        answer.1["results"]?.array?.compactMap(\.object) ?? []
    }

    @Test func aReadWaitsForTheFirstPullOfAnIncludedClass() async throws {
        let found = results(try await api.send("GET /classes/Holiday?include=place"))
        #expect(found.map { $0["place"]?.object?["name"] } == ["sea"])
    }

    @Test func aListWaitsForTheFirstPullOfAnIncludedClass() async throws {
        let found = results(try await api.send("GET /classes/Holiday?include=places"))
        #expect(found.map { $0["places"]?.array?.compactMap { $0.object?["name"] } } == [["sea"]])
    }

    @Test func aReadByIdWaitsForTheFirstPullOfAnIncludedClass() async throws {
        let id = try #require(try world.replica.store.all("Holiday").keys.first)
        let found = try await api.send("GET /classes/Holiday/\(id)?include=place")
        #expect(found.1["place"]?.object?["name"] == "sea", "\(found)")
    }

    @Test func aQueryWaitsForTheFirstPullOfTheClassOfItsSubquery() async throws {
        #expect(results(try await api.send("GET /classes/Holiday?\(Self.subquery)")).count == 1)
    }

    @Test func aReadInABatchWaitsForTheFirstPullOfAnIncludedClass() async throws {
        let items: [JSONValue] = [["method": "GET", "path": "/classes/Holiday?include=place"]]
        let answer = await api.handle(
            HTTPServerRequest(
                method: .post, path: "/batch", headers: [HTTPField.Name("Host")!: "localhost"],
                body: (["requests": .array(items)] as JSONObject).jsonBytes)
        ).response()
        let item = try #require(try JSONReader.read(answer.body).array?.first?.object)
        let found = item["success"]?.object?["results"]?.array?.compactMap(\.object) ?? []
        #expect(found.map { $0["place"]?.object?["name"] } == ["sea"], "\(item)")
    }

    @Test func readThatNeedsAFirstPullIsRefusedOffline() async throws {
        world.transport.set { _, _, _ in .refused }
        for parameters in ["include=place", Self.subquery] {
            let answer = try await api.send("GET /classes/Holiday?\(parameters)")
            #expect(answer.0 == 503 && answer.1["code"] == 100, "\(answer)")
        }
        #expect(results(try await api.send("GET /classes/Holiday")).count == 1)
    }

    /// The user does not sync this class, so there is no first sync to wait for.
    @Test func aReadDoesNotWaitForAClassThatIsNotSynced() async throws {
        try await world.replica.store.unregisterClass("Place", purge: false, force: false)
        world.transport.set { _, _, _ in .refused }
        #expect(results(try await api.send("GET /classes/Holiday?include=place")).count == 1)
        #expect(results(try await api.send("GET /classes/Holiday?\(Self.subquery)")).isEmpty)
    }
}
