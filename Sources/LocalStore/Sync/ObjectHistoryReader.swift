import GRDB
import ParseModel
import StoreService
import SyncModel

/// Reads what the file keeps about the life of one object, in one snapshot.
struct ObjectHistoryReader {
    let db: Database
    /// Selects the changes and conflicts that the reader may list.
    let lister: DecisionLister
    /// Whether the reader may see all entries of the change feed.
    let showsFeed: Bool

    /// - Parameter objectId: the present id of the object, or an earlier one.
    func history(of className: String, _ objectId: String) throws -> ObjectHistory {
        let aliases = Aliases(db: db)
        let object = Pointer(className: className, objectId: try aliases.id(of: className, objectId))
        let (changes, lacksEarlier) = showsFeed ? try changes(of: object) : (nil, true)
        return ObjectHistory(
            object: object, earlierIds: try aliases.all(of: object).sorted(), row: try row(of: object),
            changes: changes, lacksEarlierChanges: lacksEarlier,
            steps: try WaitingChanges(db: db).steps(of: object, for: lister), conflicts: try conflicts(of: object),
            removal: lister.isOfAll ? try removal(of: object) : nil, skippedBecause: try skippedBecause(object),
            syncing: try syncing(object))
    }

    // MARK: The object

    private func row(of object: Pointer) throws -> ObjectHistory.Row? {
        try db.firstRow(
            """
            SELECT created_at, updated_at, view IS NOT NULL, base_kind > 0, base_standing, is_ours, withheld,
                coalesce(view, base)
            FROM objects WHERE class = ? AND id = ?
            """, [object.className, object.objectId]
        ) { row in
            ObjectHistory.Row(
                createdAt: row.date(0), updatedAt: row.date(1), isShown: row.bool(2),
                standing: row.bool(3) ? try .stored(row.integer(4), as: "the standing of a base") : nil,
                wasAcknowledged: row.bool(5), isWithheld: row.bool(6), readers: Self.readers(in: try? row.object(7)))
        }
    }

    /// The users and roles that the ACL of a state allows to read; nil without an ACL.
    private static func readers(in state: JSONObject??) -> [String]? {
        guard let acl = state??["ACL"]?.object else { return nil }
        return acl.filter { $0.value.object?["read"] == true }.map(\.key).sorted()
    }

    /// The entries of the object in the change feed. The table has no index by object, and a limited number of rows.
    private func changes(of object: Pointer) throws -> ([ObjectHistory.Change], lacksEarlier: Bool) {
        let newest = try db.rows(
            "SELECT kind, at FROM changes WHERE class = ? AND id = ? AND rights_change IS NULL ORDER BY number DESC LIMIT ?",
            [object.className, object.objectId, ObjectHistory.changesMax + 1]
        ) { row in
            ObjectHistory.Change(kind: try .stored(row.text(0), as: "the kind of an entry"), at: row.date(1))
        }
        let first = try db.integer("SELECT min(number) FROM changes")
        let last = try db.integer("SELECT seq FROM sqlite_sequence WHERE name = 'changes'") ?? 0
        return (
            newest.prefix(ObjectHistory.changesMax).reversed(),
            newest.count > ObjectHistory.changesMax || first.map { $0 > 1 } ?? (last > 0)
        )
    }

    // MARK: Decisions

    private func conflicts(of object: Pointer) throws -> [ObjectHistory.Conflict] {
        try db.rows(
            """
            SELECT kind, fields, found_at, resolution, resolved_at FROM conflicts c
            WHERE class = ? AND object_id = ? AND (SELECT \(lister.condition) FROM (
                SELECT \(ConflictTable.author) AS identity)) ORDER BY id DESC LIMIT \(ObjectHistory.conflictsMax)
            """, [object.className, object.objectId]
        ) { row in
            ObjectHistory.Conflict(
                kind: try .stored(row.text(0), as: "the kind of a conflict"), fields: try row.textsOfJSON(1),
                foundAt: row.date(2), resolution: row.textIfAny(3), resolvedAt: row.dateIfAny(4))
        }.reversed()
    }

    private func removal(of object: Pointer) throws -> ObjectHistory.Removal? {
        let held = try RemovalTable(db: db).heldIds(among: [object.objectId], in: object.className)
        guard !held.isEmpty else { return nil }
        return try db.firstRow(
            """
            SELECT reason, found_at FROM removals r WHERE class = ?1 AND (
                EXISTS (SELECT 1 FROM json_each(r.object_ids) h WHERE h.value = ?2)
                OR EXISTS (SELECT 1 FROM lost_objects l WHERE l.class = ?1 AND l.id = ?2 AND l.reason = r.reason))
            ORDER BY id LIMIT 1
            """, [object.className, object.objectId]
        ) { ObjectHistory.Removal(reason: $0.text(0), foundAt: $0.date(1)) }
    }

    // MARK: The class

    private func skippedBecause(_ object: Pointer) throws -> String? {
        try db.text(
            "SELECT reason FROM skipped_rows WHERE class = ? AND id = ? LIMIT 1", [object.className, object.objectId])
    }

    private func syncing(_ object: Pointer) throws -> ObjectHistory.Syncing? {
        let classes = ClassTable(db: db)
        guard try classes.contains(object.className) else { return nil }
        let members = Set(
            try PullMembership.all(of: object.className, object.objectId, in: db).filter { $0.author == .gateway }
                .map(\.pull))
        let hasBase = try db.isTrue(
            "SELECT EXISTS (SELECT 1 FROM objects WHERE class = ? AND id = ? AND base_kind > 0)",
            [object.className, object.objectId])
        let pulls = try PullTable(db: db, author: .gateway).states().filter { $0.className == object.className }.map {
            let isWhole = $0.state.pull.isWholeClass
            return ObjectHistory.Pull(
                name: $0.state.pull.name, isWholeClass: isWhole,
                hasObject: isWhole ? hasBase : members.contains($0.state.pull.name),
                completeSince: $0.state.completeSince, refusal: $0.state.refusal)
        }
        return ObjectHistory.Syncing(
            policy: try classes.options(of: object.className).policy, pulls: pulls,
            stoppedBecause: try db.text("SELECT stopped_because FROM classes WHERE name = ?", [object.className]))
    }
}
