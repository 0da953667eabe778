import ParseModel
import RemoteService
import Synchronization

/// A sync's access to the remote. Before each request it checks whether the sync was halted, and each answer shows that
/// the remote is reachable. It also tracks the server's clock and the page sizes.
final class RemoteReader: Sendable {
    /// The part of the state that the next sync reuses.
    struct Memory: Sendable {
        fileprivate(set) var clock = ServerClock()
        /// By class, the reduced page size after a page above the limit.
        fileprivate(set) var pageLimits: [String: PageLimit] = [:]
    }

    private struct State {
        var memory: Memory
        /// The uptime of the latest request.
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

    var memory: Memory { state.withLock { $0.memory } }
    func capabilities(of className: String) -> RemoteCapabilities { remote.capabilities(of: className) }
    var batchMax: Int { remote.batchMax }
    var relations: (any RemoteRelationService)? { remote.relations }
    var files: (any RemoteFileService)? { remote.files }

    // MARK: Requests

    var isHalted: Bool { halted() }

    /// - Throws: `SyncError.halted` if syncing was paused or the program is stopping.
    func requireNotHalted() throws(SyncError) {
        if isHalted { throw .halted }
    }

    /// Performs one request.
    func ask<Value: Sendable>(
        _ body: @Sendable (any RemoteService) async throws(RemoteError) -> Value
    ) async throws(SyncError) -> Value {
        switch try await answer(body) {
        case .success(let value): return value
        case .failure(let error): throw SyncError(error)
        }
    }

    /// Performs one request and throws the remote's own error.
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

    /// Sends operations. It does not check for a halt: the push checks before it marks them as in flight.
    func push(_ operations: [PushOperation]) async -> [PushOutcome] {
        let outcomes = await remote.push(operations)
        if outcomes.contains(where: \.isFromTheRemote) { hasAnswered() }
        return outcomes
    }

    /// A page that is read while its predecessor is stored.
    func pageAhead(_ request: PullRequest?) async throws -> PullPage? {
        guard let request else { return nil }
        return try await remote.pull([request]).first
    }

    // MARK: The server's clock

    /// Notes the server time of the latest answer.
    func noteServerTime(_ serverTime: ParseDate) {
        let answered = environment.uptime()
        state.withLock { $0.memory.clock.note(serverTime, asked: $0.askedAt, answered: answered) }
    }

    /// The earliest possible current server time; nil before the first answer.
    var earliestServerTime: ParseDate? { memory.clock.earliest(uptime: environment.uptime()) }

    /// The latest possible current server time; nil before the first answer.
    var latestServerTime: ParseDate? { memory.clock.latest(uptime: environment.uptime()) }

    /// The earliest possible current server time. Requests it from the remote if no answer has contained it yet.
    func serverNow() async throws(SyncError) -> ParseDate {
        if let now = earliestServerTime { return now }
        let serverTime = try await ask { remote throws(RemoteError) in try await remote.serverTime() }
        noteServerTime(serverTime)
        return serverTime
    }

    // MARK: Page sizes

    /// The reduced page size of the class; nil for the remote's own page size.
    func pageLimit(of className: String) -> Int? { state.withLock { $0.memory.pageLimits[className]?.rows } }

    /// Notes that a page of the class was stored.
    func notePage(of className: String) {
        let pageSize = capabilities(of: className).pageSize
        state.withLock { state in
            state.memory.pageLimits[className]?.notePage()
            if let rows = state.memory.pageLimits[className]?.rows, rows >= pageSize {
                state.memory.pageLimits[className] = nil
            }
        }
    }

    /// Halves the page size after a page above the limit.
    /// - Returns: the new number of rows.
    func halvePage(of className: String, from rows: Int) -> Int {
        let limit = PageLimit(halving: rows)
        state.withLock { $0.memory.pageLimits[className] = limit }
        return limit.rows
    }

    /// Notes that a single row of the class was skipped because of its size.
    func noteSkippedRow(of className: String) {
        state.withLock { $0.memory.pageLimits[className, default: PageLimit(halving: 2)].noteSkippedRow() }
    }
}
