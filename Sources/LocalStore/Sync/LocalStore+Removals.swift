import GRDB
import ParseModel
import StoreService
import SyncModel

/// Removals that wait for a person's word.
extension LocalStore {
    /// The ids of a removal that was too large to believe, from `removals r`. An object that is no longer here as the remote's is not
    /// removed any more.
    private static let listedIds = """
        SELECT h.value AS id FROM removals r, json_each(r.object_ids) h
        JOIN objects o ON o.class = r.class AND o.id = h.value AND +o.base_kind > 0
        """
    /// The ids of all removals of a class.
    private static let heldIds = """
        SELECT id FROM (\(listedIds) WHERE r.class = ?1)
        UNION SELECT id FROM (\(StoreTransaction.lostIds) AND l.class = ?1)
        """

    /// How many removals have an object to ask about.
    static let removalCount = """
        SELECT count(*) FROM removals r WHERE EXISTS (
            SELECT 1 FROM json_each(r.object_ids) h JOIN objects o ON o.class = r.class AND o.id = h.value
            WHERE +o.base_kind > 0)
        OR EXISTS (\(StoreTransaction.lostIds) AND l.class = r.class AND l.reason = r.reason)
        """

    package func removals(as principal: Principal) throws -> [HeldRemoval] {
        try readOnce { db in
            try Row.fetchAll(
                db,
                sql: "SELECT id, class, reason, total, found_at FROM removals ORDER BY id"
            ).compactMap { row in
                let id: Int64 = row[0]
                var gone = try String.fetchAll(
                    db, sql: "\(Self.listedIds) WHERE r.id = ? ORDER BY h.key", arguments: [id])
                let lost = "\(StoreTransaction.lostIds) AND l.class = ? AND l.reason = ?"
                gone += try String.fetchAll(
                    db, sql: "\(lost) AND l.latest IS NULL ORDER BY l.id", arguments: [row[1], row[2]])
                let older = try String.fetchAll(
                    db, sql: "\(lost) AND l.latest IS NOT NULL ORDER BY l.id", arguments: [row[1], row[2]])
                guard !gone.isEmpty || !older.isEmpty else { return nil }
                return HeldRemoval(
                    id: id, className: row[1], reason: try .stored(row[2], as: "the reason of a removal"),
                    objectIds: gone,
                    olderIds: older, total: max(row[3], gone.count + older.count),
                    foundAt: ParseDate(milliseconds: row[4]))
            }
        }
    }

    package func confirmRemoval(_ id: Int64, as principal: Principal) async throws {
        try await write(as: principal) { try $0.confirmRemoval(id) }
    }

    package func keepRemoval(_ id: Int64, as principal: Principal) async throws {
        try await write(as: principal) { try $0.keepRemoval(id) }
    }

    // MARK: Questions of the sync engine

    package func heldRemoval(in className: String) async throws -> Set<String> {
        try await readOnce { db in
            Set(
                try String.fetchAll(
                    db, sql: "\(Self.listedIds) WHERE r.class = ? AND r.reason = 'tooMany'", arguments: [className]))
        }
    }

    package func heldRemoval(of objectIds: [String], in className: String) async throws -> Set<String> {
        try await readOnce { db in
            let held = try db.cachedStatement(
                sql: "SELECT id FROM (\(Self.heldIds)) WHERE id IN (SELECT value FROM json_each(?2))")
            let asked = JSONValue.array(objectIds.map(JSONValue.string)).jsonText
            return Set(try String.fetchAll(held, arguments: [className, asked]))
        }
    }

    package func heldRemovalCount(in className: String) async throws -> Int {
        try await readOnce { db in
            let count = try db.cachedStatement(sql: "SELECT count(*) FROM (\(Self.heldIds))")
            return try Int.fetchOne(count, arguments: [className]) ?? 0
        }
    }

    package func holdRemoval(of objectIds: [String], in className: String, total: Int) async throws {
        try await write { transaction in
            try transaction.execute(
                """
                INSERT INTO removals (class, reason, object_ids, total, found_at) VALUES (?, 'tooMany', ?, ?, ?)
                ON CONFLICT (class, reason) DO UPDATE SET object_ids = excluded.object_ids, total = excluded.total
                """,
                [
                    className, JSONValue.array(objectIds.map(JSONValue.string)).jsonText, total,
                    transaction.now.milliseconds,
                ])
        }
    }

    package func dropHeldRemoval(in className: String) async throws {
        let isHeld = try await readOnce { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: "SELECT EXISTS (SELECT 1 FROM removals WHERE class = ? AND reason = 'tooMany')"),
                arguments: [className])
        }
        guard isHeld == true else { return }
        try await write {
            try $0.execute("DELETE FROM removals WHERE class = ? AND reason = 'tooMany'", [className])
        }
    }
}
