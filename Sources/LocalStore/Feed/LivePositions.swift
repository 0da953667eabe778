import GRDB
import ParseModel
import StoreService

/// The table `live_positions`: for each subscription of a live query, the number of the last change that the client has
/// surely received. A client that comes back gets the later changes.
///
/// Several subscriptions can have the same key, because the tabs of a browser share an installation id. When one of them
/// comes back, it cannot be told from the others. So it starts at the earliest position that any of them has left, and the
/// positions that stay behind move back to this one: some changes arrive twice, and none is missed.
struct LivePositions {
    let db: Database

    /// The maximum number of positions. The oldest are dropped first.
    private static let countMax = 100_000
    /// The time for which a position is kept after its lifetime. A client that comes back then learns that it has missed
    /// changes. As long as the change feed keeps its entries.
    private static let keptAfterwards = ChangeFeed.ageMax
    /// The key in the table `meta` of the time of the latest position that was dropped for lack of room.
    private static let droppedAt = "livePositionsDroppedAt"

    private struct Left {
        let id: Int64
        let number: Int64
        /// The end of its lifetime, in milliseconds since 1970.
        let end: Int64
    }

    /// Takes over a position that an earlier subscription with this key has left, or adds one.
    /// - Parameters:
    ///   - holder: identifies the running process. The positions of earlier processes are left.
    ///   - last: the number at which an added position begins, and at or before which the position begins.
    ///   - newest: the newest number of the feed.
    func take(
        _ key: LiveSubscriptionKey, by holder: Int64, notAfter last: Int64, newest: Int64, now: ParseDate,
        lifetime: Duration
    ) throws -> LivePosition {
        let left = try left(key, by: holder)
        let end = (now + lifetime).milliseconds
        if let late = left.first(where: { $0.end <= now.milliseconds }) {
            try update(late.id, to: newest, end, holder)
            return LivePosition(id: late.id, number: newest, isComplete: false)
        }
        guard let first = left.first else {
            let isComplete = try !hasDropped(now)
            try db.run(
                """
                INSERT INTO live_positions (installation, request_id, query, number, expires_at, holder)
                VALUES (?, ?, ?, ?, ?, ?)
                """, [key.installation, key.requestId, key.query, last, end, holder])
            let id = db.lastInsertedRowID
            if id % 1000 == 0 { try dropOld(now) }
            return LivePosition(id: id, number: last, isComplete: isComplete)
        }
        let number = left.map(\.number).reduce(last, min)
        try update(first.id, to: number, end, holder)
        for other in left.dropFirst() { try update(other.id, to: number, other.end, nil) }
        return LivePosition(id: first.id, number: number, isComplete: true)
    }

    /// Stores the number of a position, and begins its lifetime again.
    /// - Parameter holder: the running process; nil if the subscription has ended. A position that the process no longer holds
    ///   stays as it is, because its subscription has ended in the meantime.
    func remember(_ id: Int64, _ number: Int64, by holder: Int64?, now: ParseDate, lifetime: Duration) throws {
        if let holder {
            guard
                try db.isTrue("SELECT EXISTS (SELECT 1 FROM live_positions WHERE id = ? AND holder = ?)", [id, holder])
            else { return }
        }
        try update(id, to: number, (now + lifetime).milliseconds, holder)
    }

    func forget(_ id: Int64) throws { try db.run("DELETE FROM live_positions WHERE id = ?", [id]) }

    /// The positions with a key that no subscription holds, those that end first at the beginning.
    private func left(_ key: LiveSubscriptionKey, by holder: Int64) throws -> [Left] {
        try db.rows(
            """
            SELECT id, number, expires_at FROM live_positions
            WHERE installation = ? AND request_id = ? AND query = ? AND holder IS NOT ? ORDER BY expires_at
            """, [key.installation, key.requestId, key.query, holder]
        ) { Left(id: $0.integer(0), number: $0.integer(1), end: $0.integer(2)) }
    }

    private func update(_ id: Int64, to number: Int64, _ end: Int64, _ holder: Int64?) throws {
        try db.run(
            "UPDATE live_positions SET number = ?, expires_at = ?, holder = ? WHERE id = ?", [number, end, holder, id])
    }

    // MARK: Dropped positions

    private func dropOld(_ now: ParseDate) throws {
        try db.run("DELETE FROM live_positions WHERE expires_at <= ?", [(now - Self.keptAfterwards).milliseconds])
        try db.run(
            """
            DELETE FROM live_positions WHERE id IN (
                SELECT id FROM live_positions ORDER BY expires_at DESC LIMIT -1 OFFSET ?)
            """, [Self.countMax])
        if db.changesCount > 0 { try Meta.set(Self.droppedAt, String(now.milliseconds), in: db) }
    }

    /// Whether the position of a client that comes back may have been dropped.
    private func hasDropped(_ now: ParseDate) throws -> Bool {
        guard let text = try Meta.value(of: Self.droppedAt, in: db), let droppedAt = Int64(text) else { return false }
        return droppedAt > (now - Self.keptAfterwards).milliseconds
    }
}
