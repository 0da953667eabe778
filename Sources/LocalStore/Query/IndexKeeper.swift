import GRDB
import ParseModel
import Synchronization

/// Records the last use of each index, and counts misses: queries that a missing index could have served. Decides which indexes
/// to create and which to drop, but does not change the file.
final class IndexKeeper: Sendable {
    struct Limits: Sendable {
        /// The number of misses after which an index is created.
        var missesMin = 20
        /// The total duration of misses after which an index is created with fewer than `missesMin` misses. For a million
        /// objects, creating an index takes about three seconds, and a query without it two.
        var lossMin = Duration.seconds(1)
        /// The minimum number of misses for `lossMin` to apply.
        var lossMissesMin = 3
        /// The total duration of misses after which an index with an order replaces the index without it.
        var orderLossMin = Duration.seconds(1)
        /// The minimum number of returned objects for a miss of an index with an order. Fewer objects are sorted quickly.
        var orderObjectsMin = 20
        /// The time for which an index that could not be created is not reported as due again.
        var pause = Duration.seconds(60)
        /// The minimum number of objects in a class for an index. A scan of fewer objects is as fast.
        var objectsMin = 1000
        /// The time without use after which an index is dropped.
        var idleMax = Duration.seconds(24 * 3600)
        /// The maximum number of indexes. Each index makes writes of its class slower.
        var countMax = 16
    }

    private struct Misses {
        var count = 0
        /// The total duration of the queries.
        var loss = Duration.zero

        func areEnough(for index: FieldIndex, _ limits: Limits) -> Bool {
            index.order == nil
                ? count >= limits.missesMin || count >= limits.lossMissesMin && loss >= limits.lossMin
                : count >= limits.missesMin && loss >= limits.orderLossMin
        }
    }

    private struct State {
        var misses: [FieldIndex: Misses] = [:]
        var uses: [FieldIndex: Duration] = [:]
        /// The last times at which indexes could not be created.
        var refusals: [FieldIndex: Duration] = [:]
        /// The indexes in the file, with the version of the SQLite schema at which they were read.
        var present: (schemaVersion: Int64, indexes: [FieldIndex])?
    }

    let limits: Limits
    private let began: Duration
    private let onDue: @Sendable () -> Void
    private let state = Mutex(State())
    /// The maximum number of missing indexes whose misses are counted. A further missing index restarts all counts.
    private static let missesMax = 500

    /// - Parameters:
    ///   - began: the present time by the uptime clock. Existing indexes count as used at that time.
    ///   - onDue: called when an index should be created at once.
    init(_ limits: Limits, began: Duration, onDue: @escaping @Sendable () -> Void) {
        self.limits = limits
        self.began = began
        self.onDue = onDue
    }

    /// The indexes in the snapshot of a reader. They are read once for each version of the SQLite schema.
    func present(in db: Database) throws -> [FieldIndex] {
        let version = try db.integer("PRAGMA schema_version") ?? 0
        if let present = state.withLock(\.present), present.schemaVersion == version { return present.indexes }
        let indexes = try IndexTable(db: db).all()
        state.withLock { $0.present = (version, indexes) }
        return indexes
    }

    func noteUse(_ index: FieldIndex, at uptime: Duration) { state.withLock { $0.uses[index] = uptime } }

    /// Counts a query that the index would have served.
    /// - Parameter duration: the time that the query took.
    func noteMiss(_ index: FieldIndex, lasting duration: Duration, at uptime: Duration) {
        let isDue = state.withLock { state in
            if state.misses.count >= Self.missesMax, state.misses[index] == nil { state.misses.removeAll() }
            var misses = state.misses[index] ?? Misses()
            let wereEnough = misses.areEnough(for: index, limits)
            misses.count += 1
            misses.loss += duration
            state.misses[index] = misses
            let isPaused = state.refusals[index].map { uptime - $0 < limits.pause } ?? false
            return !wereEnough && misses.areEnough(for: index, limits) && !isPaused
        }
        if isDue { onDue() }
    }

    /// Records that an index was created, and deletes its misses.
    func noteCreated(_ index: FieldIndex, at uptime: Duration) {
        state.withLock { state in
            state.misses[index] = nil
            state.refusals[index] = nil
            state.uses[index] = uptime
        }
    }

    /// Records that an index cannot be created at present, and deletes its misses.
    func noteRefused(_ index: FieldIndex, at uptime: Duration) {
        state.withLock { state in
            state.misses[index] = nil
            if state.refusals.count >= Self.missesMax { state.refusals = [:] }
            state.refusals[index] = uptime
        }
    }

    /// Decides which indexes to create and to drop.
    /// - Parameter present: the existing indexes.
    /// - Returns: the indexes to create, the most missed first, and the unused indexes to drop.
    func due(present: Set<FieldIndex>, at uptime: Duration) -> (make: [FieldIndex], drop: [FieldIndex]) {
        state.withLock { state in
            let drop = present.filter { uptime - (state.uses[$0] ?? began) >= limits.idleMax }
            let missed = state.misses.filter { $0.value.areEnough(for: $0.key, limits) && !present.contains($0.key) }
                .sorted { ($1.value.count, $0.key.name) < ($0.value.count, $1.key.name) }.map(\.key)
            let room = max(0, limits.countMax - (present.count - drop.count))
            return (Array(missed.prefix(room)), drop.sorted { $0.name < $1.name })
        }
    }
}
