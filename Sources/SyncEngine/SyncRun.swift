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
    let observe: @Sendable (SyncEvent) -> Void
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
        try await phase(.prove) { run throws(SyncError) in try await run.proveUnknownOutcomes() }
        try await phase(.pull) { run throws(SyncError) in try await run.pull(try await run.pulledClasses()) }
        let pushed = try await phase(.push) { run throws(SyncError) in
            let pushed = try await run.push()
            try await run.proveUnknownOutcomes()
            return pushed
        }
        // The server may have changed more than it said when it took our changes: the rows tell.
        if !pushed.isEmpty {
            try await phase(.pull) { run throws(SyncError) in
                try await run.pull(try await run.pulledClasses().filter { pushed.contains($0.name) })
            }
        }
        try await phase(.sweep) { run throws(SyncError) in try await run.sweep() }
        let entries = try await stored { try await ($0.outbox(limit: Self.countMax), $0.unknownOutcomes()) }
        summary.deferred = entries.0.count { $0.awaits.isEmpty } + entries.1.count
    }

    /// One phase, and its line in the log.
    private mutating func phase<Value: Sendable>(
        _ phase: SyncProgress.Phase, _ body: (inout SyncRun) async throws(SyncError) -> Value
    ) async throws(SyncError) -> Value {
        let (before, begin) = (summary, environment.uptime())
        report(SyncProgress(phase: phase, className: nil, done: 0, total: nil))
        let value = try await body(&self)
        let duration = environment.uptime() - begin
        observe(.phaseEnded(phase, duration: duration))
        let news = summary.since(before)
        logger.log(level: news.isEmpty ? .debug : .info, "\(phase.rawValue): \(news.isEmpty ? "nothing new" : news)")
        return value
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
        do {
            return try await body(remote)
        } catch {
            let error = SyncError(error)
            observe(.remoteFailed(error))
            throw error
        }
    }
}
