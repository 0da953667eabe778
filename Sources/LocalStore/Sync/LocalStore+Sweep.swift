import GRDB
import ParseModel
import StoreService
import SyncModel

/// What the sync engine asks of the store to find out what no longer exists remotely.
extension LocalStore {
    /// An ACL was sent that keeps the object from the public.
    private static let isPrivate = """
        (json_type(coalesce(base, view), '$.ACL') IS NOT NULL
            AND coalesce(json_extract(coalesce(base, view), '$.ACL."*".read'), 0) = 0)
        """
    /// An object that the remote has acknowledged and never shown, or whose latest acknowledged change keeps it from us, is
    /// not expected in lists: that they lack it does not mean that it is gone.
    static let isHidden = """
        is_provisional AND (is_provisional >= \(BaseStanding.unshown.rawValue) OR \(isPrivate))
        """

    /// The objects of a pull that were created in a range. Dates of an object with a base are the remote's.
    /// - Parameter areFew: another condition follows which has an index of its own.
    private static func rows(isWholeClass: Bool, _ range: CreatedRange, areFew: Bool = false) -> String {
        var rows = "FROM objects WHERE class = :class AND \(areFew ? "+" : "")base_kind > 0"
        if !isWholeClass {
            rows +=
                " AND EXISTS (SELECT 1 FROM pull_members m WHERE m.class = :class AND m.pull = :pull AND m.id = objects.id)"
        }
        if range.from != nil { rows += " AND created_at >= :from" }
        if range.to != nil { rows += " AND created_at < :to" }
        return rows
    }

    private static func arguments(_ pull: PullId, _ range: CreatedRange) -> StatementArguments {
        [
            "class": pull.className, "pull": pull.name, "from": range.from?.milliseconds, "to": range.to?.milliseconds,
        ]
    }

    private static func values<Value>(
        _ column: String, _ rows: String, _ pull: PullId, _ range: CreatedRange, in db: Database,
        _ read: (SQLiteRow) -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        let statement = try db.cachedStatement(sql: "SELECT \(column) \(rows)")
        try statement.setArguments(arguments(pull, range))
        try statement.forEachBoundRow { values.append(read($0)) }
        return values
    }

    package func baseCount(of pull: PullId) async throws -> Int {
        try readScope(pull) { db, isWholeClass in
            let rows = Self.rows(isWholeClass: isWholeClass, .all)
            let all =
                isWholeClass
                ? "coalesce((SELECT bases FROM class_counts WHERE class = :class), 0)" : "(SELECT count(*) \(rows))"
            let hidden = Self.rows(isWholeClass: isWholeClass, .all, areFew: true)
            return try Int.fetchOne(
                db, sql: "SELECT \(all) - (SELECT count(*) \(hidden) AND \(Self.isHidden))",
                arguments: Self.arguments(pull, .all)) ?? 0
        }
    }

    /// Cuts a range into parts that hold about as many of the pull's objects each.
    /// - Returns: the parts, and how many of their objects the remote should show.
    package func split(_ range: CreatedRange, of pull: PullId, into parts: Int) async throws -> [CountedRange] {
        try readScope(pull) { db, isWholeClass in
            let times = {
                try Self.values("created_at", $0 + " ORDER BY created_at", pull, range, in: db) { $0.integer(0) }
            }
            let all = try times(Self.rows(isWholeClass: isWholeClass, range))
            let hidden = try times(Self.rows(isWholeClass: isWholeClass, range, areFew: true) + " AND \(Self.isHidden)")
            return CountedRange.parts(of: range, parts, all: all, hidden: hidden)
        }
    }

    package func baseIds(
        of pull: PullId, created range: CreatedRange
    ) async throws -> (seen: Set<String>, hidden: Set<String>) {
        try readScope(pull) { db, isWholeClass in
            let ids = { Set(try Self.values("id", $0, pull, range, in: db) { $0.text(0) }) }
            // Indexes alone tell both: looking up of each row whether it is hidden took longer.
            let all = try ids(Self.rows(isWholeClass: isWholeClass, range))
            let hidden = try ids(Self.rows(isWholeClass: isWholeClass, range, areFew: true) + " AND \(Self.isHidden)")
            return (all.subtracting(hidden), hidden)
        }
    }

    private func readScope<Value>(_ pull: PullId, _ body: (Database, Bool) throws -> Value) throws -> Value {
        try readOnce { db in
            let row = try Row.fetchOne(
                db.cachedStatement(sql: "SELECT conditions FROM pulls WHERE class = ? AND name = ?"),
                arguments: [pull.className, pull.name])
            return try body(db, row.map { $0[0] as String == "{}" } ?? true)
        }
    }

