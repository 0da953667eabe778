import ParseModel
import Synchronization

/// Counts the indexes that queries used, and those that would have served them. It decides which to create, and creates none itself.
final class IndexKeeper: Sendable {
    struct Limits: Sendable {
        /// The misses before an index is created.
        var missesMin = 20
        /// The fewest objects of a class with indexes. A scan of fewer is as fast.
        var objectsMin = 1000
        /// The time without use after which an index is dropped.
        var idleMax = Duration.seconds(24 * 3600)
        /// The most indexes. Each makes writes of its class slower.
        var countMax = 16
    }

    private struct State {
        var misses: [FieldIndex: Int] = [:]
        var uses: [FieldIndex: Duration] = [:]
    }

    let limits: Limits
    private let began: Duration
    private let state = Mutex(State())
    /// The most indexes with counted misses.
    private static let missesMax = 500

    /// - Parameter began: by the uptime clock. Existing indexes count as used at that time.
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

    /// Forgets the misses of an index that was created or cannot be.
    func forgetMisses(_ index: FieldIndex) { state.withLock { $0.misses[index] = nil } }

    /// - Parameter present: the existing indexes.
    /// - Returns: the indexes to create, the most missed first, and those to drop.
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
