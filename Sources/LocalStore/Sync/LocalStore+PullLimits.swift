import GRDB
import ParseModel
import StoreService
import SyncModel

/// Rows that were left out because they are more than is taken in, and classes that are at a limit.
extension LocalStore {
    /// How many rows of a class the status names.
    private static let shownMax = 20

    package func noteSkipped(_ row: SkippedRow, of pull: PullId) async throws {
        try await write {
            try $0.execute(
                "INSERT OR REPLACE INTO skipped_rows (class, pull, id, updated_at, reason) VALUES (?, ?, ?, ?, ?)",
                [row.className, pull.name, row.objectId, row.updatedAt.milliseconds, row.reason])
        }
    }

    package func skippedIds(of pull: PullId) async throws -> (all: Set<String>, missing: Set<String>) {
        try await readOnce { db in
            let rows = try Row.fetchAll(
                db.cachedStatement(
                    sql: """
                        SELECT s.id, EXISTS (
                            SELECT 1 FROM objects o WHERE o.class = s.class AND o.id = s.id AND o.base_kind > 0)
                        FROM skipped_rows s WHERE s.class = ? AND s.pull = ?
                        """), arguments: [pull.className, pull.name])
            return (Set(rows.map { $0[0] }), Set(rows.filter { !($0[1] as Bool) }.map { $0[0] }))
        }
    }

    package func forgetSkipped(_ objectIds: [String], of className: String) async throws {
        try await write { transaction in
            for id in objectIds { try transaction.forgetSkipped(id, of: className) }
        }
    }

    package func setStopped(_ className: String, because reason: String?) async throws {
        try await write {
            try $0.execute("UPDATE classes SET stopped_because = ? WHERE name = ?", [reason, className])
        }
    }

    package func pulledCount(of className: String) async throws -> Int {
        try await readOnce { db in
            let statement = try db.cachedStatement(
                sql: "SELECT count(*) FROM (SELECT DISTINCT id FROM pull_members WHERE class = ?)")
            return try Int.fetchOne(statement, arguments: [className]) ?? 0
        }
    }

    /// Those of a class that were changed last.
    static func skippedRows(of className: String, in db: Database) throws -> [SkippedRow] {
        try Row.fetchAll(
            db.cachedStatement(
                sql: """
                    SELECT id, max(updated_at), reason FROM skipped_rows WHERE class = ? GROUP BY id
                    ORDER BY 2 DESC, id LIMIT \(shownMax)
                    """), arguments: [className]
        ).map {
            SkippedRow(
                className: className, objectId: $0[0], updatedAt: ParseDate(milliseconds: $0[1]), reason: $0[2])
        }
    }
}

extension StoreTransaction {
    fileprivate func forgetSkipped(_ objectId: String, of className: String) throws {
        try execute("DELETE FROM skipped_rows WHERE class = ? AND id = ?", [className, objectId])
    }

    /// Rows that have come after all, or are gone, are no longer left out.
    func forgetSkipped(among changes: [RemoteChange], of className: String) throws {
        let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM skipped_rows WHERE class = ?)")
        guard try Bool.fetchOne(statement, arguments: [className]) == true else { return }
        for change in changes {
            switch change {
            case .upsert(let record): try forgetSkipped(record.objectId, of: className)
            case .tombstone(_, let objectId): try forgetSkipped(objectId, of: className)
            }
        }
    }
}
