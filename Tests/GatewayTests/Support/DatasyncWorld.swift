import DatasyncRemote
import HTTPClient
import LocalStore
import ParseModel
import RemoteHTTP
import RemoteService
import StoreService
import StoreSupport
import SyncEngine
import SyncModel
import TablesServer
import Testing

/// The table servers that the tests simulate.
enum TablesVariant: String, CaseIterable, CustomTestStringConvertible {
    case azure = "Azure Mobile Apps"
    case azureWithoutTombstones = "Azure Mobile Apps without tombstones"
    case community = "Community Datasync"
    case communityWithoutTombstones = "Community Datasync without tombstones"

    var testDescription: String { rawValue }
    var dialect: TablesServer.Dialect {
        switch self {
        case .azure, .azureWithoutTombstones: .azure
        case .community, .communityWithoutTombstones: .community
        }
    }
    var keepsTombstones: Bool { self == .azure || self == .community }
}

/// A table server over real HTTP, and a replica of it that syncs only when a test requests it.
struct DatasyncWorld {
    static let columns: [TablesServer.Column] = [
        .init("name", .text), .init("n", .number), .init("done", .bool), .init("date", .date), .init("country", .text),
        .init("m", .number),
    ]

    let clock: TestClock
    let server: TablesServer
    let remote: DatasyncRemote
    private let directory: TemporaryDirectory
    let store: LocalStore
    let engine: SyncEngine

    /// - Parameters:
    ///   - others: further tables with the columns of `Holiday`.
    ///   - edit: changes the options of all tables.
    init(
        _ variant: TablesVariant = .azure, token: (any TokenSource)? = nil, users: TablesServer.Users = .init(),
        answersSwagger: Bool = false, others: [String] = [],
        edit: (inout TablesServer.Table) -> Void = { _ in }
    ) async throws {
        let clock = TestClock()
        self.clock = clock
        var table = TablesServer.Table("Holiday", columns: Self.columns, dialect: variant.dialect)
        table.keepsTombstones = variant.keepsTombstones
        edit(&table)
        server = try TablesServer(
            variant.dialect,
            tables: [table]
                + others.map { name in
                    var other = table
                    other.name = name
                    return other
                }, users: users, answersSwagger: answersSwagger,
            now: { clock.environment.now().milliseconds * 1000 })
        directory = try TemporaryDirectory()
        let identity = StoreIdentity(
            remote: StoreIdentity.Remote(kind: "datasync", url: server.url, applicationId: nil))
        var configuration = StoreConfiguration(directory: directory.path, identity: identity)
        configuration.synchronous = .normal
        let values = RemoteValues()
        configuration.valueRules = values
        let store = try LocalStore(configuration, environment: clock.environment)
        self.store = store
        for name in ["Holiday"] + others { try await store.registerClass(name) }
        remote = DatasyncRemote(
            configuration: .init(serverURL: server.url, token: token) { [weak store] className throws(RemoteError) in
                do {
                    // The store refers to the remote. A reference cycle would keep the database open until all tests
                    // have ended.
                    guard let store else { throw CancellationError() }
                    return try await store.sync.mapping(of: className)
                } catch {
                    throw .unreachable(reason: "\(error)")
                }
            }, transport: CurlTransport())
        values.belong(to: remote)
        var options = SyncOptions()
        options.replicaId = store.replicaId
        engine = SyncEngine(
            store: store.sync, remote: remote, options: options, environment: clock.environment, logger: .quiet)
    }

    /// Makes a world in which server and replica have the row `row`. The recorded requests are cleared, and some time
    /// has passed.
    static func sharing(_ variant: TablesVariant, _ fields: JSONObject) async throws -> DatasyncWorld {
        let world = try await DatasyncWorld(variant)
        world.server.put("Holiday", "row", fields)
        try await world.sync()
        world.clock.advance(.seconds(30))
        world.server.clearRequests()
        return world
    }

    /// Runs a sync that must succeed.
    @discardableResult
    func sync(
        _ call: SyncRequest = .full, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> SyncSummary {
        let outcome = await engine.sync(call)
        guard case .finished(let summary) = outcome else {
            throw try #require(nil as (any Error)?, "\(outcome)", sourceLocation: sourceLocation)
        }
        return summary
    }

    /// Runs at most `max` syncs, until no change is pending. Time passes before each.
    func settle(max: Int = 4, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        for _ in 0..<max {
            clock.advance(.seconds(60))
            _ = await engine.sync()
        }
        try await expectInStep(sourceLocation: sourceLocation)
    }

    func set(_ options: JSONObject) async throws {
        try await store.configureClass("Holiday") { current, _ in
            if let policy = options["policy"]?.string.flatMap(ConflictPolicy.init(rawValue:)) {
                current.policy = policy
            }
            for (field, type) in options["fields"]?.object ?? [:] {
                current.mapping.fields[field] = type.object.flatMap(FieldType.init(json:))
            }
        }
    }

    /// The fields of the server's live rows without nulls, by id.
    var live: [String: JSONObject] { server.live("Holiday") }

    /// Checks that no work is pending and that every object has the server's values.
    func expectInStep(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let figures = try await store.figures()
        #expect(figures.pending == 0, sourceLocation: sourceLocation)
        #expect(figures.conflicts == 0, sourceLocation: sourceLocation)
        #expect(figures.rejections == 0, sourceLocation: sourceLocation)
        let here = try store.all("Holiday").mapValues { fields in
            let columns = fields.filter { !$0.value.isNull && !Self.own.contains($0.key) }
            return JSONObject(columns.map { ($0.key, Self.column($0.value)) })
        }
        #expect(here == live, sourceLocation: sourceLocation)
        #expect(try store.invariantViolations() == [], sourceLocation: sourceLocation)
    }

    /// The built-in fields that every object has.
    private static let own: Set<String> = ["objectId", "createdAt", "updatedAt"]

    /// The value that a table column stores for a field value.
    private static func column(_ value: JSONValue) -> JSONValue {
        if let date = ParseDate(value) { return .string(date.iso) }
        if let pointer = value.object?["objectId"] { return pointer }
        if let url = FileReference(value)?.url { return .string(url) }
        return value
    }
}
