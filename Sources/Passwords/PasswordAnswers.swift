import Dispatch
import Foundation
import Synchronization

/// Resumes the callers of `PasswordHasher` on a thread of normal priority.
///
/// On Linux, a thread inherits the priority of the thread that starts it. If a thread of low priority resumed a caller,
/// Swift could start a pool thread, which would inherit the low priority and could not return to the normal one without
/// a privilege.
final class PasswordAnswers: Sendable {
    private struct State {
        var answers: [@Sendable () -> Void] = []
        /// The number of expected answers that have not been called yet. The thread runs while there are any.
        var expected = 0
    }

    private let state = Mutex(State())
    private let signal = DispatchSemaphore(value: 0)

    /// Announces one later call of `add`, and starts the thread if necessary. Called on a thread of normal priority.
    func expect() {
        let isFirst = state.withLock { state in
            state.expected += 1
            return state.expected == 1
        }
        guard isFirst else { return }
        let thread = Thread { [self] in while callNext() {} }
        thread.name = "password answers"
        thread.start()
    }

    /// Lets the thread call an expected answer. Called on any thread.
    func add(_ answer: @escaping @Sendable () -> Void) {
        state.withLock { $0.answers.append(answer) }
        signal.signal()
    }

    /// - Returns: whether further answers are expected.
    private func callNext() -> Bool {
        signal.wait()
        let answer = state.withLock { $0.answers.removeFirst() }
        answer()
        return state.withLock { state in
            state.expected -= 1
            return state.expected > 0
        }
    }
}
