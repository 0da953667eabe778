import Synchronization

/// The moment at which a round kills the processes: after a number of events and scheduler turns, so that kills hit
/// different stages of a write.
final class CrashMoment: Sendable {
    enum Event: Sendable, Hashable {
        /// A client received an answer.
        case acknowledgement
        /// A change of the replica has reached the hub (its remote). The replica may not have the answer yet.
        case arrival
    }

    /// The kind of event that is counted before the kill.
    let event: Event
    private let turns: Int
    private let kill: @Sendable () -> Void
    private let state: Mutex<State>

    private struct State {
        var left: Int
        var acknowledged = 0
        var isOver = false
    }

    init(after count: Int, of event: Event, turns: Int, kill: @escaping @Sendable () -> Void) {
        state = Mutex(State(left: count))
        self.event = event
        self.turns = turns
        self.kill = kill
    }

    var isOver: Bool { state.withLock { $0.isOver } }
    /// The number of answers that the clients have received, including those until the kill takes effect.
    var acknowledged: Int { state.withLock { $0.acknowledged } }

    func note(_ event: Event) async {
        let isDue = state.withLock { state in
            if event == .acknowledgement { state.acknowledged += 1 }
            guard event == self.event else { return false }
            state.left -= 1
            return state.left == 0
        }
        guard isDue else { return }
        for _ in 0..<turns { await Task.yield() }
        kill()
        state.withLock { $0.isOver = true }
    }
}
