import Logging
import ParseModel
import RemoteService

/// One sync, from its first request to its last transaction. This file is the algorithm; each phase has its own.
///
/// A remote without conditional writes is pulled before it is pushed to, so that another device's edits are seen
/// and not overwritten. Each step is one transaction, so a sync may end anywhere and the next one goes on from there.
struct SyncRun: Sendable {
    let store: any SyncStore
    let remote: any RemoteService
    let options: SyncOptions
    let environment: Environment
    let logger: Logger
    /// Whether the sync shall end before its next request: somebody paused it, or the program stops.
    let isHalted: @Sendable () -> Bool
    /// Told whenever the sync has come further.
    let report: @Sendable (SyncProgress) -> Void

    /// Whether the sync before this one had a change carried out by the remote.
    let pushedLastTime: Bool

    var summary = SyncSummary()
    var serverClock: ServerClock
    /// The most rows of a page, for classes of which a page of the usual size is too much.
    var pageLimits: [String: Int]
    /// How many objects the remote has of each class, as the last page of its complete pull told.
    var remoteCounts: [String: Int] = [:]
    /// Classes whose pull came to its end in this run.
    var completeClasses: Set<String> = []
    /// Entries that were sent in this run: each has one try a sync.
    var tried: Set<Int64> = []

    mutating func run() async throws(SyncError) {
        // What was sent and not answered is settled by reading, before anything is rebased or sent again.
        try await proveUnknownOutcomes()
        try await pull(try await pulledClasses())
        let pushed = try await push()
        try await proveUnknownOutcomes()
        // The server may have changed more than it said when it took our changes: the rows tell.
        if !pushed.isEmpty { try await pull(try await pulledClasses().filter { pushed.contains($0.name) }) }
        try await sweep()
        let entries = try await stored { try await ($0.outbox(limit: Self.countMax), $0.unknownOutcomes()) }
        summary.deferred = entries.0.count { $0.awaits.isEmpty } + entries.1.count
    }

    /// How far what still waits is counted.
    private static let countMax = 1000

    private func pulledClasses() async throws(SyncError) -> [SyncClass] {
        try await stored { try await $0.syncClasses() }.filter(\.isPulled)
    }

    // MARK: Calls of store and remote, with their errors in the sync's words

    func stored<Value: Sendable>(
        _ body: @Sendable (any SyncStore) async throws -> Value
    ) async throws(SyncError) -> Value {
        do { return try await body(store) } catch { throw .store(String(describing: error)) }
    }

    mutating func asked<Value: Sendable>(
        _ body: @Sendable (any RemoteService) async throws(RemoteError) -> Value
    ) async throws(SyncError) -> Value {
        if isHalted() { throw .halted }
        summary.requests += 1
        do { return try await body(remote) } catch { throw SyncError(error) }
    }
}
