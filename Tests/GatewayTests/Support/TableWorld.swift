import LocalStore
import ParseModel
import RemoteService
import StoreService
import StoreSupport
import Testing

@testable import SyncEngine

/// An in-memory table server and its replica, which syncs only when a test requests it.
struct TableWorld {
    let clock: TestClock
    let remote: TableRemote
    private let classes: [String]
    private let directory: TemporaryDirectory
    private var program: (store: LocalStore, engine: SyncEngine)?

    /// - Parameters:
    ///   - classes: the classes that are synced.
    ///   - differ: as for `TableRemote`.
    init(
        _ classes: [String] = ["Holiday"], pageMax: Int = 50, tellsVersions: Bool = true,
        differing differ: [String: (inout RemoteCapabilities) -> Void] = [:]
    ) async throws {
        clock = TestClock()
        self.classes = classes
        remote = TableRemote(clock: clock, pageMax: pageMax, tellsVersions: tellsVersions, differing: differ)
        directory = try TemporaryDirectory()
        try await restart()
    }

    /// Makes a world in which server and replica have the row `row`. The recorded requests are cleared, and some time
    /// has passed.
    static func sharing(_ fields: JSONObject, tellsVersions: Bool = true) async throws -> TableWorld {
        let world = try await TableWorld(tellsVersions: tellsVersions)
        world.remote.put("Holiday", "row", fields)
        try await world.sync()
        world.remote.forgetRequests()
        world.clock.advance(.seconds(30))
        return world
    }

    /// Makes a new replica on the same database, as a restart of the program does.
    mutating func restart() async throws {
        program = nil
        let identity = StoreIdentity(
            remote: StoreIdentity.Remote(url: "http://localhost:1337/tables", applicationId: "app"))
        var configuration = StoreConfiguration(directory: directory.path, identity: identity)
        configuration.synchronous = .normal
        let store = try LocalStore(configuration, environment: clock.environment)
        for name in classes { try await store.registerClass(name) }
        var options = SyncOptions()
        options.replicaId = store.replicaId
        let engine = SyncEngine(
            store: store.sync, remote: remote, options: options, environment: clock.environment, logger: .quiet)
        program = (store, engine)
    }

    var store: LocalStore { get throws { try #require(program).store } }
    var engine: SyncEngine { get throws { try #require(program).engine } }

    /// Runs a sync that must succeed.
    @discardableResult
    func sync(
        _ call: SyncRequest = .full, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> SyncSummary {
        let outcome = try await #require(program).engine.sync(call)
        guard case .finished(let summary) = outcome else {
            throw try #require(nil as (any Error)?, "\(outcome)", sourceLocation: sourceLocation)
        }
        return summary
    }

    /// Runs a sync that must fail.
    func failingSync(sourceLocation: SourceLocation = #_sourceLocation) async throws -> SyncError {
        guard case .failed(let error) = try await #require(program).engine.sync() else {
            throw try #require(nil as (any Error)?, "the sync did not fail", sourceLocation: sourceLocation)
        }
        return error
    }

    /// The number of received requests of this kind.
    func count(_ request: String) -> Int { remote.requests.count { $0 == request } }

    /// Checks that no work is pending and that every object equals the remote's.
    func expectInStep(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let store = try store
        let figures = try await store.figures()
        #expect(figures.pending == 0, sourceLocation: sourceLocation)
        #expect(figures.conflicts == 0, sourceLocation: sourceLocation)
        #expect(figures.rejections == 0, sourceLocation: sourceLocation)
        let here = try store.all("Holiday").keys.map { ($0, try store.fields("Holiday", $0)) }
        #expect(
            Dictionary(uniqueKeysWithValues: here) == remote.live("Holiday").mapValues { Optional($0) },
            sourceLocation: sourceLocation)
        #expect(try store.invariantViolations() == [], sourceLocation: sourceLocation)
    }
}
