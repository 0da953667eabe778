import GRDB
import ParseModel
import StoreService
import SyncModel

/// The classes and kinds of entries that a reader of the change feed asks for.
struct FeedFilter {
    /// Nil for all classes.
    let classes: Set<String>?
    /// Nil for all kinds.
    let kinds: Set<ChangeEntry.Kind>?

    /// The SQL condition on the class, beginning with `AND`; empty for all classes.
    /// - Parameter column: the SQL expression of the class.
    func condition(onClass column: String) -> String {
        classes == nil ? "" : "AND \(column) IN (SELECT value FROM json_each(?))"
    }

    /// The bound value for `condition(onClass:)`; empty for all classes.
    var classValues: SQLiteBindings { Self.values(classes) }

    /// The SQL condition on the kind, beginning with `AND`; empty for all kinds.
    var kindCondition: String { kinds == nil ? "" : "AND c.kind IN (SELECT value FROM json_each(?))" }

    /// The bound value for `kindCondition`; empty for all kinds.
    var kindValues: SQLiteBindings { Self.values(kinds.map { Set($0.map(\.rawValue)) }) }

    private static func values(_ names: Set<String>?) -> SQLiteBindings {
        names.map { [JSONValue.array($0.sorted().map(JSONValue.string)).jsonText] } ?? []
    }
}

/// Reads pages of the change feed.
struct FeedPages {
    let db: Database

    /// - Parameters:
    ///   - since: the page begins after this number. Nil gives an empty page at the end of the feed.
    ///   - principal: the reader of the page. If the store does not enforce rights, a reader without the master key
    ///     still gets entries of built-in classes only without the objects.
    ///   - access: the rights that the store enforces.
    /// - Throws: `StoreError.feedTrimmed` if entries after `since` were trimmed, or `since` exceeds the newest number.
    func page(
        since: Int64?, _ filter: FeedFilter, limit: Int, for principal: Principal, _ access: StoreAccess
    ) throws -> ChangePage {
        let range = try ChangeFeed(db: db).range()
        let newest = range.newest
        guard let since else { return ChangePage(entries: [], next: newest) }
        try range.check(since)
        if access.restricts(principal) {
            return try RestrictedFeed(db: db, principal: principal, access: access)
                .page(since: since, filter, limit: limit, newest: newest)
        }
        var openClasses: [String: Bool] = [:]
        let entries = try db.rows(
            """
            SELECT c.number, c.class, c.id, c.kind, o.view, o.state, o.base_standing,
                c.acl_before <= 0 AND c.acl_after <= 0 AND coalesce(o.acl <= 0, 1), o.pk, \(ContentMark.column)
            FROM changes c
            LEFT JOIN objects o ON o.class = c.class AND o.id = c.id
            WHERE c.number > ? AND c.kind <> '\(ChangeFeed.markKind)' AND c.rights_change IS NULL
                \(filter.condition(onClass: "c.class")) \(filter.kindCondition)
            ORDER BY c.number LIMIT ?
            """, [since] + filter.classValues + filter.kindValues + [limit]
        ) { row in
            let className = row.text(1)
            let isOpen = try openClasses[className] ?? isOpen(className)
            openClasses[className] = isOpen
            return try Self.entry(row, for: principal, isForAll: isOpen && row.bool(7))
        }
        // A page with fewer entries than `limit` covers the feed to its end. So the next page starts after the newest entry of
        // any class and kind.
        let next = entries.count < limit ? newest : entries.last?.number ?? since
        let rightsChangedAt = try db.integer("SELECT max(last) FROM rights_changes") ?? 0
        return ChangePage(entries: entries, next: next, rightsChangedAt: rightsChangedAt)
    }

    /// Whether a class has no permissions and no built-in rules, so that every client may list its objects and read their fields.
    private func isOpen(_ className: String) throws -> Bool {
        try !className.utf8.starts(with: "_".utf8) && PermissionTable(db: db).permissions(of: className) == nil
    }

    private static func entry(_ row: SQLiteRow, for principal: Principal, isForAll: Bool) throws -> ChangeEntry {
        ChangeEntry(
            number: row.integer(0), className: row.text(1), objectId: row.text(2),
            kind: try .stored(row.text(3), as: "the kind of a change"),
            json: AccessRules.feedShowsObjects(of: row.text(1), to: principal) ? row.textIfAny(4) : nil,
            state: try row.integerIfAny(5).map { try .stored(Int($0), as: "an object's state") } ?? .synced,
            isHidden: row.integerIfAny(6) == BaseStanding.hidden.rawValue,
            contentMark: ContentMark(key: row.integerIfAny(8) ?? 0, number: row.integerIfAny(9) ?? 0),
            isForAll: isForAll)
    }
}
