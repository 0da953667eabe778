import GRDB
import ParseModel
import StoreService
import SyncModel
import Synchronization

/// Keeps the list of objects with damaged JSON, as far as it is known. Queries leave these objects out, so that one
/// damaged row does not fail every query of its class. A read of a damaged object by id throws `StoreError.damaged`.
final class DamagedObjects: Sendable {
    private let known = Mutex<[String: [FileFindings.DamagedObject]]>([:])
    /// By class, the number of objects that a list of all its objects lacked. Objects are missing from lists if an
    /// index of the file is damaged.
    private let missing = Mutex<[String: Int]>([:])
    private let isVerified = Atomic(false)
    private let onFound: @Sendable (_ findings: FileFindings) -> Void

    /// - Parameter onFound: called when new damage is found, on any thread.
    init(onFound: @escaping @Sendable (_ findings: FileFindings) -> Void) { self.onFound = onFound }

    /// Whether a check of the whole file has found all damaged objects and no damage in the structure of the file.
    /// Until then, each read checks the rows that it returns.
    var areAllKnown: Bool { isVerified.load(ordering: .acquiring) }

    /// Replaces the known damaged objects by those that a check of the whole file has found.
    func replace(with findings: FileFindings) {
        known.withLock { $0 = Dictionary(grouping: findings.objects, by: \.className) }
        let isWhole = findings.structure.isEmpty && findings.objects.count < Self.findingsMax
        isVerified.store(isWhole, ordering: .releasing)
        if isWhole { missing.withLock { $0 = [:] } }
    }

    /// The number of objects of a class that are known to be damaged, or to be missing from lists.
    func count(of className: String) -> Int {
        known.withLock { $0[className]?.count ?? 0 } + missing.withLock { $0[className] ?? 0 }
    }

    /// Stores how many objects a list of all objects of a class lacks. If the number is higher than before, reports it
    /// to `onFound`.
    func noteMissing(_ count: Int, of className: String) {
        let before = missing.withLock { missing in
            defer { missing[className] = count == 0 ? nil : count }
            return missing[className] ?? 0
        }
        guard count > before else { return }
        onFound(
            FileFindings(others: [
                "objects missing from a list of \(className): \(count), because the structure of the file is damaged"
            ]))
    }

    /// The known damaged objects of all classes.
    var all: [FileFindings.DamagedObject] { known.withLock { $0.values.flatMap(\.self) } }

    /// Whether objects of a class are known to be damaged.
    func hasAny(of className: String) -> Bool { known.withLock { $0[className] != nil } }

    /// The known damaged objects of a class. Checks their rows again, and drops objects that have become readable from the list.
    func all(of className: String, in db: Database) throws -> [FileFindings.DamagedObject] {
        let noted = known.withLock { $0[className] ?? [] }
        guard !noted.isEmpty else { return [] }
        let keys = noted.map { String($0.key) }.joined(separator: ", ")
        let found = try Self.find("pk IN (\(keys))", [], in: db)
        known.withLock { $0[className] = found.isEmpty ? nil : found }
        return found
    }

    /// The primary keys (`pk`) of the known damaged objects, by class. A class without damaged objects is left out.
    func keys(of classNames: Set<String>, in db: Database) throws -> [String: [Int64]] {
        var keys: [String: [Int64]] = [:]
        for name in classNames {
            let found = try all(of: name, in: db)
            if !found.isEmpty { keys[name] = found.map(\.key) }
        }
        return keys
    }

    /// Checks all objects of the given classes, and passes newly found damaged objects to `onFound`.
    func look(for classNames: Set<String>, in db: Database) throws {
        var new: [FileFindings.DamagedObject] = []
        for name in classNames.sorted() {
            let found = try Self.find("class = ?", [name], in: db)
            let before = known.withLock { known in
                defer { known[name] = found.isEmpty ? nil : found }
                return Set((known[name] ?? []).map(\.key))
            }
            new += found.filter { !before.contains($0.key) }
        }
        guard !new.isEmpty else { return }
        // The damage is newer than the check of the whole file, so there may be more of it.
        isVerified.store(false, ordering: .releasing)
        onFound(FileFindings(objects: new))
    }

    // MARK: In the file

    /// The maximum number of findings of each kind.
    static let findingsMax = 1_000

    /// The damaged objects among the rows of `objects` that meet a condition.
    /// - Parameters:
    ///   - condition: an SQL condition, which may be followed by an order and a limit.
    ///   - each: called with the key of each row, damaged or not.
    static func find(
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
    static func isBroken(_ column: String) -> String {
        """
        CASE WHEN \(column) IS NULL THEN 0 WHEN json_valid(\(column)) THEN json_type(\(column)) <> 'object' ELSE 1 END
        """
    }
}
