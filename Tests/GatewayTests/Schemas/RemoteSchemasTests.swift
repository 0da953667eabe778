import GatewayAPI
import LocalStore
import ParseModel
import ParseRemote
import RemoteService
import StoreService
import Testing

@testable import Gateway

@Suite struct RemoteSchemasTests {
    /// A hub (the remote) with a class, and a replica that reads its schemas.
    private struct World {
        let clock = TestClock()
        let hub: Hub
        let store: LocalStore
        let transport: HandlerTransport
        let remote: ParseRemote
        let schemas: RemoteSchemas
        let pulled: PulledSchemas?
        let directories: [TemporaryDirectory]

        init(isSite: Bool = false) async throws {
            pulled = isSite ? PulledSchemas() : nil
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
                    serverURL: url, applicationId: "app", restKey: nil, masterKey: "master",
                    replicaId: store.replicaId, pulledSchemas: pulled), transport: transport)
            let clock = clock
            // The test clock ends each wait at once and advances by its length.
            let environment = Environment(
                now: clock.environment.now, uptime: clock.environment.uptime, random: clock.environment.random,
                sleep: { clock.advance($0) })
            schemas = RemoteSchemas(
                remote.schemas!, store: store, unknownClasses: isSite ? .closed : .open, environment: environment,
                logger: .quiet
            )
            try await hub.store.create("Day", ["n": 1])
        }

        func pull(_ classNames: [String] = ["Day", "_User"]) async throws {
            _ = try await remote.pull(classNames.map { PullRequest(className: $0, cursor: nil) })
        }

        func knows(_ className: String) throws -> Bool {
            try store.remoteSchemas().contains { $0.className == className }
        }
    }

    @Test func theRemotesSchemaIsReadAndEnforced() async throws {
        let world = try await World()
        await world.schemas.bringUpToDate()
        await #expect(
            throws: ParseError(.incorrectType, "schema mismatch for Day.n; expected Number but got String")
        ) { try await world.store.create("Day", ["n": "text"]) }
        try await world.store.create("Day", ["n": 2])
    }

    @Test func theRemotesSchemaIsReadAgainAfterItsMaximumAge() async throws {
        let world = try await World()
        await world.schemas.bringUpToDate()
        await world.schemas.bringUpToDate()
        #expect(world.transport.requests == ["GET /schemas"])
        world.clock.advance(RemoteSchemas.ageMax)
        await world.schemas.bringUpToDate()
        #expect(world.transport.requests.count == 2)
        // A forwarded call has changed the schema, so the known one is outdated.
        await world.schemas.forget()
        await world.schemas.bringUpToDate()
        #expect(world.transport.requests.count == 3)
    }

    /// Users of a site replica cannot use a class before its schema is known, so a failed request is repeated at once.
    @Test(arguments: [true, false]) func failedSchemaRequestIsRepeatedAtOnceInASiteReplica(isSite: Bool) async throws {
        let world = try await World(isSite: isSite)
        world.transport.set { _, _, _ in .refused }
        await world.schemas.bringUpToDate()
        world.transport.heal()
        await world.schemas.bringUpToDate()
        #expect(try world.store.remoteSchemas().isEmpty == !isSite)
    }

    // MARK: Site replicas

    @Test func syncOfASiteReplicaReadsTheSchemasWithItsPulls() async throws {
        let world = try await World(isSite: true)
        try await world.pull()
        try await world.pull()
        #expect(world.transport.requests == ["POST /batch", "POST /batch"])
        await world.schemas.takePulled()
        #expect(try world.knows("Day"))
        await world.schemas.bringUpToDate()
        #expect(world.transport.requests.count == 2)
        // The next sync reads the schemas again.
        try await world.hub.store.create("Night", ["n": 1])
        try await world.pull()
        await world.schemas.takePulled()
        #expect(try !world.knows("Night"))
        world.pulled?.expectNext()
        try await world.pull()
        await world.schemas.takePulled()
        #expect(try world.knows("Night"))
    }

    /// A pull of many classes takes several batches. A full batch has no room for the request of the schemas.
    @Test(arguments: [49, 50, 51, 99, 100, 130])
    func aSyncOfManyClassesAlsoReadsTheSchemas(count: Int) async throws {
        let world = try await World(isSite: true)
        try await world.pull(["Day"] + (1..<count).map { "Class\($0)" })
        #expect(world.transport.requests.count <= count / 25 + 2)
        await world.schemas.takePulled()
        #expect(try world.knows("Day"))
    }

    /// A sync has read the schemas before a client's request asked for them, and ends later. Its schemas are older.
    @Test func schemasReadEarlierDoNotReplaceNewerOnes() async throws {
        let world = try await World(isSite: true)
        try await world.pull()
        try await world.hub.store.create("Night", ["n": 1])
        await world.schemas.search(isNewThere: false)
        #expect(try world.knows("Night"))
        await world.schemas.takePulled()
        #expect(try world.knows("Night"))
    }

    @Test func aRefusedBatchOfPullsIsSentAgainWithoutTheSchemas() async throws {
        let world = try await World(isSite: true)
        world.transport.once(.answer(status: 413, body: "{}")) { _, _, body in body.contains("/schemas") }
        try await world.pull()
        #expect(world.transport.requests == ["POST /batch", "POST /batch"])
        await world.schemas.takePulled()
        #expect(try !world.knows("Day"))
    }

    /// An empty list is a fault, because each server has schemas of its built-in classes.
    @Test func anEmptyListOfSchemasIsIgnored() async throws {
        let world = try await World(isSite: true)
        try await world.pull()
        await world.schemas.takePulled()
        world.pulled?.expectNext()
        world.transport.showNothing()
        try await world.pull()
        await world.schemas.takePulled()
        #expect(try world.knows("Day"))
    }

    @Test func requestsAboutAnUnknownClassReadTheSchemasAtMostOnceASecond() async throws {
        let world = try await World(isSite: true)
        await withTaskGroup { group in
            for _ in 1...5 { group.addTask { await world.schemas.search(isNewThere: false) } }
        }
        #expect(world.transport.requests == ["GET /schemas"])
        // A class that was created at the remote meanwhile is read after the pause of one second.
        let began = world.clock.environment.uptime()
        try await world.hub.store.create("Night", ["n": 1])
        await world.schemas.search(isNewThere: false)
        #expect(try world.knows("Night"))
        #expect(world.transport.requests.count == 2)
        #expect(world.clock.environment.uptime() - began == RemoteSchemas.searchPause)
    }

    @Test(arguments: ["master", nil]) func schemasOfTheRemoteAreAvailableWithTheMasterKeyOnly(
        masterKey: String?
    ) async throws {
        let remote = ParseRemote(
            configuration: .init(
                serverURL: "http://localhost:1337/parse", applicationId: "app", masterKey: masterKey, replicaId: "r"),
            transport: try await World().transport)
        #expect((remote.schemas != nil) == (masterKey != nil))
    }

    @Test(arguments: [
        HandlerTransport.Fault.refused, .answer(status: 500, body: "<html>"), .answer(status: 200, body: "{}"),
        .answer(status: 403, body: #"{"error":"unauthorized"}"#), .truncated,
    ])
    func failedSchemaRequestsKeepTheKnownSchemas(_ fault: HandlerTransport.Fault) async throws {
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