    package func stamps(of objectIds: [String], in className: String) async throws -> [String: ParseDate] {
        try readOnce { db in
            let statement = try db.cachedStatement(
                sql: """
                    SELECT CASE base_kind WHEN 1 THEN updated_at END, json_extract(base, '$.updatedAt') FROM objects
                    WHERE class = ? AND id = ? AND base_kind > 0
                        AND is_provisional < \(BaseStanding.unshown.rawValue)
                    """)
            var stamps: [String: ParseDate] = [:]
            for id in objectIds {
                guard let row = try Row.fetchOne(statement, arguments: [className, id]) else { continue }
                stamps[id] =
                    (row[0] as Int64?).map(ParseDate.init(milliseconds:))
                    ?? (row[1] as String?).flatMap(ParseDate.init(iso:))
            }
            return stamps
        }
    }

    package func witnesses(
        of className: String, besides objectIds: [String], max: Int
    ) async throws -> [[Pointer]] {
        try readOnce { db in
            let find = try db.cachedStatement(
                sql: """
                    SELECT id FROM objects WHERE class = ?1 AND +base_kind > 0 AND NOT (\(Self.isHidden))
                        AND NOT EXISTS (SELECT 1 FROM outbox o
                            WHERE o.class = objects.class AND o.id = objects.id AND o.phase = 'unknown')
                        AND id NOT IN (SELECT h.value FROM removals r, json_each(r.object_ids) h WHERE r.class = ?2)
                        AND id NOT IN (SELECT l.id FROM lost_objects l WHERE l.class = ?2)
                    ORDER BY updated_at DESC
                    """)
            let others = try String.fetchAll(
                db, sql: "SELECT DISTINCT class FROM pulls WHERE class <> ? ORDER BY class", arguments: [className])
            var groups: [[Pointer]] = []
            // What is held back is not likely to be there; but it has to bear witness where there is nothing else.
            for (name, heldIn) in [(className, className), (className, nil)] + others.map({ ($0, nil) }) {
                if groups.count == 1, name == className { continue }
                let excluded = Set(name == className ? objectIds : [])
                var group: [Pointer] = []
                let ids = try String.fetchCursor(find, arguments: [name, heldIn])
                while group.count < max, let id = try ids.next() {
                    if !excluded.contains(id) { group.append(Pointer(className: name, objectId: id)) }
                }
                if !group.isEmpty { groups.append(group) }
                if groups.last?.first?.className ?? className != className { break }
            }
            return groups
        }
    }

    package func provisionalIds(of className: String) async throws -> [String] {
        try readOnce { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT id FROM objects WHERE class = ? AND is_provisional AND +base_kind > 0 AND NOT \(Self.isPrivate)
                        AND is_provisional < \(BaseStanding.hidden.rawValue)
                    ORDER BY pk
                    """, arguments: [className])
        }
    }

    // MARK: Members of subsets

    package func join(_ objectIds: [String], _ pull: PullId) async throws {
        try await write { transaction in
            if try transaction.scope(of: pull)?.isWholeClass == false { try transaction.join(objectIds, pull) }
        }
    }

    package func leave(_ objectIds: [String], _ pull: PullId) async throws {
        try await write { transaction in
            if try transaction.scope(of: pull) != nil { try transaction.leave(objectIds, pull) }
        }
    }

    package func evictStrays(of className: String) async throws -> Int {
        let mayBe = try readOnce { db in
            try Bool.fetchOne(db, sql: "SELECT may_have_strays FROM classes WHERE name = ?", arguments: [className])
        }
        return mayBe == true ? try await write { try $0.evictStrays(of: className) } : 0
    }

    package func setAudited(_ pull: PullId, at serverTime: ParseDate) async throws {
        try await write {
            try $0.execute(
                "UPDATE pulls SET audited_at = ?1, recently_audited_at = ?1 WHERE class = ?2 AND name = ?3",
                [serverTime.milliseconds, pull.className, pull.name])
        }
    }

    package func setRecentlyAudited(_ pull: PullId, at serverTime: ParseDate) async throws {
        try await write {
            try $0.execute(
                "UPDATE pulls SET recently_audited_at = ? WHERE class = ? AND name = ?",
                [serverTime.milliseconds, pull.className, pull.name])
        }
    }

    package func setRefusal(_ refusal: String, of pull: PullId) async throws {
        try await write {
            try $0.execute(
                "UPDATE pulls SET refusal = ? WHERE class = ? AND name = ?", [refusal, pull.className, pull.name])
        }
    }

    /// Index `objects_by_update` tells.
    package func updateTime(of className: String, newest place: Int) async throws -> ParseDate? {
        try readOnce { db in
            try Int64.fetchOne(
                db,
                sql: "SELECT updated_at FROM objects WHERE class = ? ORDER BY updated_at DESC LIMIT 1 OFFSET ?",
                arguments: [className, place]
            ).map(ParseDate.init(milliseconds:))
        }
    }
}
