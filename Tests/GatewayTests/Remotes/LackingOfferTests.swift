import GatewayAPI
import HTTPTypes
import LocalStore
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import Testing

@testable import Gateway

/// Tests a replica whose kind of remote has no relations, files, schemas and forwarded calls.
@Suite("Remotes that lack features")
struct LackingOfferTests {
    private let world: TableWorld
    private let client: FileClient

    init() async throws {
        world = try await TableWorld(["Holiday"], differing: ["Holiday": { $0.values = .any }])
        let control = EngineControl(
            engine: try world.engine, store: try world.store, changes: Observers(), environment: world.clock.environment
        )
        client = FileClient(
            api: Replica.api(
                APIParts(
                    store: try world.store.objects,
                    configuration: APIConfiguration(
                        mode: .replica, version: "test", keys: ClientKeys(masterKey: "m")),
                    environment: world.clock.environment, logger: .quiet),
                RemoteWays(control: control)))
    }

    @Test func uploadIsRefusedAtOnceIfTheRemoteStoresNoFiles() async throws {
        let answer = await client.send(.post, "/files/cat.png", [.contentType: "image/png"], Array("meow".utf8))
        #expect(answer.status == .badRequest)
        #expect(try answer.json == ["code": 130, "error": "This kind of remote keeps no files."])
    }

    @Test func pendingChangeWithAFileIsRejectedIfTheRemoteStoresNoFiles() async throws {
        let store = try world.store
        let draft = try store.draft()
        try Array("meow".utf8).withUnsafeBytes { try draft.write($0) }
        let file = try await store.addFile(
            draft, name: "0123456789abcdef0123456789abcdef_cat.png", contentType: "image/png")
        try await store.create("Holiday", ["image": FileReference(name: file.name, url: nil).json])
        try await store.create("Holiday", ["n": 1])
        #expect(try await world.sync().rejections == 1)
        let rejection = try #require(try store.rejections().first)
        #expect(rejection.code == 130)
        #expect(rejection.error?.contains("this kind of remote keeps no files") == true)
        #expect(world.remote.live("Holiday").count == 1)
    }

    @Test(arguments: ["/functions/hello", "/login", "/requestPasswordReset"])
    func callIsRefusedWithoutWaitingIfTheRemoteAnswersNoCalls(_ path: String) async throws {
        try await world.store.create("Holiday", ["n": 1])
        let answer = await client.send(.post, path, [:], Array("{}".utf8))
        #expect(answer.status == .badRequest)
        #expect(try answer.json["code"] == 108)
        #expect(try answer.json["error"]?.string?.contains("this kind of remote answers no calls") == true)
    }

    @Test func configAndSchemasAreStoredLocallyIfTheRemoteHasNone() async throws {
        world.remote.put("Holiday", "row", ["n": 1, "op": "r:1"])
        try await world.store.configureClass("Holiday") { options, _ in options.opField = "op" }
        try await world.sync()
        let master: HTTPFields = [HTTPField.Name("X-Parse-Master-Key")!: "m"]
        let change = await client.send(.put, "/config", master, Array(#"{"params":{"colour":"red"}}"#.utf8))
        #expect(try change.json == ["result": true])
        #expect(try await client.send(.get, "/config", [:], []).json["params"] == ["colour": "red"])
        let schema = await client.send(.get, "/schemas/Holiday", master, [])
        #expect(try schema.json["className"] == "Holiday")
        #expect(try schema.json["fields"]?.object?["op"] == nil)
        #expect(try await client.send(.get, "/schemas", master, []).json["results"]?.array?.isEmpty == false)
        // The request has no master key.
        #expect(await client.send(.get, "/schemas", [:], []).status == .forbidden)
        // Changes of schemas and purges are refused, because the remote would keep the rows and values that they
        // delete.
        for (method, path) in [
            (HTTPRequest.Method.post, "/schemas/New"), (.delete, "/schemas/Holiday"), (.delete, "/purge/Holiday"),
        ] {
            #expect(try await client.send(method, path, master, Array("{}".utf8)).json["code"] == 108)
        }
    }

    @Test func queryThatNeedsTheRemoteIsRefusedIfTheRemoteAnswersNoCalls() async throws {
        let error = await #expect(throws: SyncError.self) { try await world.engine.ask("Holiday", [:]) }
        guard case .refused(108, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func relationValueInARowCausesNoReadsIfTheRemoteHasNoRelations() async throws {
        let relation: JSONValue = ["__type": "Relation", "className": "Person"]
        world.remote.put("Holiday", "row", ["guests": relation])
        let summary = try await world.sync()
        #expect(summary.pulled == 1)
        #expect(!summary.relationsLeft)
    }

    @Test func featuresThatTheRemoteLacksAreListed() {
        #expect(RemoteOffer.lacking(in: world.remote) == [.probe, .files, .relations, .calls])
    }
}
