import GRDB
import ParseModel
import StoreService

/// Reads the change feed with the states of the objects before and after each change, for live queries.
///
/// An entry contains the state before its change. The state after the change is the state before the next change of the
/// object, or the object's present view if there is no later change.
struct LiveFeed {
    let db: Database
    let reader: LiveReader
    let access: StoreAccess

    private var restricted: RestrictedFeed {
        RestrictedFeed(db: db, principal: reader.principal, access: access, reading: reader.reading)
    }

    private struct Entry {
        let change: LiveChange
        /// The number of the change of rights that caused the entry; nil if the object itself changed.
        let rightsChange: Int64?
    }

    /// - Throws: `StoreError.feedTrimmed` if the feed or the stored states of a class do not reach back to `since`, and
    ///   if a change of rights requires the reader to start over.
    func page(since: Int64, _ classes: Set<String>, limit: Int) throws -> LivePage {
        let range = try ChangeFeed(db: db).range()
        guard let start = try LiveClasses(db: db).start(of: classes), since >= start else {
            throw StoreError.feedTrimmed(oldest: range.newest + 1, newest: range.newest)
        }
        return try newPage(since: since, classes, limit: limit)
    }

    /// As `page`, but without the check that the states of the classes reach back to `since`.
    func newPage(since: Int64, _ classes: Set<String>, limit: Int) throws -> LivePage {
        let range = try ChangeFeed(db: db).range()
        try range.check(since)
        let entries = try entries(since: since, classes, limit: limit)
        let changes =
            try access.restricts(reader.principal)
            ? readable(entries, since: since, newest: range.newest)
            : entries.filter { $0.rightsChange == nil }.map(\.change)
        let isLast = entries.count < limit
        let next = isLast ? range.newest : entries.last?.change.number ?? since
        return LivePage(
            changes: changes, next: next, isLast: isLast,
            rightsChangedAt: try db.integer("SELECT max(last) FROM rights_changes") ?? 0,
            renamesObjects: try renamesObjects(since, next))
    }

    /// Whether an object has got another id between two positions. Its earlier id is then deleted in the feed, and an alias.
    private func renamesObjects(_ since: Int64, _ next: Int64) throws -> Bool {
        guard try db.isTrue("SELECT EXISTS (SELECT 1 FROM aliases)") else { return false }
        return try db.isTrue(
            """
            SELECT EXISTS (
                SELECT 1 FROM changes c JOIN aliases a ON a.class = c.class AND a.alias = c.id
                WHERE c.number > ? AND c.number <= ? AND c.kind = 'delete')
            """, [since, next])
    }

    private func entries(since: Int64, _ classes: Set<String>, limit: Int) throws -> [Entry] {
        try db.rows(
            """
            SELECT c.number, c.class, c.id, c.kind, c.before,
                CASE WHEN c.kind <> 'delete' THEN coalesce(
                    (SELECT n.before FROM changes n
                    WHERE n.class = c.class AND n.id = c.id AND n.number > c.number AND n.before IS NOT NULL
                    ORDER BY n.number LIMIT 1),
                    o.view) END,
                c.acl_before, c.acl_after, c.pointers_before, c.pointers_after, c.rights_change
            FROM changes c LEFT JOIN objects o ON o.class = c.class AND o.id = c.id
            WHERE c.number > ? AND c.kind <> '\(ChangeFeed.markKind)'
                AND c.class IN (SELECT value FROM json_each(?))
            ORDER BY c.number LIMIT ?
            """,
            [since, JSONValue.array(classes.sorted().map(JSONValue.string)).jsonText, limit]
        ) { row in
            let rightsChange = row.integerIfAny(10)
            let after = row.textIfAny(5)
            return Entry(
                change: LiveChange(
                    number: row.integer(0), row.pointer(1),
                    kind: try .stored(row.text(3), as: "the kind of a change"),
                    // A change of rights leaves the object as it is.
                    before: rightsChange == nil ? row.textIfAny(4) : after, after: after,
                    readers: LiveChange.Readers(
                        aclBefore: row.integer(6), aclAfter: row.integer(7), pointersBefore: row.textIfAny(8),
                        pointersAfter: row.textIfAny(9))),
                rightsChange: rightsChange)
        }
    }

    /// The changes with the states that the reader could read at the time. A change of rights that leaves the object
    /// readable or unreadable is left out.
    private func readable(_ entries: [Entry], since: Int64, newest: Int64) throws -> [LiveChange] {
        let timeline = try RightsTimeline(
            of: reader.principal, since: since, newest: newest, from: access.permissions(in: db))
        let feed = restricted
        return try entries.compactMap { entry in
            let change = entry.change
            let readable = try feed.readability(
                change.className, change.number, change.kind, EntryRights(change.readers, entry.rightsChange), timeline)
            guard readable.before || readable.after else { return nil }
            if entry.rightsChange != nil, readable.before == readable.after { return nil }
            return change.showing(before: readable.before, after: readable.after)
        }
    }

    /// Whether the reader could read the object before a change, and can read it afterwards, by the given rights.
    func readability(of change: LiveChange, _ rules: AccessRules) throws -> (before: Bool, after: Bool) {
        let (feed, readers) = (restricted, change.readers)
        return (
            try change.before != nil && feed.isReadable(readers.aclBefore, readers.pointersBefore, rules),
            try change.after != nil && feed.isReadable(readers.aclAfter, readers.pointersAfter, rules)
        )
    }
}

extension LiveChange {
    /// The change without the states that the reader cannot read.
    fileprivate func showing(before showsBefore: Bool, after showsAfter: Bool) -> LiveChange {
        LiveChange(
            number: number, Pointer(className: className, objectId: objectId), kind: kind,
            before: showsBefore ? before : nil, after: showsAfter ? after : nil, readers: readers)
    }
}

extension EntryRights {
    fileprivate init(_ readers: LiveChange.Readers, _ change: Int64?) {
        self.init(
            aclBefore: readers.aclBefore, aclAfter: readers.aclAfter, pointersBefore: readers.pointersBefore,
            pointersAfter: readers.pointersAfter, change: change)
    }
}
