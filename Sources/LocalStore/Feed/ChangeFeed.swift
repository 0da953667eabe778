import GRDB
import ParseModel
import StoreService
import SyncModel

/// The change feed: a table with a numbered entry for each change of an object that clients can see.
struct ChangeFeed {
    let db: Database

    /// The number of the oldest entry, or of the next one if there are no entries, and the newest number that an entry has had.
    struct Range {
        let oldest: Int64
        let newest: Int64

        /// Checks that the feed has all entries after a number.
        /// - Throws: `StoreError.feedTrimmed` if entries after the number were trimmed, or it exceeds the newest number.
        func check(_ since: Int64) throws(StoreError) {
            guard since >= oldest - 1, since <= newest else {
                throw StoreError.feedTrimmed(oldest: oldest, newest: newest)
            }
        }
    }

    func range() throws -> Range {
        let (first, newest) =
            try db.firstRow(
                """
                SELECT coalesce((SELECT min(number) FROM changes), 0),
                    coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'changes'), 0)
                """
            ) { ($0.integer(0), $0.integer(1)) } ?? (0, 0)
        // If the feed is empty, all entries up to the newest number were trimmed.
        return Range(oldest: first == 0 ? newest + 1 : first, newest: newest)
    }

    /// The maximum number and the maximum age of entries. Trimming deletes entries beyond these limits.
    static let entriesMax: Int64 = 100_000
    static let ageMax = Duration.seconds(30 * 24 * 3600)

    /// The kind of an entry that only reserves a number for a change of rights. Readers never see such entries.
    static let markKind = "rights"

    /// Adds an entry.
    /// - Parameter before: the text of the object before the change; nil for no object, and for a change of rights. The
    ///   entry keeps it if live queries follow the class.
    /// - Returns: the number of the entry.
    @discardableResult
    func append(
        _ className: String, _ objectId: String, _ kind: ChangeEntry.Kind, now: ParseDate,
        _ rights: EntryRights = EntryRights(), before: String?
    ) throws -> Int64 {
        try db.run(
            """
            INSERT INTO changes (class, id, kind, at, acl_before, acl_after, pointers_before, pointers_after, rights_change, before)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, iif(\(LiveClasses.isFollowed), ?10, NULL))
            """,
            [
                className, objectId, kind.rawValue, now.milliseconds, rights.aclBefore, rights.aclAfter,
                rights.pointersBefore, rights.pointersAfter, rights.change, before,
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

    /// Deletes old entries, and the stored states of classes that no live query follows any more. The query stops at the first entry
    /// that is not old: reading all entries took 8% of a first pull.
    private func trim(before number: Int64, now: ParseDate) throws {
        try db.run(
            """
            DELETE FROM changes WHERE number <= max(?,
                (SELECT number FROM changes WHERE at >= ? ORDER BY number LIMIT 1) - 1)
            """, [number - Self.entriesMax, (now - Self.ageMax).milliseconds])
        try db.run("DELETE FROM rights_changes WHERE number < (SELECT min(number) FROM changes)")
        try LiveClasses(db: db).dropEnded(now: now)
    }
}
