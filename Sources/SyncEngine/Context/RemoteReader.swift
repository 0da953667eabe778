import ParseModel
import RemoteService
import SyncModel
import Synchronization

/// Sends the requests of a sync to the remote, and tracks the server's clock and the page sizes. When the sync must
/// end, all requests except `push` and `pageAhead` fail without being sent. Each answer, except to `pageAhead`, is
/// reported as a sign that the remote is reachable.
final class RemoteReader: Sendable {
    /// The server's clock and the page sizes, which the next sync takes over.
    struct Memory: Sendable {
        fileprivate(set) var clock = ServerClock()
        /// By class, the reduced page size after a page that exceeded the size limit.
        fileprivate(set) var pageLimits: [String: PageLimit] = [:]
    }

    private struct State {
        var memory: Memory
        /// The uptime at which `answer` sent the latest request.
        var askedAt = Duration.zero
    }

    private let remote: any RemoteService
    private let environment: Environment
    private let observe: @Sendable (SyncEvent) -> Void
    private let halted: @Sendable () -> Bool
    private let hasAnswered: @Sendable () -> Void
    private let state: Mutex<State>

    /// - Parameters:
    ///   - isHalted: whether the sync must end before its next request.
    ///   - hasAnswered: called when the remote has answered.
    init(
        _ remote: any RemoteService, memory: Memory, environment: Environment,
        observe: @escaping @Sendable (SyncEvent) -> Void, isHalted: @escaping @Sendable () -> Bool,
        hasAnswered: @escaping @Sendable () -> Void
    ) {
        self.remote = remote
        self.environment = environment
        self.observe = observe
        halted = isHalted
        self.hasAnswered = hasAnswered
        state = Mutex(State(memory: memory))
    }

    /// A reader that sends its requests to an author's remote. It starts with a copy of this reader's state.
    func through(_ remote: any RemoteService) -> RemoteReader {
        RemoteReader(
            remote, memory: memory, environment: environment, observe: observe, isHalted: halted,
            hasAnswered: hasAnswered)
    }

    var memory: Memory { state.withLock { $0.memory } }
    func capabilities(of className: String) -> RemoteCapabilities { remote.capabilities(of: className) }
    func refusal(of fields: JSONObject, in className: String, mapping: ClassMapping) -> ParseError? {
        remote.refusal(of: fields, in: className, mapping: mapping)
    }
    var batchMax: Int { remote.batchMax }
    var answersWatch: Bool { remote.answersWatch }
    var batchesMax: Int { remote.batchesMax }
    var relations: (any RemoteRelationService)? { remote.relations }
    var files: (any RemoteFileService)? { remote.files }
    var deletions: (any RemoteDeletionFeed)? { remote.deletions }

    // MARK: Requests

    var isHalted: Bool { halted() }

    /// Checks that the sync may send its next request.
    /// - Throws: `SyncError.halted` if syncing was paused or the program is stopping.
    func requireNotHalted() throws(SyncError) {
        if isHalted { throw .halted }
    }

    /// Checks that the remote accepts the key under which the gateway reads everything.
    /// - Throws: if the remote does not accept this key.
    func requireFullAccess() async throws(SyncError) {
        try requireNotHalted()
        do throws(RemoteError) {
            // Without such a key, no request is sent, and the success is no sign that the remote is reachable.
            try await remote.requireFullAccess()
        } catch {
            if !error.isTransient { hasAnswered() }
            observe(.remoteFailed(SyncError(error)))
            throw SyncError(error)
        }
    }

    /// Makes one call to the remote, which may take several requests. Converts the remote's error to a `SyncError`.
    func ask<Value: Sendable>(
        _ body: @Sendable (any RemoteService) async throws(RemoteError) -> Value
    ) async throws(SyncError) -> Value {
        switch try await answer(body) {
        case .success(let value): return value
        case .failure(let error): throw SyncError(error)
        }
    }

    /// Makes one call to the remote, and returns the remote's error unconverted.
    /// - Throws: `SyncError.halted` if the sync was halted. No request is then sent.
    func answer<Value: Sendable>(
        _ body: @Sendable (any RemoteService) async throws(RemoteError) -> Value
    ) async throws(SyncError) -> Result<Value, RemoteError> {
        try requireNotHalted()
        state.withLock { [now = environment.uptime()] in $0.askedAt = now }
        do {
            let value = try await body(remote)
            hasAnswered()
            return .success(value)
        } catch {
            if !error.isTransient { hasAnswered() }
            observe(.remoteFailed(SyncError(error)))
            return .failure(error)
        }
    }

    /// Converts the error of one answer among several of the same request, and reports it.
    func failure(_ error: RemoteError) -> SyncError {
        let error = SyncError(error)
        observe(.remoteFailed(error))
        return error
    }

    /// Sends operations, even if the sync must end: `Push` checks this before it marks the outbox entries as in flight.
    func push(_ operations: [PushOperation]) async -> [PushOutcome] {
        let outcomes = await remote.push(operations)
        if outcomes.contains(where: \.isFromTheRemote) { hasAnswered() }
        return outcomes
    }

    /// Requests the next page of a pull, while the caller stores the previous page. Returns nil if `request` is nil.
    func pageAhead(_ request: PullRequest?) async throws -> PullPage? {
        guard let request else { return nil }
        return try await remote.pull([request]).first
    }

    // MARK: The server's clock

    /// Records the server time that the latest answer shows.
    func noteServerTime(_ serverTime: ParseDate) {
        let answered = environment.uptime()
        state.withLock { $0.memory.clock.note(serverTime, asked: $0.askedAt, answered: answered) }
    }

    /// The earliest possible current server time; nil before the first answer.
    var earliestServerTime: ParseDate? { memory.clock.earliest(uptime: environment.uptime()) }

    /// The latest possible current server time; nil before the first answer.
    var latestServerTime: ParseDate? { memory.clock.latest(uptime: environment.uptime()) }

    /// The earliest possible current server time. If no answer has shown a server time yet, one is requested from the remote.
    func serverNow() async throws(SyncError) -> ParseDate {
        if let now = earliestServerTime { return now }
        let serverTime = try await ask { remote throws(RemoteError) in try await remote.serverTime() }
        noteServerTime(serverTime)
        return serverTime
    }

    // MARK: Page sizes

    /// The reduced page size of the class, in rows; nil if the page size is not reduced.
    func pageLimit(of className: String) -> Int? { state.withLock { $0.memory.pageLimits[className]?.rows } }

    /// Counts a page that arrived with rows. After enough pages, a reduced page size of the class grows again.
    func notePage(of className: String) {
        let pageSize = capabilities(of: className).pageSize
        state.withLock { state in
            state.memory.pageLimits[className]?.notePage()
            if let rows = state.memory.pageLimits[className]?.rows, rows >= pageSize {
                state.memory.pageLimits[className] = nil
            }
        }
    }

    /// Halves the page size of the class after a page that exceeded the size limit.
    /// - Returns: the new number of rows.
    func halvePage(of className: String, from rows: Int) -> Int {
        let limit = PageLimit(halving: rows)
        state.withLock { $0.memory.pageLimits[className] = limit }
        return limit.rows
    }

    /// Records that a single row of the class was skipped because it exceeds the size limit.
    func noteSkippedRow(of className: String) {
        state.withLock { $0.memory.pageLimits[className, default: PageLimit(halving: 2)].noteSkippedRow() }
    }
}
