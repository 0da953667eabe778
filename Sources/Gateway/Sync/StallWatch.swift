import GatewayAPI
import Logging
import ParseModel
import RemoteService
import StoreService
import SyncEngine
import SyncModel
import Synchronization

/// Finds out whether changes, pulls or syncs have waited for longer than `--stall-alarm` while the remote answered, and
/// logs the beginning and the end of such a stall. It looks after each sync and at regular intervals. While the remote
/// does not answer or syncs are paused, no stall is reported.
final class StallWatch: Sendable {
    /// A failing pull, or failing syncs.
    private struct Failing<Cause: Sendable & Hashable>: Sendable, Hashable {
        var cause: Cause
        /// The uptime and the local time of the first failure.
        let since: Duration
        let date: ParseDate
    }

    /// The stall as it was found last.
    private struct Found: Sendable, Hashable {
        let since: ParseDate
        /// The changes that were made by this time are stalled.
        var madeBy: ParseDate
        var changeCount: Int
        var failures: [Stall.Failure]
        var progress: SyncProgress?
    }

    private struct State {
        var answering: AnsweringTime
        var pulls: [String: Failing<String>] = [:]
        var sync: Failing<SyncError>?
        /// The uptime at which the running sync was first seen; nil while no sync runs.
        var runningSince: Duration?
        var found: Found?
        /// Whether the beginning of the stall is logged, and not its end.
        var isLogged = false
    }

