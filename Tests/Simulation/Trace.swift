import Synchronization

/// The events of a run, as lines of text. Runs with the same seed have equal lines.
final class Trace: Sendable {
    private struct State {
        var lines: [String] = []
        var fingerprint = Fingerprint()
        var faults: [String: Int] = [:]
        var questions: [String: Int] = [:]
    }

    private let state = Mutex(State())
    private let time: SimulatedTime
    let keepsLines: Bool

    init(time: SimulatedTime, keepsLines: Bool) {
        self.time = time
        self.keepsLines = keepsLines
    }

    func note(_ line: @autoclosure () -> String) {
        let line = "\(time.nowMs) \(line())"
        state.withLock { state in
            state.fingerprint.add(line)
            if keepsLines { state.lines.append(line) }
        }
    }

    /// Adds an explanatory line, if the trace keeps lines. The line does not count for the fingerprint.
    func detail(_ line: @autoclosure () -> String) {
        guard keepsLines else { return }
        let line = "\(time.nowMs) \(line())"
        state.withLock { $0.lines.append(line) }
    }

    /// The global time of the run, in milliseconds since 1970.
    var nowMs: Int64 { time.nowMs }

    func countFault(_ kind: String) { state.withLock { $0.faults[kind, default: 0] += 1 } }

    /// Counts a user's answer to a conflict about the outcome of a create.
    func countQuestion(_ answer: String) { state.withLock { $0.questions[answer, default: 0] += 1 } }

    var lines: [String] { state.withLock { $0.lines } }
    var fingerprint: UInt64 { state.withLock { $0.fingerprint.value } }
    var faults: [String: Int] { state.withLock { $0.faults } }
    /// The number of users' answers to conflicts about the outcome of creates, by answer.
    var questions: [String: Int] { state.withLock { $0.questions } }
}
