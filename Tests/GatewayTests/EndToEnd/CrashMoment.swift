import Synchronization

/// When a round's processes are killed: after so many events, and some turns of the scheduler after those, so that
/// the kill does not always meet the same stage of a write.
final class CrashMoment: Sendable {
    enum Event: Sendable, Hashable {
        /// A client got an answer.
        case acknowledgement
        /// A change of the replica is on the hub, and the replica may not have heard of it yet.
        case arrival
    }

    /// What is counted.
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
    /// How many answers came, also in the moments between the decision and the kill.
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
