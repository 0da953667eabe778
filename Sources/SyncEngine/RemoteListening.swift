import Logging
import ParseModel
import RemoteService
import SyncModel
import Synchronization

/// Listens to the remote's reports of changes, as `ListeningPlan` decides. Each report is a reason to sync.
actor RemoteListening {
    private enum Input: Sendable {
        /// The queries to listen to, or the session, may have changed.
        case woken
        case opened(any RemoteChangeListener, attempt: Int)
        case event(ListeningPlan.Event, attempt: Int)
    }

    private let signals: any RemoteChangeSignals
    private let environment: Environment
    private let logger: Logger
    private let onState: @Sendable () -> Void
    private let shownState: Mutex<SyncStatus.Listening>
    private let isWoken = Mutex(false)
    private let inputs: AsyncStream<Input>
    private let input: AsyncStream<Input>.Continuation
    private var plan = ListeningPlan()
    /// The open connection; nil if there is none.
    private var listener: (any RemoteChangeListener)?
    /// The attempt to connect, or the delay before it.
    private var task: Task<Void, Never>?
    /// Counts connections and delays. Events of earlier ones are ignored.
    private var attempt = 0
    /// The reason of the latest failure, as a phrase for the log.
    private var reason = ""

    /// - Parameter onState: called after each change of `state`.
    init(
        _ signals: any RemoteChangeSignals, environment: Environment, logger: Logger,
        onState: @escaping @Sendable () -> Void
    ) {
        self.signals = signals
        self.environment = environment
        self.logger = logger
        self.onState = onState
        shownState = Mutex(SyncStatus.Listening(state: .off, since: environment.now()))
        (inputs, input) = AsyncStream.makeStream()
    }

    nonisolated var state: SyncStatus.Listening { shownState.withLock { $0 } }

    /// Makes `run` ask for the queries, and check the session.
    nonisolated func wake() {
        let isFirst = isWoken.withLock { isWoken in
            defer { isWoken = true }
            return !isWoken
        }
        if isFirst { input.yield(.woken) }
    }

    /// Listens until the task is cancelled.
    /// - Parameters:
    ///   - wanted: returns the queries to listen to now; empty for none.
    ///   - onChange: called when an object may have changed.
    func run(
        wanted: @escaping @Sendable () async -> [PullQuery], onChange: @escaping @Sendable () async -> Void
    ) async {
        wake()
        for await input in inputs {
            if Task.isCancelled { break }
            guard let event = await event(of: input, wanted) else { continue }
            await perform(plan.take(event, at: environment.uptime(), random: environment.random()), onChange)
            show()
        }
        close()
    }

    /// - Returns: nil for an event of an earlier connection.
    private func event(
        of input: Input, _ wanted: @Sendable () async -> [PullQuery]
    ) async -> ListeningPlan.Event? {
        switch input {
        case .woken:
            isWoken.withLock { $0 = false }
            return .wanted(await wanted(), isCurrent: await listener?.isCurrent() ?? true)
        case .opened(let opened, let number):
            guard number == attempt else {
                opened.close()
                return nil
            }
            listener = opened
            return .connected
        case .event(let event, let number):
            guard number == attempt else { return nil }
            switch event {
            case .failed(.notOffered(let reason)), .failed(.failed(let reason)): self.reason = reason
            case .ended:
                reason = listener?.endReason ?? ""
                listener = nil
            case .listening(let refused) where !refused.isEmpty: reason = "the remote refuses to report them"
            default: break
            }
            return event
        }
    }

    private func perform(_ actions: [ListeningPlan.Action], _ onChange: @escaping @Sendable () async -> Void) async {
        for action in actions {
            switch action {
            case .connect: connect(onChange)
            case .listen(let queries): listener?.listen(to: queries)
            case .close: close()
            case .wait(let delay): wait(delay)
            case .sync: await onChange()
            }
        }
    }

    private func close() {
        attempt += 1
        if let listener {
            // The task reads until the server has answered the close frame.
            listener.close()
        } else {
            task?.cancel()
        }
        (listener, task) = (nil, nil)
    }

    private func wait(_ delay: Duration) {
        attempt += 1
        logger.debug("the connection for reports of the remote: \(reason). The next attempt is in \(delay)")
        task = environment.task { [environment, input, attempt] in
            guard (try? await environment.sleep(delay)) != nil else { return }
            input.yield(.event(.delayOver, attempt: attempt))
        }
    }

    private func connect(_ onChange: @escaping @Sendable () async -> Void) {
        attempt += 1
        task = environment.task { [signals, input, attempt] in
            do throws(RemoteSignalsError) {
                let listener = try await signals.connect()
                input.yield(.opened(listener, attempt: attempt))
                while let signal = await listener.next() {
                    switch signal {
                    case .changed: await onChange()
                    case .listening(let refused): input.yield(.event(.listening(refused: refused), attempt: attempt))
                    }
                }
                input.yield(.event(.ended, attempt: attempt))
            } catch {
                input.yield(.event(.failed(error), attempt: attempt))
            }
        }
    }

    private func show() {
        let known = state
        let way = plan.state == .listening ? listener?.way : nil
        guard known.state != plan.state || known.refused != plan.refused || known.way != way else { return }
        let since = known.state == plan.state ? known.since : environment.now()
        shownState.withLock {
            $0 = SyncStatus.Listening(state: plan.state, way: way, since: since, refused: plan.refused)
        }
        switch (plan.state, known.state) {
        case (.listening, _) where !plan.refused.isEmpty:
            let classes = plan.refused.sorted().joined(separator: ", ")
            logger.notice("the remote reports changes by itself, but refuses to report those of \(classes)")
        case (.listening, _): logger.info("the remote reports changes by itself")
        case (.notOffered, _): logger.info("the remote reports no changes by itself: \(reason)")
        case (.connecting, .listening): logger.info("the remote no longer reports changes by itself: \(reason)")
        case (.connecting, _), (.off, _): break
        }
        onState()
    }
}
