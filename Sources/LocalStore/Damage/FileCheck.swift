import GRDB
import ParseModel
import StoreService
import SyncModel

/// Checks an SQLite file of Tidegate for damage, without changing it.
package enum FileCheck {
    /// The number of rows of `objects` in one read transaction. Between two transactions, a checkpoint of the write-ahead log can run.
    private static let slice = 5_000
    private static let findingsMax = DamagedObjects.findingsMax

    /// Checks a file that may be in use by another process.
    /// - Parameters:
    ///   - directory: the data directory.
    ///   - meter: measures the work; nil if its progress is not shown.
    /// - Throws: `StoreError` if the file cannot be opened, is newer than this version, or belongs to another program.
    package static func run(directory: String, _ meter: WorkMeter? = nil) async throws -> FileFindings {
        let path = directory + "/tidegate.sqlite"
        do {
            var configuration = GRDB.Configuration()
            configuration.readonly = true
            configuration.busyMode = .timeout(5)
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            let isNew = try await queue.read { try Migrations.isNew($0, path: path) }
            return isNew ? FileFindings() : try await run(queue, meter, pausing: { _ in })
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            return FileFindings(structure: [error.message ?? "the file is malformed"])
        } catch {
            throw StoreError.wrapping(error, operation: "check \(path)")
        }
    }

    /// Checks the file of a connection.
    /// - Parameters:
    ///   - queue: a connection for this check alone. The check runs on the thread of this connection.
    ///   - pause: called after each slice of rows of `objects`, with the number of rows in a slice.
    static func run(
        _ queue: DatabaseQueue, _ meter: WorkMeter? = nil, pausing pause: (_ slice: Int) async throws -> Void
    ) async throws -> FileFindings {
        var findings = FileFindings()
        do {
            findings.structure = try await queue.read { db in
                try StatementMeter.check(
                    "PRAGMA quick_check(\(findingsMax))", in: db, meter, "Checking the structure of the file",
                    weight: StoreWork.structure
                ).filter { $0 != "ok" }
            }
            if let meter {
                let (rows, bytes) = try await queue.read { db in
                    (try db.count("SELECT count(*) FROM objects"), try StatementMeter.size(of: db))
                }
                meter.begin("Checking the objects", bytes: bytes * StoreWork.objects, .objects, total: rows)
            }
            var key = Int64.min
            while let (last, damaged) = try await queue.read({ [key] in try objects(after: key, in: $0) }) {
                findings.objects += damaged.prefix(findingsMax - findings.objects.count)
                key = last
                meter?.advance(by: slice)
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
        let damaged = try DamagedObjects.find("pk > ? ORDER BY pk LIMIT ?", [key, Int64(slice)], in: db) { last = $0 }
        return last.map { ($0, damaged) }
    }

    private static func otherTables(in db: Database) throws -> [String] {
        let changes = try db.rows("SELECT class, id FROM outbox WHERE NOT json_valid(operations) LIMIT \(findingsMax)")
        {
            "a waiting change of the object \($0.text(1)) of \($0.text(0)) is damaged"
        }
        let isBroken = ["base", "local", "remote"].map(DamagedObjects.isBroken).joined(separator: " OR ")
        let conflicts = try db.rows("SELECT class, object_id FROM conflicts WHERE \(isBroken) LIMIT \(findingsMax)") {
            "a conflict about the object \($0.text(1)) of \($0.text(0)) is damaged"
        }
        return changes + conflicts
    }
}
