import HTTPServer
import ParseModel
import StoreService

/// Executes the items of a batch in order, and collects their answers.
///
/// Consecutive writes go to the store in one call. Parse Server executes the items of a batch concurrently. This type
/// executes the items in order, so that a later item sees the effect of an earlier one. Each item is executed with the
/// session and the roles that the caller has at that time: a log-out or a changed password ends the rights of the items
/// after it.
struct BatchRun: Sendable {
    let store: any ObjectStore
    let reads: ObjectReads
    let writes: ObjectWrites
    let dispatcher: Dispatcher
    let limits: RequestLimits
    let threads: BlockingReads
    let uptime: @Sendable () -> Duration
    /// Limits the total size of the item answers that all running batches hold.
    let answerBudget: ByteBudget
    /// Whether a session has ended; nil if the end of the session does not affect the remaining items.
    let hasEnded: (@Sendable (_ token: String) throws -> Bool)?
    let audit: AuditStage?

    /// - Returns: `[{"success":…},{"error":…},…]` as JSON text, and whether the remote has the successful writes; nil if the
    ///   client has not asked for the remote.
    /// - Throws: the error that fails a transaction.
    func run(_ plan: BatchPlan) async throws -> (text: [UInt8], state: RemoteState?) {
        var running = RunningBatch(plan, self)
        defer { running.answers.end() }
        for (place, item) in plan.items.enumerated() { try await running.execute(item, at: place) }
        try await running.flush()
        audit?.note(plan.calls, of: plan.request, codes: running.answers.codes)
        return (running.answers.text, running.state)
    }

    fileprivate func perform(
        _ writes: [WriteRequest], as principal: Principal, isAtomic: Bool
    ) async -> [Result<WriteReceipt, any Error>] {
        let results = await store.perform(writes, as: principal, atomically: isAtomic)
        return await dispatcher.readiness.repeating(results, isAtomic: isAtomic) { places in
            await store.perform(places.map { writes[$0] }, as: principal, atomically: isAtomic)
        }
    }

    fileprivate func read(
        _ target: ObjectTarget, _ parameters: JSONObject, _ plan: BatchPlan, bytesMax: Int, until deadline: Duration
    ) async -> Result<[UInt8], any Error> {
        let client = plan.request.http.client
        let read = { (awaited: Set<String>) async throws -> [UInt8] in
            let time = min(limits.queryTimeMax, max(.zero, deadline - uptime()))
            return try await threads.run(.batchItem, for: client) {
                let terms = ObjectReads.Terms(
                    showsMark: plan.request.parse.asksForSyncState, principal: try present(plan),
                    timeout: ReadTimeout(time, for: client), bytesMax: bytesMax, awaited: awaited,
                    sessionToken: plan.request.parse.credentials.sessionToken)
                return try reads.read(target, parameters, terms)
            }.get()
        }
        do {
            try await dispatcher.readiness.wait(for: target.className, target.objectId)
            return .success(try await dispatcher.readiness.repeating(read))
        } catch {
            return .failure(error)
        }
    }

    /// The principal of the batch, with the user's current roles.
    /// - Throws: `ParseError` 209 (invalid session token) if the session has ended since the batch began.
    fileprivate func present(_ plan: BatchPlan) throws -> Principal {
        let principal = plan.request.principal
        if let hasEnded, let token = plan.request.parse.credentials.sessionToken, try hasEnded(token) {
            throw ParseError.invalidSession
        }
        guard store.restrictsFeed(for: principal) else { return principal }
        guard let present = try store.present(principal) else { throw ParseError.invalidSession }
        return present
    }
}

/// A batch whose items are being executed.
private struct RunningBatch {
    let run: BatchRun
    let plan: BatchPlan
    let deadline: Duration
    var answers: BatchAnswers
    /// The writes since the last item of another kind. One call of the store performs them.
    private var waiting: [(place: Int, write: WriteRequest)] = []
    private var remoteIsAway = false
    /// Whether the remote has the successful writes; nil if the client has not asked for the remote.
    private(set) var state: RemoteState?
    /// The uptime until which writes wait for the remote.
    private let confirmedUntil: Duration

    private static let overdue = ParseError(.timeout, "The batch takes too long: this item was not executed.")
    private static let notAsked = APIError.remoteUnreachable(
        reason: "The remote did not answer an earlier item, so this item was not sent.")

    init(_ plan: BatchPlan, _ run: BatchRun) {
        self.plan = plan
        self.run = run
        deadline = run.uptime() + run.limits.batchTimeMax
        confirmedUntil = run.uptime() + (plan.request.parse.preference?.wait ?? .zero)
        answers = BatchAnswers(
            of: plan, bytesMax: run.limits.answerBytesMax, budget: run.answerBudget, errors: run.dispatcher.errors)
    }

    /// - Throws: the error that fails a transaction.
    mutating func execute(_ item: BatchPlan.Item, at place: Int) async throws {
        // After the time limit, or after the client has disconnected, no further item is executed. The items of a transaction
        // are exempt, because they are one write.
        guard plan.isAtomic || !plan.request.http.client.hasDisconnected && run.uptime() < deadline else {
            answers.note(.failure(Self.overdue), at: place)
            return
        }
        switch item {
        case .write(let write): try await prepare(write, at: place)
        case .read(let target, let parameters):
            try await flush()
            let answer = await run.read(target, parameters, plan, bytesMax: answers.bytesLeft, until: deadline)
            answers.note(answer, at: place)
        case .request(let request, let isForwarded):
            try await flush()
            await send(request, isForwarded: isForwarded, at: place)
        case .refused(let error): answers.note(.failure(error), at: place)
        }
        answers.reserve(at: place)
    }

