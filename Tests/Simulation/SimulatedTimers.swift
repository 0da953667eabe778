import ParseModel
import Synchronization

/// The timers of one process. The simulation fires the timers, and can wait until the engine has set the next timer.
final class SimulatedTimers: Sendable {
    /// The purpose of a timer: to delay the sync after a local write (debounce), or to schedule the next sync.
    enum Kind: Sendable { case debounce, timer }

    private struct Wait {
        let id: Int
        let kind: Kind
        let dueMs: Int64
        let continuation: CheckedContinuation<Void, any Error>
    }

    /// The counts that decide when `waitForNext` returns. `begun` counts the timers of kind `timer` that were set.
    /// `expected` counts the calls of `waitForNext`. `run` resumes the waiting call.
    private struct Count {
        var begun = 0
        var expected = 0
        var run: CheckedContinuation<Void, Never>?

        /// Removes and returns `run`, to resume the waiting call. Nil if the engine has set fewer timers than expected, or no
        /// call waits.
        mutating func takeRun() -> CheckedContinuation<Void, Never>? {
            guard begun >= expected else { return nil }
            defer { run = nil }
            return run
        }
    }

    private struct State {
        var waits: [Wait] = []
        var ids = 0
        /// The ids of timers that were cancelled before they were set.
        var cancelled: Set<Int> = []
        var schedule = Count()
        /// The continuations of the calls that wait for a debounce timer.
        var debounceRuns: [CheckedContinuation<Void, Never>] = []

        /// Records that a timer was set.
        /// - Returns: the continuations of the calls that need not wait any longer.
        mutating func noteSet(_ kind: Kind) -> [CheckedContinuation<Void, Never>] {
            switch kind {
            case .debounce:
                defer { debounceRuns = [] }
                return debounceRuns
            case .timer:
                schedule.begun += 1
                return [schedule.takeRun()].compactMap(\.self)
            }
        }
    }

    private let state = Mutex(State())

    /// Sets a timer. Suspends until the simulation fires the timer, at or after `dueMs`, or until the task is cancelled.
    func wait(until dueMs: Int64, _ kind: Kind) async throws {
        let id = state.withLock { state in
            state.ids += 1
            return state.ids
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (runs, isCancelled) = state.withLock { state in
                    let isCancelled = state.cancelled.remove(id) != nil
                    let wait = Wait(id: id, kind: kind, dueMs: dueMs, continuation: continuation)
                    if !isCancelled { state.waits.append(wait) }
                    return (state.noteSet(kind), isCancelled)
                }
                if isCancelled { continuation.resume(throwing: CancellationError()) }
                for run in runs { run.resume() }
            }
        } onCancel: {
            let wait = state.withLock { state -> Wait? in
                guard let index = state.waits.firstIndex(where: { $0.id == id }) else {
                    state.cancelled.insert(id)
                    return nil
                }
                return state.waits.remove(at: index)
            }
            wait?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Fires the earliest due timer.
    /// - Returns: false if no timer is due.
    func fireNext(at nowMs: Int64) -> Bool {
        let wait = state.withLock { state in
            let due = state.waits.indices.filter { state.waits[$0].dueMs <= nowMs }
                .min { (state.waits[$0].dueMs, state.waits[$0].id) < (state.waits[$1].dueMs, state.waits[$1].id) }
            return due.map { state.waits.remove(at: $0) }
        }
        wait?.continuation.resume()
        return wait != nil
    }

    /// The time at which the next timer is due; nil without timers.
    var nextDueMs: Int64? { state.withLock { $0.waits.map(\.dueMs).min() } }

    var isDebouncing: Bool { state.withLock { $0.waits.contains { $0.kind == .debounce } } }

    /// Waits for the next timer of kind `timer`. The n-th call returns when the engine has set n of them since the
    /// start of the process.
    func waitForNext() async {
        await withCheckedContinuation { continuation in
            let run = state.withLock { state in
                state.schedule.expected += 1
                state.schedule.run = continuation
                return state.schedule.takeRun()
            }
            run?.resume()
        }
    }

    /// Waits until a debounce timer is set. Two concurrent writes may wait for the same timer.
    func waitForDebounce() async {
        await withCheckedContinuation { continuation in
            let isSet = state.withLock { state in
                if state.waits.contains(where: { $0.kind == .debounce }) { return true }
                state.debounceRuns.append(continuation)
                return false
            }
            if isSet { continuation.resume() }
        }
    }
}
