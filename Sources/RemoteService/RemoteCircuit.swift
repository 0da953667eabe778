import ParseModel
import Synchronization

/// The way to one remote, as all requests of a gateway know it: those of its syncs, of its users' syncs, and of its clients.
///
/// The circuit opens if a request gets no usable answer, and closes at the first usable answer to any request. While it is open,
/// requests for which a person waits are tried at once, but at most one attempt begins in a second. The others share its verdict.
package final class RemoteCircuit: Sendable {
    /// What a request has shown about the way to the remote.
    package enum Verdict: Sendable {
        /// The remote has answered.
        case answered
        /// There was no answer, or none of a remote.
        case failed(reason: String)
        /// The request was cancelled, or not sent.
        case nothing
    }

    /// The leave to send a request. The caller hands it back with the verdict.
    package struct Leave: Sendable {
        fileprivate let begunAt: Duration
        /// The attempt whose verdict others share; nil while the circuit is closed.
        fileprivate let attempt: Attempt?
    }

    /// The time between the beginnings of two attempts.
    package static let interval = Duration.seconds(1)

    private struct State {
        /// The reason of the latest failure; nil while the circuit is closed.
        var failure: String?
        /// The uptime at which the latest attempt began; nil before the first one.
        var triedAt: Duration?
        /// The uptime of the latest answer.
        var answeredAt = Duration.zero
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

    /// An id for an observer, and for the answers that it reports itself.
    package func newId() -> Int {
        state.withLock { state in
            state.lastId += 1
            return state.lastId
        }
    }

    /// - Parameter onClose: called each time the circuit closes by an answer that another observer or no observer has reported.
    package func observe(_ id: Int, onClose: @escaping @Sendable () -> Void) {
        state.withLock { $0.observers.append((id, onClose)) }
    }

    package func removeObserver(_ id: Int) { state.withLock { $0.observers.removeAll { $0.id == id } } }

    /// Notes a usable answer of the remote.
    /// - Parameter id: the observer that has got the answer; nil for none.
    package func noteAnswer(to id: Int? = nil) {
        let now = environment.uptime()
        let (observers, attempts) = state.withLock { state -> ([@Sendable () -> Void], [Attempt]) in
            state.answeredAt = now
            guard state.failure != nil else { return ([], []) }
            state.failure = nil
            defer { state.attempts = [] }
            return (state.observers.filter { $0.id != id }.map(\.onClose), state.attempts)
        }
        for attempt in attempts { attempt.end(.answered) }
        for onClose in observers { onClose() }
    }

    /// Notes that a request has got no usable answer.
    package func noteFailure(reason: String) { state.withLock { $0.failure = reason } }

    // MARK: Attempts

    private enum Entry {
        case leave(Leave)
        case shared(Attempt)
        case later(Duration)
    }

    /// Waits for the leave to send a request for which a person waits. While the circuit is closed, does not wait.
    /// - Throws: `RemoteError.unreachable` with the reason of the attempt whose verdict this request shares.
    package func enter() async throws(RemoteError) -> Leave {
        while true {
            switch entry() {
            case .leave(let leave): return leave
            case .later(let delay):
                do { try await environment.sleep(delay) } catch { throw .unreachable(reason: "cancelled") }
            case .shared(let attempt):
                if case .failed(let reason) = await attempt.verdict() { throw .unreachable(reason: reason) }
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
            guard state.failure != nil else { return .leave(Leave(begunAt: now, attempt: nil)) }
            if let triedAt = state.triedAt, now < triedAt + Self.interval {
                return state.attempts.last.map { .shared($0) } ?? .later(triedAt + Self.interval - now)
            }
            state.triedAt = now
            let attempt = Attempt()
            state.attempts.append(attempt)
            return .leave(Leave(begunAt: now, attempt: attempt))
        }
    }

    /// Hands a leave back.
    package func end(_ leave: Leave, _ verdict: Verdict) {
        state.withLock { state in
            state.attempts.removeAll { $0 === leave.attempt }
            // A request that began before another one was answered says nothing about the way now.
            guard case .failed(let reason) = verdict, leave.begunAt >= state.answeredAt else { return }
            state.failure = reason
            state.triedAt = max(state.triedAt ?? leave.begunAt, leave.begunAt)
        }
        leave.attempt?.end(verdict)
        if case .answered = verdict { noteAnswer() }
    }

    /// Sends a request for which a person waits.
    /// - Throws: the error of the request; `.unreachable` if the request shares the verdict of another one.
    package func send<Value: Sendable>(
        _ request: @Sendable () async throws(RemoteError) -> Value
    ) async throws(RemoteError) -> Value {
        let leave = try await enter()
        do {
            let value = try await request()
            end(leave, .answered)
            return value
        } catch {
            end(leave, Task.isCancelled ? .nothing : Verdict(error))
            throw error
        }
    }

    /// One request whose verdict others share.
    fileprivate final class Attempt: Sendable {
        private struct State {
            var verdict: Verdict?
            var waiting: [CheckedContinuation<Verdict, Never>] = []
        }

        private let state = Mutex(State())

        func verdict() async -> Verdict {
            await withCheckedContinuation { continuation in
                let verdict = state.withLock { state in
                    if state.verdict == nil { state.waiting.append(continuation) }
                    return state.verdict
                }
                if let verdict { continuation.resume(returning: verdict) }
            }
        }

        /// The first verdict counts.
        func end(_ verdict: Verdict) {
            let waiting = state.withLock { state in
                if state.verdict == nil { state.verdict = verdict }
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume(returning: verdict) }
        }
    }
}

extension RemoteCircuit.Verdict {
    /// What an error shows. A refusal is an answer, and so is a failure that the remote itself reports.
    package init(_ error: RemoteError) {
        switch error {
        case .unauthorized, .classUnauthorized, .refused, .failed, .tooMuch: self = .answered
        case .unreachable(let reason), .interrupted(let reason): self = .failed(reason: reason)
        case .overloaded, .faulty, .misaddressed: self = .failed(reason: error.description)
        }
    }
}
