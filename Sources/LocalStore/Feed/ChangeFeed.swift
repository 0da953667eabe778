import GRDB
import ParseModel
import StoreService
import SyncModel

/// The change feed: a table with a numbered entry for each change of an object that clients can see.
struct ChangeFeed {
    let db: Database

    /// The maximum number and the maximum age of entries. Trimming deletes entries beyond these limits.
    static let entriesMax: Int64 = 100_000
    static let ageMax = Duration.seconds(30 * 24 * 3600)

    /// The kind of an entry that only reserves a number for a change of rights. Readers never see such entries.
    static let markKind = "rights"

    /// Adds an entry.
    /// - Returns: the number of the entry.
    @discardableResult
    func append(
        _ className: String, _ objectId: String, _ kind: ChangeEntry.Kind, now: ParseDate,
        _ rights: EntryRights = EntryRights()
    ) throws -> Int64 {
        try db.run(
            """
            INSERT INTO changes (class, id, kind, at, acl_before, acl_after, pointers_before, pointers_after, rights_change)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                className, objectId, kind.rawValue, now.milliseconds, rights.aclBefore, rights.aclAfter,
                rights.pointersBefore, rights.pointersAfter, rights.change,
            ])
        let number = db.lastInsertedRowID
        if number % 1000 == 0 { try trim(before: number, now: now) }
        return number
    }

    /// Reserves the next number for a change of rights.
    func mark(now: ParseDate) throws -> Int64 {
        try db.run(
            "INSERT INTO changes (class, id, kind, at) VALUES ('', '', ?, ?)", [Self.markKind, now.milliseconds])
        return db.lastInsertedRowID
    }

    /// Deletes old entries. The query stops at the first entry that is not old: reading all entries took 8% of a first
    /// pull.
    private func trim(before number: Int64, now: ParseDate) throws {
        try db.run(
            """
            DELETE FROM changes WHERE number <= max(?,
                (SELECT number FROM changes WHERE at >= ? ORDER BY number LIMIT 1) - 1)
            """, [number - Self.entriesMax, (now - Self.ageMax).milliseconds])
        try db.run("DELETE FROM rights_changes WHERE number < (SELECT min(number) FROM changes)")
    }
}
