import ParseModel
import Synchronization

/// The circuit breaker of one remote. All requests of a gateway share it: its syncs, the syncs of its users, and the
/// calls of its clients.
///
/// The circuit opens if a request gets no usable answer, and closes at the first usable answer to any request. While it
/// is open, only one of the requests that a person waits for is tried in each second. The others of this second wait
/// for its result. If the remote cannot be reached, they fail with the same error. Otherwise they are tried themselves.
package final class RemoteCircuit: Sendable {
    /// The result of a request, as a sign whether the remote can be reached.
    package enum Verdict: Sendable {
        /// The remote gave a usable answer.
        case answered
        /// The remote could not be reached.
        case unreachable(reason: String)
        /// This request got no usable answer. Another request may get one.
        case failed(reason: String)
        /// No sign: the request was cancelled, or not sent.
        case nothing
    }

    /// The permission to send one request. The caller gives it back with the result of the request.
    package struct Permit: Sendable {
        fileprivate let begunAt: Duration
        /// The attempt for whose result other requests wait; nil if the circuit was closed.
        fileprivate let attempt: Attempt?
    }

    /// The minimum time between the beginnings of two attempts while the circuit is open.
    package static let interval = Duration.seconds(1)

    private struct State {
        /// The reason of the latest failure; nil while the circuit is closed.
        var failure: String?
        /// The uptime at which the latest attempt began; nil before the first one.
        var triedAt: Duration?
        /// The uptime of the latest answer.
        var answeredAt = Duration.zero
        /// The observer whose request got the latest answer.
        var answeredTo: Int?
        /// The attempts in progress, the latest last.
        var attempts: [Attempt] = []
        var observers: [(id: Int, onClose: @Sendable () -> Void)] = []
        var lastId = 0
    }

    private let environment: Environment
    private let state = Mutex(State())

    package init(environment: Environment) { self.environment = environment }

    package var isOpen: Bool { state.withLock { $0.failure != nil } }

    // MARK: What requests show

    /// Makes an id for an observer, with which it also reports the results of its own requests.
    package func newId() -> Int {
        state.withLock { state in
            state.lastId += 1
            return state.lastId
        }
    }

    /// Registers an observer.
    /// - Parameter onClose: called each time the circuit closes because of an answer that was reported without this
    ///   observer's id.
    package func observe(_ id: Int, onClose: @escaping @Sendable () -> Void) {
        state.withLock { $0.observers.append((id, onClose)) }
    }

    package func removeObserver(_ id: Int) { state.withLock { $0.observers.removeAll { $0.id == id } } }

    /// Records a usable answer of the remote. The circuit closes.
    /// - Parameter id: the observer whose request got the answer; nil for none.
    package func noteAnswer(to id: Int? = nil) {
        let now = environment.uptime()
        let (observers, attempts) = state.withLock { state -> ([@Sendable () -> Void], [Attempt]) in
            (state.answeredAt, state.answeredTo) = (now, id)
            guard state.failure != nil else { return ([], []) }
            state.failure = nil
            defer { state.attempts = [] }
            return (state.observers.filter { $0.id != id }.map(\.onClose), state.attempts)
        }
        for attempt in attempts { attempt.end(.answered) }
        for onClose in observers { onClose() }
    }

    /// Records that requests of an observer have ended without a usable answer. The circuit stays closed if another
    /// observer has received an answer since the requests began.
    /// - Parameter begunAt: the uptime at which the first of the requests began.
    /// - Returns: whether the circuit is open now.
    @discardableResult
    package func noteFailure(reason: String, of id: Int? = nil, begunAt: Duration) -> Bool {
        state.withLock { state in
            if begunAt >= state.answeredAt || id != nil && state.answeredTo == id { state.failure = reason }
            return state.failure != nil
        }
    }

    // MARK: Attempts

    private enum Entry {
        case permit(Permit)
        /// An attempt is in progress. The duration is the time until the next one may begin.
        case shared(Attempt, Duration)
        case later(Duration)
    }

    /// Waits until a request that a person waits for may be sent. Returns at once while the circuit is closed.
    /// - Throws: `RemoteError.unreachable` if the request waited for another attempt, which could not reach the remote.
    package func enter() async throws(RemoteError) -> Permit {
        while true {
            switch entry() {
            case .permit(let permit): return permit
            case .later(let delay):
                do { try await environment.sleep(delay) } catch { throw .unreachable(reason: "cancelled") }
            case .shared(let attempt, let rest):
                let verdict = await attempt.verdict(within: rest, environment)
                if case .unreachable(let reason)? = verdict { throw .unreachable(reason: reason) }
                if Task.isCancelled { throw .unreachable(reason: "cancelled") }
            }
        }
    }

    /// Returns the time to wait before a request may be sent: zero now, less than a second if an attempt has just begun.
    package func delayOfNextAttempt() -> Duration {
        let now = environment.uptime()
        return state.withLock { state in
            guard state.failure != nil else { return .zero }
            if let triedAt = state.triedAt, now < triedAt + Self.interval { return triedAt + Self.interval - now }
            state.triedAt = now
            return .zero
        }
    }

    private func entry() -> Entry {
        let now = environment.uptime()
        return state.withLock { state in
            guard state.failure != nil else { return .permit(Permit(begunAt: now, attempt: nil)) }
            if let triedAt = state.triedAt, now < triedAt + Self.interval {
                let rest = triedAt + Self.interval - now
                // Only the latest attempt shows whether the remote can be reached now.
                return state.attempts.last { $0.begunAt == triedAt }.map { .shared($0, rest) } ?? .later(rest)
            }
            state.triedAt = now
            let attempt = Attempt(begunAt: now)
            state.attempts.append(attempt)
            return .permit(Permit(begunAt: now, attempt: attempt))
        }
    }

    /// Takes a permit back, with the result of its request.
    package func end(_ permit: Permit, _ verdict: Verdict) {
        state.withLock { state in
            state.attempts.removeAll { $0 === permit.attempt }
            // If another request was answered since this request began, its failure does not open the circuit.
            guard let reason = verdict.failure, permit.begunAt >= state.answeredAt else { return }
            state.failure = reason
            state.triedAt = max(state.triedAt ?? permit.begunAt, permit.begunAt)
        }
        // The circuit closes before the requests that wait for the attempt are resumed.
        if case .answered = verdict { noteAnswer() }
        permit.attempt?.end(verdict)
    }

    /// Sends a request that a person waits for, as soon as the circuit permits it.
    /// - Throws: the error of the request; `.unreachable` if it waited for another attempt, which could not reach the
    ///   remote.
    package func send<Value: Sendable>(
        _ request: @Sendable () async throws(RemoteError) -> Value
    ) async throws(RemoteError) -> Value {
        let permit = try await enter()
        do {
            let value = try await request()
            end(permit, .answered)
            return value
        } catch {
            end(permit, Task.isCancelled ? .nothing : Verdict(error))
            throw error
        }
    }

    /// A request that is tried while the circuit is open. Other requests wait for its result.
    fileprivate final class Attempt: Sendable {
        private struct State {
            var verdict: Verdict?
            var waiting: [AsyncStream<Verdict>.Continuation] = []
        }

        let begunAt: Duration
        private let state = Mutex(State())

        init(begunAt: Duration) { self.begunAt = begunAt }

        /// Waits for the result of the attempt.
        /// - Returns: nil if the time has passed, or the caller is cancelled.
        func verdict(within time: Duration, _ environment: Environment) async -> Verdict? {
            let (verdicts, waiter) = AsyncStream<Verdict>.makeStream()
            let known = state.withLock { state in
                if state.verdict == nil { state.waiting.append(waiter) }
                return state.verdict
            }
            if let known { return known }
            let timer = environment.task { [environment] in
                try? await environment.sleep(time)
                waiter.finish()
            }
            defer { timer.cancel() }
            for await verdict in verdicts { return verdict }
            return nil
        }

        /// Sets the result, and resumes the requests that wait for it. Later results are ignored.
        func end(_ verdict: Verdict) {
            let waiting = state.withLock { state in
                if state.verdict == nil { state.verdict = verdict }
                defer { state.waiting = [] }
                return state.waiting
            }
            for waiter in waiting {
                waiter.yield(verdict)
                waiter.finish()
            }
        }
    }
}

extension RemoteCircuit.Verdict {
    /// The result that an error stands for. A refusal counts as an answer, and so does a failure that the remote itself
    /// reports.
    package init(_ error: RemoteError) {
        switch error {
        case .unauthorized, .classUnauthorized, .refused, .failed, .tooMuch: self = .answered
        case .unreachable(let reason): self = .unreachable(reason: reason)
        case .interrupted(let reason): self = .failed(reason: reason)
        case .overloaded, .faulty, .misaddressed: self = .failed(reason: error.description)
        }
    }

    /// The reason for opening the circuit; nil if the result does not open it.
    fileprivate var failure: String? {
        switch self {
        case .unreachable(let reason), .failed(let reason): reason
        case .answered, .nothing: nil
        }
    }
}
