import GRDB
import ParseModel
import StoreService
import SyncModel

/// Checks a SQLite file of Tidegate for damage, without changing it.
package enum FileCheck {
    /// The number of rows of `objects` in one read transaction. The write-ahead log can be checkpointed between two transactions.
    private static let slice = 5_000
    /// The maximum number of findings of each kind.
    static let findingsMax = 1_000

    /// Checks a file that may be in use by another process.
    /// - Parameter directory: the data directory.
    /// - Throws: `StoreError` if the file cannot be opened, is newer than this version, or belongs to another program.
    package static func run(directory: String) async throws -> FileFindings {
        let path = directory + "/tidegate.sqlite"
        do {
            var configuration = GRDB.Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let isNew = try await queue.read { try Migrations.isNew($0, path: path) }
            return isNew ? FileFindings() : try await run(queue, pausing: { _ in })
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return FileFindings(structure: [error.message ?? "the file is malformed"])
        } catch {
            throw StoreError.wrapping(error, operation: "check \(path)")
        }
    }

    /// - Parameters:
    ///   - queue: a connection for this check alone. The check runs on the thread of this connection.
    ///   - pause: called after each slice of rows of `objects`, with the number of rows in a slice.
    static func run(
        _ queue: DatabaseQueue, pausing pause: (_ slice: Int) async throws -> Void
    ) async throws -> FileFindings {
        var findings = FileFindings()
        do {
            findings.structure = try await queue.read { db in
                try db.texts("PRAGMA quick_check(\(findingsMax))").filter { $0 != "ok" }
            }
            var key = Int64.min
            while let (last, damaged) = try await queue.read({ [key] in try objects(after: key, in: $0) }) {
                findings.objects += damaged.prefix(findingsMax - findings.objects.count)
                key = last
                try await pause(slice)
            }
            findings.others = try await queue.read(otherTables)
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            findings.structure.append(error.message ?? "the file is malformed")
        }
        return findings
    }

    /// The damaged objects among the next `slice` rows, and the key of the last of these rows.
    /// - Returns: nil if there are no rows after `key`.
    private static func objects(
        after key: Int64, in db: Database
    ) throws -> (last: Int64, damaged: [FileFindings.DamagedObject])? {
        var last: Int64?
        let damaged = try damagedObjects("pk > ? ORDER BY pk LIMIT ?", [key, Int64(slice)], in: db) { last = $0 }
        return last.map { ($0, damaged) }
    }

    /// The damaged objects among the rows of `objects` that meet a condition.
    /// - Parameters:
    ///   - condition: an SQL condition, which may be followed by an order and a limit.
    ///   - each: called with the key of each row, damaged or not.
    static func damagedObjects(
        _ condition: String, _ values: SQLiteBindings, in db: Database, each: (Int64) -> Void = { _ in }
    ) throws -> [FileFindings.DamagedObject] {
        // The condition varies, so the statement is not cached.
        let statement = try db.makeStatement(
            sql: """
                SELECT pk, class, id, state = \(SyncState.synced.rawValue) AND base_kind = 1,
                    \(isBroken("view")) OR \(isBroken("base")), view, base
                FROM objects WHERE \(condition)
                """)
        let damaged: [FileFindings.DamagedObject] = try statement.rows(values) { row in
            each(row.integer(0))
            // SQLite's JSON functions accept ill-formed UTF-8, so the texts are also validated here.
            guard row.bool(4) || [5, 6].contains(where: { String(validating: row.bytes($0), as: UTF8.self) == nil })
            else { return nil }
            return FileFindings.DamagedObject(
                className: row.text(1), objectId: row.text(2), key: row.integer(0), isReplaceable: row.bool(3))
        }
        return damaged
    }

    /// An SQL expression: 0 if the column is NULL or a JSON object, otherwise 1.
    private static func isBroken(_ column: String) -> String {
        """
        CASE WHEN \(column) IS NULL THEN 0 WHEN json_valid(\(column)) THEN json_type(\(column)) <> 'object' ELSE 1 END
        """
    }

    private static func otherTables(in db: Database) throws -> [String] {
        let changes = try db.rows("SELECT class, id FROM outbox WHERE NOT json_valid(operations) LIMIT \(findingsMax)")
        {
            "a waiting change of the object \($0.text(1)) of \($0.text(0)) is damaged"
        }
        let isBroken = ["base", "local", "remote"].map(isBroken).joined(separator: " OR ")
        let conflicts = try db.rows("SELECT class, object_id FROM conflicts WHERE \(isBroken) LIMIT \(findingsMax)") {
            "a conflict about the object \($0.text(1)) of \($0.text(0)) is damaged"
        }
        return changes + conflicts
    }
}
