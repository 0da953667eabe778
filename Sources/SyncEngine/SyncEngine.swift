import Logging
import ParseModel
import RemoteService
import StoreService
import SyncModel
import Synchronization

/// Runs syncs, one at a time: at the start, some moments after local writes, on the interval, when an unreachable
/// remote may be back, and whenever somebody asks. What a sync does stands in `SyncRun`.
package actor SyncEngine {
    private let store: any SyncStore
    private let remote: any RemoteService
    private let options: SyncOptions
    private let environment: Environment
    private let logger: Logger
    private let observe: @Sendable (SyncEvent) -> Void

    private var isPaused: Bool
    private var isStopping = false
    private var isRunning = false
    /// Read by a running sync before each of its requests.
    private let halt = Mutex(false)
    /// Whether the remote answered when it was last asked; set while a sync runs, as soon as it has.
    private let online = Mutex(false)
    private var lastError: SyncError?
    /// A change on which the remote fails again and again, in words; nil where there is none.
    private var lastFailure: String?
    private var lastSummary: SyncSummary?
    /// The summary of the syncs whose work the next one continues.
    private var unfinished: SyncSummary?
    private var pushedLastTime = false
    private let progress = Mutex<SyncProgress?>(nil)

    private var waiting: [Caller] = []
    /// What the next sync shall do beside what those who wait for it ask for; nil where nobody has asked.
    private var called: SyncRequest?
    private var serverClock = ServerClock()
    private var answered: Set<Int64> = []
    private var relations: RelationReading?
    /// The page sizes of classes of which a page of the usual size is too much.
    private var pageLimits: [String: PageLimit] = [:]
    /// Differences of counts that searching has not settled, by pull.
    private var openDifferences: [PullId: OpenDifference] = [:]
    private var backoff: Backoff
    private var timer: Task<Void, Never>?
    private var debounce: Task<Void, Never>?
    /// When the timer ends, by the local clock: to be shown, never to be compared.
    private var nextAt: ParseDate?
    /// Syncs in a row that did not reach the remote.
    private var failures = 0
    private let wakeups: AsyncStream<Void>
    private let wakeup: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - isPaused: as `pause` left it before the last restart.
    ///   - observe: told what each sync does; called from whatever thread it runs on.
    package init(
        store: any SyncStore, remote: any RemoteService, options: SyncOptions, isPaused: Bool = false,
        environment: Environment, logger: Logger, observe: @escaping @Sendable (SyncEvent) -> Void = { _ in }
    ) {
        self.store = store
        self.remote = remote
        self.options = options
        self.isPaused = isPaused
        self.environment = environment
        self.logger = logger
        self.observe = observe
        backoff = Backoff(max: options.retryDelayMax)
        // Any number of calls for a sync while one runs is one call for the next.
        (wakeups, wakeup) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// A call that waits for the end of a sync.
    private struct Caller {
        let call: SyncRequest
        let continuation: CheckedContinuation<SyncOutcome, Never>
        /// The work for it so far, where that took more than one sync.
        var done: SyncSummary?

        func resume(with outcome: SyncOutcome) {
            guard case .finished(let summary) = outcome, let done else {
                return continuation.resume(returning: outcome)
            }
            continuation.resume(returning: .finished(done.followed(by: summary)))
        }
    }

    // MARK: The loop

    /// Syncs until `stop`, or until the task is cancelled.
    package func run() async {
        start()
        for await _ in wakeups {
            if Task.isCancelled || isStopping { break }
            // The sync before may have served the call of this wakeup.
            guard let call = called else { continue }
            let callers = waiting
            (waiting, called) = ([], nil)
            let outcome = isPaused ? .paused : await sync(call)
            if case .finished(let summary) = outcome, summary.relationsLeft, !isPaused, !isStopping {
                goOn(after: summary, for: callers)
                continue
            }
            for caller in callers { caller.resume(with: outcome) }
            if !isPaused { scheduleNext(after: outcome) }
        }
        timer?.cancel()
        debounce?.cancel()
        for caller in waiting { caller.resume(with: .paused) }
        waiting = []
    }

    /// Relations are left: another sync follows at once, so that changes from either side need not wait for all of them.
    /// Calls that wait for a pull wait for the relations too.
    private func goOn(after summary: SyncSummary, for callers: [Caller]) {
        for var caller in callers {
            if caller.call.pulls {
                caller.done = caller.done?.followed(by: summary) ?? summary
                waiting.append(caller)
            } else {
                caller.resume(with: .finished(summary))
            }
        }
        start()
    }

    private func scheduleNext(after outcome: SyncOutcome) {
        switch outcome {
        case .finished(let summary) where summary.deferred == 0:
            backoff.reset()
            wake(after: options.interval)
        case .finished:
            wake(after: backoff.next(random: environment.random()))
        case .failed(.unusable), .failed(.foreign):
            wake(after: backoff.next(random: environment.random()))
        case .failed(.offline(_, let retryAfter)):
            wake(after: backoff.next(atLeast: retryAfter, random: environment.random()))
        case .failed, .paused:
            wake(after: options.interval)
        }
    }

    private func wake(after delay: Duration) {
        timer?.cancel()
        nextAt = environment.now() + delay
        observe(.statusChanged)
        // Neither this nor the other wait keeps the engine, and its store, longer than those do who use it.
        timer = Task { [weak self, environment] in
            guard (try? await environment.sleep(delay)) != nil else { return }
            await self?.start()
        }
    }

    /// One sync, from its beginning to its end. The loop calls it; so may a deterministic run, which has no loop.
    package func sync(_ call: SyncRequest = .full) async -> SyncOutcome {
        isRunning = true
        observe(.statusChanged)
        defer {
            isRunning = false
            progress.withLock { $0 = nil }
            observe(.statusChanged)
        }
        let begin = environment.uptime()
        let requests = RequestCount()
        var run = SyncRun(
            store: store, remote: remote, options: options, environment: environment, logger: logger,
            observe: observe, isHalted: { self.halt.withLock { $0 } }, hasAnswered: { self.noteAnswer() },
            requests: requests,
            report: { news in
                self.progress.withLock { $0 = news }
                self.observe(.statusChanged)
            }, pushedLastTime: pushedLastTime,
            serverClock: serverClock, pageLimits: pageLimits, openDifferences: openDifferences, relations: relations,
            answered: answered)
        defer {
            openDifferences = run.openDifferences
            pageLimits = run.pageLimits
            serverClock = run.serverClock
            answered = run.answered
            relations = run.relations
            pushedLastTime = run.summary.pushed > 0
        }
        let outcome: SyncOutcome
        do {
            try await RequestCount.$current.withValue(requests) { try await run.run(call) }
            run.summary.requests = requests.value
            let now = environment.now()
            try await run.stored { try await $0.setLastSync(now) }
            run.summary.duration = environment.uptime() - begin
            outcome = finish(run.summary)
        } catch {
            outcome = fail(error as? SyncError ?? .store(String(describing: error)))
        }
        observe(.syncEnded(outcome, duration: environment.uptime() - begin))
        return outcome
    }

    private func finish(_ summary: SyncSummary) -> SyncOutcome {
        noteAnswer()
        failures = 0
        lastError = nil
        lastFailure = summary.failing.first
        let whole = unfinished?.followed(by: summary) ?? summary
        unfinished = summary.relationsLeft ? whole : nil
        lastSummary = whole
        for warning in summary.warnings { logger.warning("\(warning)") }
        let moved = summary.pulled + summary.pushed + summary.removed + summary.conflicts + summary.rejections
        logger.log(
            level: moved > 0 ? .info : .debug,
            """
            synced: \(summary.pulled) pulled, \(summary.pushed) pushed, \(summary.removed) removed, \
            \(summary.conflicts) conflicts, \(summary.rejections) rejections, \(summary.requests) requests
            """)
        return .finished(summary)
    }

    private var isOnline: Bool { online.withLock { $0 } }

    /// The remote can be reached.
    private nonisolated func noteAnswer() {
        let isNews = online.withLock { online in
            defer { online = true }
            return !online
        }
        guard isNews else { return }
        logger.info("the remote can be reached")
        observe(.statusChanged)
    }

    private func fail(_ error: SyncError) -> SyncOutcome {
        switch error {
        case .foreign:
            // Waiting does not help: a person has to look.
            if lastError != error { logger.error("\(error.message)") }
            online.withLock { $0 = false }
            failures += 1
        case .offline, .unusable:
            // Being offline is a normal state: told once, when it begins.
            if isOnline || lastError == nil { logger.info("working offline: \(error.message)") }
            online.withLock { $0 = false }
            failures += 1
        case .unauthorized, .refused:
            if lastError != error { logger.error("\(error.message)") }
            noteAnswer()
            failures = 0
        case .storeFull, .store:
            logger.error("\(error.message)")
        case .halted:
            return .paused
        }
        lastError = error
        return .failed(error)
    }

    // MARK: Calls for a sync

    /// A sync soon; one that runs already is followed by another.
    package func start(_ call: SyncRequest = .full) {
        called = called?.joined(with: call) ?? call
        wakeup.yield()
    }

    /// A sync that begins after this call, and its end: what was written before, here or there, is in it.
    package func startAndWait(_ call: SyncRequest = .full) async -> SyncOutcome {
        if isPaused { return .paused }
        return await withCheckedContinuation { continuation in
            waiting.append(Caller(call: call, continuation: continuation))
            start(call)
        }
    }

    /// Something was written here. A moment later it goes out, together with what follows it; where the remote
    /// cannot be reached, the next try is not brought forward.
    package func noteLocalWrite() {
        guard debounce == nil, !isPaused, isOnline || lastError == nil, !isUnauthorized else { return }
        debounce = Task { [weak self, environment, options] in
            guard (try? await environment.sleep(options.debounce)) != nil else { return }
            await self?.startAfterDebounce()
        }
    }

    private func startAfterDebounce() {
        debounce = nil
        start()
    }

    /// Work offline: no sync begins until `resume`, also after a restart.
    package func pause() async throws {
        try await store.setPaused(true)
        isPaused = true
        halt.withLock { $0 = true }
        timer?.cancel()
        observe(.statusChanged)
    }

    package func resume() async throws {
        try await store.setPaused(false)
        isPaused = false
        halt.withLock { $0 = isStopping }
        observe(.statusChanged)
        start()
    }

    /// Ends `run`: at once where no sync runs, else when the request that is under way has been settled, so that its
    /// outcome is known.
    package func stop() {
        isStopping = true
        halt.withLock { $0 = true }
        wakeup.yield()
    }

    /// The remote has refused our keys: until somebody asks, or the interval is over, it is not asked again.
    private var isUnauthorized: Bool {
        if case .unauthorized = lastError { true } else { false }
    }

    package var status: SyncStatus {
        var status = SyncStatus()
        status.state = isPaused ? .paused : isRunning ? .running : .idle
        status.isOnline = isOnline
        status.lastError = lastError?.message ?? lastFailure
        status.lastErrorKind = lastError?.kind ?? lastFailure.map { _ in "failing" }
        status.circuit.failures = failures
        if failures > 0 {
            status.circuit.state = isRunning ? .halfOpen : .open
            status.circuit.retryAt = isRunning || isPaused ? nil : nextAt
        }
        if isUnauthorized { status.pushPausedBecause = lastError?.message }
        status.progress = progress.withLock { $0 }
        status.lastSummary = lastSummary
        return status
    }

    /// The remote's answer to a query about what is not kept here. Not asked while somebody works offline.
    package func ask(_ className: String, _ parameters: JSONObject) async throws(SyncError) -> JSONObject {
        guard !isPaused else { throw .offline(reason: "syncing is paused", retryAfter: nil) }
        do { return try await remote.query(className, parameters: parameters) } catch { throw SyncError(error) }
    }

    /// The query operators that a pull may use; nil for all.
    package nonisolated var operators: Set<String>? { remote.capabilities.operators }

    /// What to do with objects that are gone remotely, for removals that a person has confirmed.
    package nonisolated var rebase: Rebase { RebaseRules.rebase }
}