    private let bound: Duration
    private let store: any GatewayStore
    /// Gives each author of changes a connection to the remote, in a site; nil in other replicas.
    private let authors: (any AuthorRemotes)?
    private let circuit: RemoteCircuit?
    private let environment: Environment
    private let logger: Logger
    /// The data in log lines: empty for the gateway's own, otherwise that of a user.
    private let place: String
    private let changes: Observers
    private let state: Mutex<State>
    private let looks: AsyncStream<Void>
    private let look: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - bound: the time after which waiting work is stalled. It must be positive.
    ///   - userId: the user whose data this is; nil for the gateway's own data.
    ///   - changes: the observers to call when the stall has changed.
    init(
        after bound: Duration, _ store: any GatewayStore, authors: (any AuthorRemotes)?, circuit: RemoteCircuit?,
        userId: String?, environment: Environment, logger: Logger, changes: Observers
    ) {
        self.bound = bound
        self.store = store
        self.authors = authors
        self.circuit = circuit
        self.environment = environment
        self.logger = logger
        place = userId.map { " (data of the user \($0))" } ?? ""
        self.changes = changes
        state = Mutex(State(answering: AnsweringTime(bound: bound, gapMax: Self.interval(bound) * 5)))
        (looks, look) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The interval between two looks without a sync.
    private static func interval(_ bound: Duration) -> Duration { min(.seconds(60), max(.seconds(1), bound / 10)) }

    // MARK: Events

    /// Notes an event of the engine. Returns at once.
    func note(_ event: SyncEvent) {
        guard case .syncEnded(let outcome, _) = event else { return }
        let (now, date) = (environment.uptime(), environment.now())
        state.withLock { state in
            state.runningSince = nil
            switch outcome {
            case .paused, .failed(.halted): break
            case .finished(let summary):
                state.sync = nil
                guard let failed = summary.failedPulls else { return }
                state.pulls = failed.reduce(into: [:]) { pulls, failure in
                    var failing = state.pulls[failure.key] ?? Failing(cause: failure.value, since: now, date: date)
                    failing.cause = failure.value
                    pulls[failure.key] = failing
                }
            case .failed(let error):
                if error.isAboutReach {
                    state.sync = nil
                    return
                }
                var failing = state.sync ?? Failing(cause: error, since: now, date: date)
                failing.cause = error
                state.sync = failing
            }
        }
        look.yield()
    }

    /// Looks for a stall after each sync and at regular intervals, until the task is cancelled.
    func watch(_ engine: SyncEngine) async {
        let timer = environment.task { [environment, bound, look] in
            while (try? await environment.sleep(Self.interval(bound))) != nil { look.yield() }
        }
        defer { timer.cancel() }
        for await _ in looks { await evaluate(await engine.status) }
    }

    // MARK: Looking

    /// Looks for a stall.
    func evaluate(_ status: SyncStatus) async {
        let now = environment.uptime()
        let (horizon, failingSync, pulls, isAwaited) = state.withLock { state in
            state.answering.note(answers(status, state.sync?.cause), at: now)
            state.runningSince = status.state == .running ? state.runningSince ?? now : nil
            // The running sync may be about to send the changes.
            let isAwaited = state.runningSince.map { now - $0 < bound } ?? false
            return (state.answering.horizon, state.sync, state.pulls, isAwaited)
        }
        guard answers(status, failingSync?.cause) else { return set(nil) }
        guard !isAwaited else { return }
        do {
            var found: Found?
            if let horizon {
                let date = environment.now()
                let madeBy = date - (now - horizon)
                let old = try store.decisions.oldChanges(madeBy: madeBy, as: .master)
                let failures = Self.failures(failingSync, pulls, since: horizon)
                if old.count > 0 || !failures.isEmpty {
                    found = Found(
                        since: state.withLock { $0.found?.since } ?? date, madeBy: madeBy, changeCount: old.count,
                        failures: failures, progress: status.state == .running ? status.progress : nil)
                }
            }
            set(found)
            await log(found)
        } catch {
            logger.warning("whether changes are stalled cannot be read\(place): \(error)")
        }
    }

    /// Whether the remote answers, and syncs may run. While the user of a space has no session, the space sends no
    /// requests. The requests of others then show whether the remote answers.
    private func answers(_ status: SyncStatus, _ error: SyncError?) -> Bool {
        guard status.state != .paused else { return false }
        return status.isOnline || error == .waitsForLogIn && circuit?.isOpen == false
    }

    private static func failures(
        _ sync: Failing<SyncError>?, _ pulls: [String: Failing<String>], since horizon: Duration
    ) -> [Stall.Failure] {
        var failures: [Stall.Failure] = []
        // Without a session of its user, a space has nothing to do, unless changes wait.
        if let sync, sync.since <= horizon, sync.cause != .waitsForLogIn {
            failures.append(
                Stall.Failure(
                    className: nil, since: sync.date, reason: WaitReason(sync.cause),
                    wayOut: WaitReason.wayOut(of: sync.cause)))
        }
        for (className, failing) in pulls.sorted(by: { $0.key < $1.key }) where failing.since <= horizon {
            failures.append(
                Stall.Failure(
                    className: className, since: failing.date, reason: .pull(message: failing.cause),
                    wayOut: WaitReason.wayOutOfPull))
        }
        return failures
    }

    private func set(_ found: Found?) {
        let hasChanged = state.withLock { state in
            defer { state.found = found }
            return state.found?.changeCount != found?.changeCount || state.found?.failures != found?.failures
        }
        if hasChanged { changes.notify() }
    }

    /// Logs the beginning and the end of a stall, each once. A stall that is not reported while the remote does not
    /// answer has not ended.
    private func log(_ found: Found?) async {
        let wasLogged = state.withLock { state in
            defer { state.isLogged = found != nil }
            return state.isLogged
        }
        let time = "\(bound.components.seconds) seconds"
        if let found, !wasLogged, let stall = try? await stall(found, as: .master) {
            logger.warning("stalled for more than \(time) although the remote answers\(place): \(stall.line)")
        } else if found == nil, wasLogged {
            logger.info("the stall has ended\(place): nothing has waited for more than \(time)")
        }
    }

    // MARK: Reports

    /// The present stall, with the changes that the principal may list; nil for none.
    func stall(as principal: Principal) async throws -> Stall? {
        guard let found = state.withLock({ $0.found }) else { return nil }
        let stall = try await stall(found, as: principal)
        return stall.isEmpty ? nil : stall
    }

    private func stall(_ found: Found, as principal: Principal) async throws -> Stall {
        let old = try store.decisions.oldChanges(madeBy: found.madeBy, as: principal)
        let (sync, pulls) = state.withLock { ($0.sync?.cause, $0.pulls.mapValues(\.cause)) }
        let syncs = WaitReason.Syncs(error: sync, failingPulls: pulls, progress: found.progress)
        var entries: [Stall.Change] = []
        for change in old.first {
            let waitsForLogIn = await waitsForLogIn(change.author)
            entries.append(
                Stall.Change(
                    change: change, reason: WaitReason(of: change, syncs, waitsForLogIn: waitsForLogIn),
                    showsAuthor: principal.readsEverything))
        }
        return Stall(since: found.since, changeCount: old.count, changes: entries, failures: found.failures)
    }

    private func waitsForLogIn(_ author: SyncAuthor) async -> Bool {
        guard let authors, author != .gateway else { return false }
        return await authors.remote(of: author) == nil
    }

    /// The number of objects with stalled changes.
    var changeCount: Int { state.withLock { $0.found?.changeCount ?? 0 } }
}

extension StallWatch: MetricsSource {
    func families() -> [MetricFamily] {
        let failures = state.withLock { $0.found?.failures.count ?? 0 }
        return [
            .gauge(
                "tidegate_stalled_changes",
                "Objects with changes that have waited for longer than --stall-alarm while the remote answered.",
                Double(changeCount)),
            .gauge(
                "tidegate_stalled_pulls",
                "Classes whose pulls have failed for longer than --stall-alarm while the remote answered, and 1 more if whole syncs fail.",
                Double(failures)),
        ]
    }
}