    // MARK: Writes

    private mutating func prepare(_ write: WriteRequest, at place: Int) async throws {
        do {
            if let objectId = write.objectId {
                try await run.dispatcher.readiness.wait(for: write.className, objectId)
            }
            // Only writes of users and sessions need the user's current roles here. Other writes get them when they are
            // executed.
            let request =
                AccountPreparation.concerns(write) ? plan.request.acting(as: try run.present(plan)) : plan.request
            switch try await run.writes.prepared(write, for: request) {
            case .write(let write) where asksForOnly: try await sendOnly(write, at: place)
            case .write(let write): waiting.append((place, write))
            case .answer(let user, _): answers.note(.success(user.jsonBytes), at: place)
            }
        } catch {
            if plan.isAtomic { throw error }
            answers.note(.failure(error), at: place)
        }
    }

    /// Performs the waiting writes.
    mutating func flush() async throws {
        guard !waiting.isEmpty else { return }
        let results: [Result<WriteReceipt, any Error>]
        var principal = plan.request.principal
        do {
            principal = try run.present(plan)
            results = await performed(waiting.map(\.write), as: principal)
        } catch {
            results = waiting.map { _ in .failure(error) }
        }
        for (waiting, result) in zip(waiting, results) {
            if plan.isAtomic, case .failure(let error) = result, !error.isAboutStoredWrite {
                throw run.writes.refusal(error, of: waiting.write.className, to: principal)
            }
            let answered = result.map { ObjectWrites.answer(to: waiting.write, $0).jsonBytes }
                .mapError { run.writes.refusal($0, of: waiting.write.className, to: principal) }
            answers.note(answered, at: waiting.place)
        }
        waiting = []
    }

    // MARK: Writes whose client asks for the remote

    /// Whether the items go to the remote or nowhere. A standalone gateway has no remote.
    private var asksForOnly: Bool { plan.request.parse.preference?.kind == .only && run.writes.deliveries != nil }

    /// Performs writes. If the client asks for it, waits until the remote has taken them.
    private mutating func performed(
        _ writes: [WriteRequest], as principal: Principal
    ) async -> [Result<WriteReceipt, any Error>] {
        let perform = { @Sendable [run, isAtomic = plan.isAtomic] in
            await run.perform(writes, as: principal, isAtomic: isAtomic)
        }
        guard plan.request.parse.preference != nil else { return await perform() }
        guard let deliveries = run.writes.deliveries else {
            note(.synced)
            return await perform()
        }
        let time = max(.zero, confirmedUntil - run.uptime())
        let results = await deliveries.confirm(writes, as: principal, within: time, perform)
        for case .success(let delivered) in results { note(delivered.state) }
        return results.map { $0.map(\.receipt) }
    }

    /// Sends one write to the remote or nowhere. After a write without an answer, the later ones are not sent.
    private mutating func sendOnly(_ write: WriteRequest, at place: Int) async throws {
        guard !remoteIsAway else {
            answers.note(.failure(Self.notAsked), at: place)
            return
        }
        do {
            let performed = try await run.writes.perform(write, for: plan.request.acting(as: try run.present(plan)))
            note(.synced)
            answers.note(.success(ObjectWrites.answer(to: write, performed.receipt).jsonBytes), at: place)
        } catch {
            remoteIsAway = error.isAboutReach
            answers.note(.failure(error), at: place)
        }
    }

    /// Adds the state of a successful write. One queued write makes the batch queued.
    private mutating func note(_ written: RemoteState) { state = state == .queued ? .queued : written }

    // MARK: Other items

    private mutating func send(_ request: RoutedRequest, isForwarded: Bool, at place: Int) async {
        // If the remote did not answer a forwarded item, later forwarded items are not sent, to save their waiting time.
        guard !isForwarded || !remoteIsAway else {
            answers.note(.failure(Self.notAsked), at: place)
            return
        }
        do {
            let isOpen = request.route.policy.ignoresSession
            let request = isOpen ? request : request.acting(as: try run.present(plan))
            let response = try await run.dispatcher.reply(to: request).response()
            run.audit?.noteSignIn(response, request.route, client: request.http.peer)
            if isForwarded { remoteIsAway = [503, 504].contains(response.status.code) }
            answers.take(response, at: place)
        } catch {
            answers.note(.failure(error), at: place)
        }
    }
}

extension Error {
    /// Whether the error concerns a write that is stored here, although the remote has not taken it.
    fileprivate var isAboutStoredWrite: Bool {
        if case .notTaken? = self as? APIError { true } else { false }
    }

    /// Whether the remote gave no answer to a write.
    fileprivate var isAboutReach: Bool {
        switch self as? APIError {
        case .remoteUnreachable?, .remoteSilent?: true
        case .notTaken(let write)?: write.state == .unknown
        default: false
        }
    }
}
