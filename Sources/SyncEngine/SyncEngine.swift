import Logging
import ParseModel
import RemoteService
import StoreService
import SyncModel
import Synchronization

/// Runs syncs, one at a time: at the start, after local writes, at an interval, on request, at once if relations remain unread,
/// and after a delay if the remote was unreachable or unusable or changes remain to be sent. `SyncRun` has the phases of a sync.
package actor SyncEngine {
    let store: any SyncStore
    let remote: any RemoteService
    let authors: (any AuthorRemotes)?
    /// The latest decisions about sent changes, for the clients that wait for them.
    package nonisolated let settled = SettledChanges()
    /// The circuit breaker that all requests of the gateway share; nil for an engine outside a gateway.
    let circuit: RemoteCircuit?
    /// The id under which this engine reports to the circuit breaker and is notified by it.
    private let circuitId: Int
    /// Listens to the remote's reports of changes; nil if it reports none.
    let listening: RemoteListening?
    let options: SyncOptions
    let environment: Environment
    let logger: Logger
    let observe: @Sendable (SyncEvent) -> Void
    let hasSession: @Sendable () async -> Bool

    /// Whether this engine was paused by its own `pause`, and not only by that of the gateway.
    var isPausedItself: Bool
    /// Whether the gateway is paused. This engine then pauses too, because it syncs the data of one user of the
    /// gateway.
    var isPausedByGateway: Bool
    var isPaused: Bool { isPausedItself || isPausedByGateway }
    var isStopping = false
    /// Whether `run` has ended. No sync starts afterwards, and `startAndWait` returns at once.
    private var hasEnded = false
    var isRunning = false
    /// Whether the running sync must end before its next request.
    let halt = Mutex(false)
    /// The number of suspensions that have begun and not ended.
    var suspensions = 0
    /// The callers of `suspend` that wait for the end of the running sync.
    var suspending: [CheckedContinuation<Void, Never>] = []
    /// Whether the remote counts as reachable: true after an answer to a sync, false after a sync that failed because the remote
    /// was unreachable or unusable.
    private let online = Mutex(false)
    private var lastError: SyncError?
    /// A message about the first change on which the remote failed, in the last finished sync; nil if the remote failed on none.
    private var lastFailure: String?
    private var lastSummary: SyncSummary?
    /// The combined summary of the syncs that have worked on reading the members of relations; nil if no relations
    /// remain.
    private var unfinished: SyncSummary?
    private let progress = Mutex<SyncProgress?>(nil)

    private var waiting: [SyncCaller] = []
    /// The request for the next sync, merged from all requests since the last sync began; nil for none.
    private var called: SyncRequest?
    var memory = EngineMemory()
    private var schedule: SyncSchedule
    var signalPace = SignalPace()
    var timer: Task<Void, Never>?
    private var debounce: Task<Void, Never>?
    /// The time of the next scheduled sync, by the local clock; nil if none was scheduled. Only for display.
    private var nextAt: ParseDate?
    /// The number of consecutive syncs that failed because the remote was unreachable or its answer unusable.
    private(set) var failures = 0
    private let wakeups: AsyncStream<Void>
    private let wakeup: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - authors: the authors' accesses to the remote; nil if all changes are the gateway's.
    ///   - signals: opens connections on which the remote reports changes; nil to sync only at the interval.
    ///   - circuit: the circuit breaker that all requests of the gateway share; nil for an engine outside a gateway.
    ///   - isPaused: whether syncing was paused before the last restart.
    ///   - isPausedByGateway: whether the gateway is paused to which this engine of one user belongs.
    ///   - hasSession: whether the user of the changes has a session. Asked after the remote has refused a request.
    ///   - observe: called with each event of the engine, from any thread.
    package init(
        store: any SyncStore, remote: any RemoteService, authors: (any AuthorRemotes)? = nil,
        signals: (any RemoteChangeSignals)? = nil, circuit: RemoteCircuit? = nil, options: SyncOptions,
        isPaused: Bool = false, isPausedByGateway: Bool = false,
        hasSession: @escaping @Sendable () async -> Bool = { true },
        environment: Environment, logger: Logger, observe: @escaping @Sendable (SyncEvent) -> Void = { _ in }
    ) {
        self.store = store
        self.remote = remote
        self.authors = authors
        self.circuit = circuit
        circuitId = circuit?.newId() ?? 0
        self.options = options
        isPausedItself = isPaused
        self.isPausedByGateway = isPausedByGateway
        self.hasSession = hasSession
        self.environment = environment
        self.logger = logger
        self.observe = observe
        listening = signals.map { signals in
            RemoteListening(signals, environment: environment, logger: logger) { observe(.statusChanged) }
        }
        schedule = SyncSchedule(options)
        // Any number of calls of `start` during a sync leads to one further sync.
        (wakeups, wakeup) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Whether callers wait for a sync that has not begun.
    var hasCallers: Bool { !waiting.isEmpty }

    // MARK: The loop

    /// Syncs until `stop` is called or the task is cancelled.
    package func run() async {
        hasEnded = false
        circuit?.observe(circuitId) { [weak self, environment] in
            environment.task { [weak self] in await self?.noteAnswerToOther() }
        }
        defer { circuit?.removeObserver(circuitId) }
        let listener = startListening()
        defer { listener?.cancel() }
        start()
        for await _ in wakeups {
            if Task.isCancelled || isStopping { break }
            // An earlier sync may already have included the request of this wakeup. `endSuspension` wakes this loop again.
            guard suspensions == 0, let call = called else { continue }
            let callers = waiting
            (waiting, called) = ([], nil)
            nextAt = nil
            schedule.noteBeginning()
            let outcome = isPaused ? .paused : await sync(call)
            // The classes or the session may have changed.
            listening?.wake()
            if case .paused = outcome, !isPaused, !isStopping {
                // A suspension has ended the sync early. Callers that waited for this sync wait for the next one.
                waiting = callers + waiting
                start(call)
                continue
            }
            if case .finished(let summary) = outcome { noteForWaiting(summary) }
            if case .finished(let summary) = outcome, summary.relationsLeft, !isPaused, !isStopping {
                startNextSlice(after: summary, for: callers)
                continue
            }
            for caller in callers { caller.resume(with: outcome) }
            if !isPaused { scheduleNext(after: outcome) }
        }
        timer?.cancel()
        debounce?.cancel()
        hasEnded = true
        for caller in waiting { caller.resume(with: .failed(.halted)) }
        waiting = []
    }

    /// Adds the results of a sync to those for the callers that arrived while the sync ran. These callers wait for the
    /// next sync, which may find nothing left to do.
    private func noteForWaiting(_ summary: SyncSummary) {
        for index in waiting.indices { waiting[index].done = waiting[index].done?.followed(by: summary) ?? summary }
    }

    /// Starts the next sync at once, because relations remain to be read. Each sync reads relations for a limited time,
    /// so that other changes do not wait long. Callers that requested a pull wait until all relations are read. The
    /// other callers resume now.
    private func startNextSlice(after summary: SyncSummary, for callers: [SyncCaller]) {
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
        let delay = schedule.delay(after: outcome, random: environment.random(), at: environment.uptime())
        // A sync that was requested during the last one may be due earlier. Its timer then stays.
        if called != nil, let nextAt, nextAt <= environment.now() + delay { return }
        wake(after: delay)
    }

    /// Schedules the next sync earlier: the remote has answered another request of the gateway, so it seems to be
    /// reachable again.
    func noteAnswerToOther() {
        guard let delay = schedule.delayAfterAnswer(at: environment.uptime()), !isPaused, !isStopping else { return }
        online.withLock { $0 = true }
        failures = 0
        guard delay > .zero else { return start() }
        if let nextAt, nextAt <= environment.now() + delay { return }
        wake(after: delay)
    }

    private func wake(after delay: Duration) {
        timer?.cancel()
        nextAt = environment.now() + delay
        observe(.statusChanged)
        // The task holds the engine weakly, so that a sleeping timer does not keep the engine and its store alive.
        timer = environment.task { [weak self, environment] in
            guard (try? await environment.sleep(delay)) != nil else { return }
            await self?.start()
        }
    }

    /// Runs one sync with the requested phases. Called by `run`, and directly by simulations that request each sync themselves.
    package func sync(_ call: SyncRequest = .full) async -> SyncOutcome {
        isRunning = true
        observe(.statusChanged)
        defer {
            isRunning = false
            for caller in suspending { caller.resume() }
            suspending = []
            progress.withLock { $0 = nil }
            observe(.statusChanged)
        }
        let begin = environment.uptime()
        signalPace.noteBeginning(at: begin)
        let requests = RequestCount()
        let reporter = SyncReporter(requests: requests) { progress in
            self.progress.withLock { $0 = progress }
            self.observe(.statusChanged)
        }
        let reader = RemoteReader(
            remote, memory: memory.remote, environment: environment, observe: observe,
            isHalted: { self.halt.withLock { $0 } }, hasAnswered: { self.noteAnswer() })
        let context = SyncContext(
            store: store, remote: reader, options: options, environment: environment, logger: logger,
            reporter: reporter, settled: settled)
        var memory = memory
        let outcome: SyncOutcome
        do {
            try await RequestCount.$current.withValue(requests) {
                try await SyncRun(context: context, authors: authors, observe: observe).run(call, &memory)
            }
            let now = environment.now()
            try await context.store { try await $0.setLastSync(now) }
            var summary = reporter.summary
            (summary.duration, summary.endedAt) = (environment.uptime() - begin, now)
            outcome = finish(summary)
        } catch {
            var failure = error as? SyncError ?? .store(String(describing: error))
            if case .unauthorized = failure, await !hasSession() { failure = .waitsForLogIn }
            outcome = fail(failure, begunAt: begin)
        }
        memory.remote = reader.memory
        memory.hasPushed = reporter.summary.pushed > 0
        self.memory = memory
        let end = environment.uptime()
        if let delay = signalPace.noteEnd(at: end) { startAfterReport(delay) }
        observe(.syncEnded(outcome, duration: end - begin))
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

    /// Records that the remote is reachable.
    nonisolated func noteAnswer() {
        circuit?.noteAnswer(to: circuitId)
        let wasOffline = online.withLock { online in
            defer { online = true }
            return !online
        }
        guard wasOffline else { return }
        logger.info("the remote is reachable")
        observe(.statusChanged)
    }

    private func fail(_ error: SyncError, begunAt: Duration) -> SyncOutcome {
        switch error {
        case .foreign:
            // Logged as an error, because only the user can correct the remote's URL. Equal errors in a row are logged once.
            if lastError != error { logger.error("\(error.message)") }
            noteFailure(error, begunAt: begunAt)
        case .offline, .unusable:
            // Being offline is a normal state, so only its beginning is logged.
            if isOnline || lastError == nil { logger.info("working offline: \(error.message)") }
            noteFailure(error, begunAt: begunAt)
        case .unauthorized, .classUnauthorized, .refused:
            if lastError != error { logger.error("\(error.message)") }
            noteAnswer()
            failures = 0
        case .waitsForLogIn:
            if lastError != error { logger.notice("\(error.message)") }
            failures = 0
        case .storeFull, .store:
            logger.error("\(error.message)")
        case .halted:
            return .paused
        }
        lastError = error
        return .failed(error)
    }

    private func noteFailure(_ error: SyncError, begunAt: Duration) {
        online.withLock { $0 = false }
        failures += 1
        switch error {
        case .offline(let reason, _), .unusable(let reason, _), .foreign(let reason):
            // If the remote has answered another request during this sync, the next attempt need not wait for another
            // such answer.
            if circuit?.noteFailure(reason: reason, of: circuitId, begunAt: begunAt) == false { schedule.noteAnswer() }
        default: break
        }
    }

    // MARK: Sync requests

    /// Requests a sync after a delay.
    package func start(_ call: SyncRequest, after delay: Duration) {
        guard delay > .zero else { return start(call) }
        called = called?.joined(with: call) ?? call
        if let nextAt, nextAt <= environment.now() + delay { return }
        wake(after: delay)
    }

    /// Requests a sync. If a sync is running, the requested sync follows it.
    package func start(_ call: SyncRequest = .full) {
        called = called?.joined(with: call) ?? call
        wakeup.yield()
    }

    /// Requests a sync and waits for its end. The sync begins after this call, so the requested phases cover all earlier writes.
    /// If a pull is requested, also waits for the syncs that continue the reading of relations.
    /// - Returns: the outcome of the sync; `.paused` while syncing is paused; `.failed(.halted)` if `run` has ended.
    package func startAndWait(_ call: SyncRequest = .full) async -> SyncOutcome {
        if isPaused { return .paused }
        if hasEnded { return .failed(.halted) }
        return await withCheckedContinuation { continuation in
            waiting.append(SyncCaller(call: call, continuation: continuation))
            start(call)
        }
    }

    /// Notifies the engine of a local write. A sync sends the write after a short delay, together with further writes. While
    /// syncing is paused, or the remote is unreachable or refuses the keys, this call starts no sync.
    package func noteLocalWrite() {
        guard debounce == nil, !isPaused, isOnline || lastError == nil, !isUnauthorized else { return }
        debounce = environment.task { [weak self, environment, options] in
            guard (try? await environment.sleep(options.debounce)) != nil else { return }
            await self?.startAfterDebounce()
        }
    }

    private func startAfterDebounce() {
        debounce = nil
        start()
    }

    /// Ends `run`. A running sync waits for the answer to its current request, and sends no further request.
    package func stop() {
        isStopping = true
        halt.withLock { $0 = true }
        listening?.wake()
        wakeup.yield()
    }

    /// Whether the last sync failed because the remote refused the keys or the session. Local writes then start no sync.
    var isUnauthorized: Bool {
        switch lastError {
        case .unauthorized, .waitsForLogIn: true
        default: false
        }
    }

    package var status: SyncStatus {
        var status = SyncStatus()
        status.state = isPaused ? .paused : isRunning ? .running : .idle
        status.isOnline = isOnline
        status.lastError = lastError?.message ?? lastFailure
        status.lastErrorKind = lastError?.kind ?? lastFailure.map { _ in SyncStatus.failing }
        status.circuit.failures = failures
        if failures > 0 {
            status.circuit.state = isRunning ? .halfOpen : .open
            status.circuit.retryAt = isRunning || isPaused ? nil : nextAt
        }
        status.nextSyncAt = isRunning || isPaused ? nil : nextAt
        if isUnauthorized { status.pushPausedBecause = lastError?.message }
        status.listening = listening?.state
        status.progress = progress.withLock { $0 }
        status.lastSummary = lastSummary
        return status
    }
}
