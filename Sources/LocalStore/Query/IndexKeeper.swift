import ParseModel
import Synchronization

/// Notes the last use of each index, and counts misses: queries that a missing index would have served. Decides which indexes to
/// create and which to drop. Does not change the file.
final class IndexKeeper: Sendable {
    struct Limits: Sendable {
        /// The number of misses after which an index is created.
        var missesMin = 20
        /// The number of objects that a class needs for an index. A scan of fewer objects is as fast.
        var objectsMin = 1000
        /// The time without use after which an index is dropped.
        var idleMax = Duration.seconds(24 * 3600)
        /// The maximum number of indexes. Each index makes writes of its class slower.
        var countMax = 16
    }

    private struct State {
        var misses: [FieldIndex: Int] = [:]
        var uses: [FieldIndex: Duration] = [:]
    }

    let limits: Limits
    private let began: Duration
    private let state = Mutex(State())
    /// The maximum number of missing indexes whose misses are counted. A further missing index restarts all counts.
    private static let missesMax = 500

    /// - Parameter began: the present time by the uptime clock. Existing indexes count as used at that time.
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

    /// Deletes the count of misses of an index that was created or cannot be created.
    func forgetMisses(_ index: FieldIndex) { state.withLock { $0.misses[index] = nil } }

    /// - Parameter present: the existing indexes.
    /// - Returns: the indexes to create, the most missed first, and the unused indexes to drop.
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
