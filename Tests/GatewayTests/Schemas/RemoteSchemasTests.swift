import GatewayAPI
import LocalStore
import ParseModel
import ParseRemote
import StoreService
import Testing

@testable import Gateway

@Suite struct RemoteSchemasTests {
    /// A hub with a class, and its replica that requests schemas.
    private struct World {
        let clock = TestClock()
        let hub: Hub
        let store: LocalStore
        let transport: HandlerTransport
        let remote: ParseRemote
        let schemas: RemoteSchemas
        let directories: [TemporaryDirectory]

        init(masterKey: String? = "master", isSite: Bool = false) async throws {
            directories = [try TemporaryDirectory(), try TemporaryDirectory()]
            hub = try Hub(directories[0], clock: clock, keys: .init(masterKey: "master"))
            let url = "http://localhost:1337/parse"
            store = try LocalStore(
                .init(
                    directory: directories[1].path,
                    identity: StoreIdentity(remote: .init(url: url, applicationId: "app"))),
                environment: clock.environment)
            transport = HandlerTransport(hub.api, clock: clock)
            remote = ParseRemote(
                configuration: .init(
                    serverURL: url, applicationId: "app", restKey: nil, masterKey: masterKey,
                    replicaId: store.replicaId), transport: transport)
            schemas = RemoteSchemas(
                remote, store: store, closesUnknownClasses: isSite, environment: clock.environment, logger: .quiet)
            try await hub.store.create("Day", ["n": 1])
        }
    }

    @Test func schemaComesAndHolds() async throws {
        let world = try await World()
        await world.schemas.bringUpToDate()
        await #expect(
            throws: ParseError(.incorrectType, "schema mismatch for Day.n; expected Number but got String")
        ) { try await world.store.create("Day", ["n": "text"]) }
        try await world.store.create("Day", ["n": 2])
    }

    @Test func itIsAskedForNowAndThen() async throws {
        let world = try await World()
        await world.schemas.bringUpToDate()
        await world.schemas.bringUpToDate()
        #expect(world.transport.requests == ["GET /schemas"])
        world.clock.advance(RemoteSchemas.ageMax)
        await world.schemas.bringUpToDate()
        #expect(world.transport.requests.count == 2)
        // A call through this gateway has changed the schema.
        await world.schemas.forget()
        await world.schemas.bringUpToDate()
        #expect(world.transport.requests.count == 3)
    }

    /// The users of a site replica cannot work before the remote has described the classes.
    @Test(arguments: [true, false]) func aFailedRequestIsRepeatedWhereUsersWait(isSite: Bool) async throws {
        let world = try await World(isSite: isSite)
        world.transport.set { _, _, _ in .refused }
        await world.schemas.bringUpToDate()
        world.transport.heal()
        await world.schemas.bringUpToDate()
        #expect(try world.store.remoteSchemas().isEmpty == !isSite)
    }

    @Test(arguments: ["master", nil]) func schemasAreOfferedWithTheMasterKeyOnly(masterKey: String?) async throws {
        #expect((try await World(masterKey: masterKey).remote.schemas != nil) == (masterKey != nil))
    }

    @Test(arguments: [
        HandlerTransport.Fault.refused, .answer(status: 500, body: "<html>"), .answer(status: 200, body: "{}"),
        .answer(status: 403, body: #"{"error":"unauthorized"}"#), .truncated,
    ])
    func failedSchemaRequestsChangeNothing(_ fault: HandlerTransport.Fault) async throws {
        let world = try await World()
        await world.schemas.bringUpToDate()
        let before = try world.store.remoteSchemas()
        world.transport.set { _, _, _ in fault }
        world.clock.advance(RemoteSchemas.ageMax)
        await world.schemas.bringUpToDate()
        #expect(try world.store.remoteSchemas() == before)
        #expect(before.map(\.className).sorted() == ["Day", "_Role", "_User"])
    }
}
