import GRDB
import ParseModel
import Synchronization

/// Decides which indexes to create and which to drop, but does not change the file. It records the last use of each
/// index, and counts misses: queries that would have been faster with an index that does not exist.
final class IndexKeeper: Sendable {
    struct Limits: Sendable {
        /// After this number of misses (queries that lacked the index), an index is created.
        var missesMin = 20
        /// The total duration of misses (queries that lacked the index) after which an index is created even with fewer
        /// than `missesMin` misses. With a million objects, the creation takes about three seconds, and a query without
        /// the index two.
        var lossMin = Duration.seconds(1)
        /// With fewer misses than this, `lossMin` does not apply.
        var lossMissesMin = 3
        /// The total duration of misses after which an index with a second field for the order replaces the index
        /// without it.
        var orderLossMin = Duration.seconds(1)
        /// A query counts as a miss of an index with an order only if it returns at least this number of objects. Fewer
        /// objects are sorted quickly.
        var orderObjectsMin = 20
        /// After a failed creation of an index, the keeper does not report this index as due for this duration.
        var pause = Duration.seconds(60)
        /// A class with fewer objects gets no index, because a scan of its objects is as fast.
        var objectsMin = 1000
        /// An index that was not used for this duration is dropped.
        var idleMax = Duration.seconds(24 * 3600)
        /// The maximum number of indexes. Each index makes writes of its class slower.
        var countMax = 16
    }

    private struct Misses {
        var count = 0
        /// The total duration of the queries that lacked the index.
        var loss = Duration.zero

        func areEnough(for index: FieldIndex, _ limits: Limits) -> Bool {
            index.order == nil
                ? count >= limits.missesMin || count >= limits.lossMissesMin && loss >= limits.lossMin
                : count >= limits.missesMin && loss >= limits.orderLossMin
        }
    }

    /// The use of an index since the start.
    struct Use {
        var count = 0
        /// The time of the last use, or of the creation, by the uptime clock.
        var latest: Duration

        mutating func note(at uptime: Duration) { (count, latest) = (count + 1, uptime) }
    }

    private struct State {
        var misses: [FieldIndex: Misses] = [:]
        var uses: [FieldIndex: Use] = [:]
        /// By index, the time at which the index could last not be created.
        var refusals: [FieldIndex: Duration] = [:]
        /// The indexes in the file, with the version of the SQLite schema for which they were read.
        var present: (schemaVersion: Int64, indexes: [FieldIndex])?
    }

    let limits: Limits
    private let began: Duration
    private let onDue: @Sendable () -> Void
    private let state = Mutex(State())
    /// The maximum number of missing indexes whose misses are counted. If one more is missing, all counts restart.
    private static let missesMax = 500

    /// - Parameters:
    ///   - began: the present time by the uptime clock. Existing indexes count as used at that time.
    ///   - onDue: called when an index should be created at once.
    init(_ limits: Limits, began: Duration, onDue: @escaping @Sendable () -> Void) {
        self.limits = limits
        self.began = began
        self.onDue = onDue
    }

    /// The indexes in a reader's snapshot of the file. They are read again only when the version of the SQLite schema
    /// has changed.
    func present(in db: Database) throws -> [FieldIndex] {
        let version = try db.integer("PRAGMA schema_version") ?? 0
        if let present = state.withLock(\.present), present.schemaVersion == version { return present.indexes }
        let indexes = try IndexTable(db: db).all()
        state.withLock { $0.present = (version, indexes) }
        return indexes
    }

    func noteUse(_ index: FieldIndex, at uptime: Duration) {
        state.withLock { $0.uses[index, default: Use(latest: uptime)].note(at: uptime) }
    }

    /// The use of each index that was used or created since the start.
    var uses: [FieldIndex: Use] { state.withLock(\.uses) }

    /// Counts a miss: a query that would have been faster with this index.
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

    /// Records that an index was created, and resets its count of misses.
    func noteCreated(_ index: FieldIndex, at uptime: Duration) {
        state.withLock { state in
            state.misses[index] = nil
            state.refusals[index] = nil
            state.uses[index] = Use(latest: uptime)
        }
    }

    /// Records that an index cannot be created at present, and resets its count of misses.
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
            let drop = present.filter { uptime - (state.uses[$0]?.latest ?? began) >= limits.idleMax }
            let missed = state.misses.filter { $0.value.areEnough(for: $0.key, limits) && !present.contains($0.key) }
                .sorted { ($1.value.count, $0.key.name) < ($0.value.count, $1.key.name) }.map(\.key)
            let room = max(0, limits.countMax - (present.count - drop.count))
            return (Array(missed.prefix(room)), drop.sorted { $0.name < $1.name })
        }
    }
}
