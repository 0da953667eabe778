import ParseModel
import Synchronization

/// Remembers which indexes queries would have been served by, and which they were. Pure: it makes none.
final class IndexKeeper: Sendable {
    struct Limits: Sendable {
        /// How often an index has to be missed before it is made.
        var missesMin = 20
        /// How many objects a class has to have; fewer are looked through as fast.
        var objectsMin = 1000
        /// How long an index may go unused before it is dropped.
        var idleMax = Duration.seconds(24 * 3600)
        /// How many there may be: each makes writes of its class slower.
        var countMax = 16
    }

    private struct State {
        var misses: [FieldIndex: Int] = [:]
        var uses: [FieldIndex: Duration] = [:]
    }

    let limits: Limits
    private let began: Duration
    private let state = Mutex(State())
    /// Of how many indexes it is remembered that they were missed.
    private static let missesMax = 500

    /// - Parameter began: by the uptime clock; what is there already counts as used then.
    init(limits: Limits, began: Duration) {
        self.limits = limits
        self.began = began
    }

    func noteUse(_ index: FieldIndex, at uptime: Duration) { state.withLock { $0.uses[index] = uptime } }

    func noteMiss(_ index: FieldIndex) {
        state.withLock { state in
            if state.misses.count >= Self.missesMax, state.misses[index] == nil { state.misses.removeAll() }
            state.misses[index, default: 0] += 1
        }
    }

    /// Forgets that an index was missed: it was made, or cannot be.
    func forgetMisses(_ index: FieldIndex) { state.withLock { $0.misses[index] = nil } }

    /// - Parameter present: the indexes that there are.
    /// - Returns: those to be made, the one missed most often first, and those to be dropped.
    func due(present: Set<FieldIndex>, at uptime: Duration) -> (make: [FieldIndex], drop: [FieldIndex]) {
        state.withLock { state in
            let drop = present.filter { uptime - (state.uses[$0] ?? began) >= limits.idleMax }
            let missed = state.misses.filter { $0.value >= limits.missesMin && !present.contains($0.key) }
                .sorted { ($1.value, $0.key.name) < ($0.value, $1.key.name) }.map(\.key)
            let room = max(0, limits.countMax - (present.count - drop.count))
            return (Array(missed.prefix(room)), drop.sorted { $0.name < $1.name })
        }
    }
}
