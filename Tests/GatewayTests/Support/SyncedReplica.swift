import LocalStore
import Logging
import ParseModel
import ParseRemote
import RemoteService
import StoreService
import StoreSupport
import Testing

@testable import Gateway
@testable import SyncEngine

/// A replica without a socket. Its sync engine reaches a hub (the remote) through a transport that simulates faults.
final class SyncedReplica: Sendable {
    let store: LocalStore
    let engine: SyncEngine
    let metrics = SyncMetrics()
    let changes = Observers()
    /// Reports stalls after 15 minutes. Tests let it look.
    let stalls: StallWatch
    /// The log of `stalls`.
    let stallLog = KeptLog()
    let files: FileFetcher
    private let loop: Task<Void, Never>?
    static let downloadBytesMax = 100_000

    init(
        _ directory: TemporaryDirectory, transport: HandlerTransport, clock: TestClock,
        classes: [String] = ["Holiday"], batchMax: Int = 50, pageSize: Int = 1000, clientsChooseIds: Bool = false,
        options: SyncOptions = SyncOptions(), syncsByItself: Bool = true, reader: String? = nil,
        pageWrites: RecentCommits.Limits = RecentCommits.Limits(commitsOfPagesMin: 0),
        signals: (any RemoteChangeSignals)? = nil, engineEnvironment: Environment? = nil
    ) async throws {
        let url = "http://localhost:1337/parse"
        var configuration = StoreConfiguration(
            directory: directory.path,
            identity: StoreIdentity(remote: StoreIdentity.Remote(url: url, applicationId: "app", subject: reader)))
        configuration.synchronous = .normal
        configuration.reader = reader
        configuration.pageWrites = pageWrites
        configuration.allowsChosenIds = clientsChooseIds
        store = try LocalStore(configuration, environment: clock.environment)
        for name in classes { try await store.registerClass(name) }
        let remote = ParseRemote(
            configuration: ParseRemote.Configuration(
                serverURL: url, applicationId: "app", restKey: "rest", replicaId: store.replicaId,
                batchMax: batchMax, pageSize: pageSize), transport: transport)
        var options = options
        options.replicaId = store.replicaId
        stalls = StallWatch(
            after: .seconds(900), store, authors: nil, circuit: nil, userId: nil, environment: clock.environment,
            logger: stallLog.logger, changes: changes)
        engine = SyncEngine(
            store: store.sync, remote: remote, signals: signals, options: options,
            environment: engineEnvironment ?? clock.environment, logger: .quiet,
            observe: { [metrics, changes, stalls] event in
                metrics.note(event)
                stalls.note(event)
                changes.notify()
            })
        files = FileFetcher(
            store: store, service: remote.files!, bytesMax: Self.downloadBytesMax, cacheBytes: 1 << 30, logger: .quiet
        ) { [engine] in await engine.status.state == .paused }
        // A task releases its captures only after its waiters have resumed, so a strong reference would keep the
        // directory in use.
        loop = syncsByItself ? Task { [weak engine] in await engine?.run() } : nil
    }

    /// Stops the engine as a crash would, without settling the requests in flight.
    func stop() async {
        loop?.cancel()
        await engine.stop()
        await loop?.value
    }

    deinit { loop?.cancel() }

    /// Runs a sync and ignores its outcome.
    func attempt(_ call: SyncRequest = .full) async -> SyncOutcome {
        guard loop == nil else { return await engine.startAndWait(call) }
        return await engine.sync(call)
    }

    /// Runs a sync that must succeed.
    @discardableResult
    func sync(
        _ call: SyncRequest = .full, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> SyncSummary {
        switch await attempt(call) {
        case .finished(let summary): return summary
        case .failed(let error):
            Issue.record("the sync failed: \(error.message)", sourceLocation: sourceLocation)
            throw error
        case .paused:
            Issue.record("syncing is paused", sourceLocation: sourceLocation)
            throw SyncError.halted
        }
    }

    /// Runs a sync that must fail.
    func failingSync(sourceLocation: SourceLocation = #_sourceLocation) async throws -> SyncError {
        guard case .failed(let error) = await engine.startAndWait() else {
            throw try #require(nil as (any Error)?, "the sync did not fail", sourceLocation: sourceLocation)
        }
        return error
    }
}

extension SyncOptions {
    /// Sync options without the audit of the newest rows, for tests that count the requests of many syncs.
    static var withoutRecentAudit: SyncOptions {
        var options = SyncOptions()
        options.recentAuditInterval = .seconds(365 * 24 * 3600)
        return options
    }
}

/// A hub (a standalone gateway as the remote) and its replica, connected by a transport that simulates faults.
struct World {
    let clock: TestClock
    let hub: Hub
    let transport: HandlerTransport
    let replica: SyncedReplica
    let directories: [TemporaryDirectory]

