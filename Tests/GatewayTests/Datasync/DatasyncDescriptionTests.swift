import DatasyncRemote
import HTTPClient
import LocalStore
import ParseModel
import RemoteService
import SyncModel
import TablesServer
import Testing

@testable import Gateway

/// Tests the description of a table server: the types of its columns, and its dialect.
@Suite struct DatasyncDescriptionTests {
    private static let easter: JSONValue = ["__type": "Date", "iso": "2013-03-31T00:00:00.000Z"]

    /// The server's description (`/swagger`) names the date columns, so the first pull already returns dates.
    @Test func columnsDescribedAsDatesByTheServerAreReadAsDates() async throws {
        let world = try await DatasyncWorld(answersSwagger: true)
        world.server.put("Holiday", "easter", ["name": "Easter", "date": "2013-03-31T00:00:00.000Z"])
        try await world.sync()
        #expect(try world.store.fields("Holiday", "easter")?["date"] == Self.easter)
    }

    /// The database stores the described types. They apply without the description, and local writes are checked
    /// against them.
    @Test func columnTypesDescribedByTheServerAreStored() async throws {
        let world = try await DatasyncWorld(answersSwagger: true)
        world.server.put("Holiday", "easter", ["name": "Easter", "date": "2013-03-31T00:00:00.000Z"])
        try await world.sync()
        let schemas = RemoteSchemas(
            world.remote, store: world.store, environment: world.clock.environment, logger: .quiet)
        await schemas.bringUpToDate()
        #expect(try await world.store.sync.mapping(of: "Holiday").fields == ["date": .date])
        await #expect(
            throws: ParseError(.incorrectType, "schema mismatch for Holiday.n; expected Number but got String")
        ) { try await world.store.create("Holiday", ["n": "five"]) }
        // The class's options may declare a text column as a Pointer.
        try await world.store.create("Holiday", ["name": "May Day", "date": Self.easter, "n": 5])
        try await world.settle()
        #expect(try world.store.fields("Holiday", "easter")?["date"] == Self.easter)
    }

    /// A later description does not change a stored type, even if it lacks the table. A type that the class's options
    /// declare stays, too.
    @Test func storedColumnTypesSurviveLaterDescriptions() async throws {
        let world = try await DatasyncWorld(answersSwagger: true)
        try await world.set(["fields": ["country": ["type": "Pointer", "targetClass": "Country"]]])
        try await world.sync()
        let schemas = RemoteSchemas(
            world.remote, store: world.store, environment: world.clock.environment, logger: .quiet)
        let types: [String: FieldType] = ["date": .date, "country": .pointer("Country")]
        for isHidden in [false, false, true] {
            world.server.change("Holiday") { $0.isHidden = isHidden }
            await schemas.forget()
            await schemas.bringUpToDate()
            #expect(try await world.store.sync.mapping(of: "Holiday").fields == types)
        }
    }

    @Test func tableServerWithoutADescriptionCausesNoError() async throws {
        let world = try await DatasyncWorld()
        try await world.sync()
        #expect(try await world.remote.classSchemas(of: ["Holiday"]) == nil)
    }

    /// A server of another dialect answers at the remote's address. No write is sent, because its refusals would
    /// reject local changes.
    @Test func tableServerOfAnotherDialectIsRefusedBeforeAnyWrite() async throws {
        let world = try await DatasyncWorld(.community)
        let remote = DatasyncRemote(
            configuration: .init(serverURL: world.server.url, recordDialect: { _ in "azure" }),
            transport: CurlTransport())
        let outcomes = await remote.push([
            PushOperation(
                kind: .create, className: "Holiday", objectId: "a",
                operations: FieldOperations(stored: ["name": "Easter"]), sendsObjectId: true, base: nil, merged: nil,
                wasAttempted: false, requestId: "r")
        ])
        #expect(outcomes.count == 1)
        #expect(world.server.live("Holiday").isEmpty)
        #expect(world.server.requests.allSatisfy { $0.hasPrefix("GET ") })
        let error = await #expect(throws: RemoteError.self) {
            try await remote.fetch("Holiday", objectIds: ["a"])
        }
        #expect(error?.description.contains("it speaks the dialect community") == true)
    }

    @Test func databaseKeepsTheFirstRecordedDialectOfTheTableServer() async throws {
        let world = try await DatasyncWorld()
        #expect(try await world.store.sync.record(.dialect, "azure") == "azure")
        #expect(try await world.store.sync.record(.dialect, "community") == "azure")
    }
}