    /// - Parameters:
    ///   - isOffline: whether the remote is unreachable until `transport.heal()`, even for the first sync.
    ///   - syncsByItself: whether the first sync starts immediately. Otherwise syncs run only if a test requests them.
    ///   - hasFeed: whether the remote offers a change feed, as a Tidegate does and a Parse Server does not.
    ///   - reader: the id of the user as whom the replica reads. The remote gets its requests without a session.
    ///   - pageWrites: limits of the transactions that store pages. By default, a first pull stores several in each.
    ///   - fill: creates the objects of the remote before the first sync.
    static func make(
        classes: [String] = ["Holiday"], isOffline: Bool = false, pageMax: Int = 1000, pageSize: Int = 1000,
        allowsChosenIds: Bool = false, clientsChooseIds: Bool = false, answerBytesMax: Int = 64 << 20,
        keepsStampsInOrder: Bool = true, options: SyncOptions = SyncOptions(),
        syncsByItself: Bool = true, hasFeed: Bool = false, reader: String? = nil,
        pageWrites: RecentCommits.Limits = RecentCommits.Limits(commitsOfPagesMin: 0),
        filledBy fill: (Hub, TestClock) async throws -> Void = { _, _ in }
    ) async throws -> World {
        let directories = [try TemporaryDirectory(), try TemporaryDirectory()]
        let clock = TestClock()
        let hub = try Hub(
            directories[0], clock: clock, pageMax: pageMax, allowsChosenIds: allowsChosenIds,
            answerBytesMax: answerBytesMax, keepsStampsInOrder: keepsStampsInOrder)
        try await fill(hub, clock)
        let transport = HandlerTransport(hub.api, clock: clock)
        if hasFeed { transport.showFeed() }
        if isOffline { transport.set { _, _, _ in .refused } }
        let replica = try await SyncedReplica(
            directories[1], transport: transport, clock: clock, classes: classes, pageSize: pageSize,
            clientsChooseIds: clientsChooseIds, options: options, syncsByItself: syncsByItself,
            reader: reader, pageWrites: pageWrites)
        return World(clock: clock, hub: hub, transport: transport, replica: replica, directories: directories)
    }

    private init(
        clock: TestClock, hub: Hub, transport: HandlerTransport, replica: SyncedReplica,
        directories: [TemporaryDirectory]
    ) {
        self.hub = hub
        self.transport = transport
        self.replica = replica
        self.directories = directories
        self.clock = clock
    }

    /// Makes another replica of the same remote.
    /// - Parameter clock: the clock of the new replica; nil for that of the remote.
    func another(
        classes: [String] = ["Holiday"], clock: TestClock? = nil
    ) async throws -> (replica: SyncedReplica, directory: TemporaryDirectory) {
        let directory = try TemporaryDirectory()
        let transport = HandlerTransport(hub.api, clock: self.clock)
        return (
            try await SyncedReplica(directory, transport: transport, clock: clock ?? self.clock, classes: classes),
            directory
        )
    }

    func expectEqual(
        _ className: String = "Holiday", sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(
            try replica.store.all(className).mapValues(Self.withoutFileURLs)
                == hub.store.all(className).mapValues(Self.withoutMarks),
            sourceLocation: sourceLocation)
    }

    /// A replica also stores the URLs that files have on the remote.
    private static func withoutFileURLs(_ object: JSONObject) -> JSONObject {
        JSONValue.object(object).replacingFiles(\.withoutURL).object ?? object
    }

    /// Operation ids are hidden from local clients.
    private static func withoutMarks(_ object: JSONObject) -> JSONObject {
        var object = object
        object["ops"] = nil
        return object
    }
}
