import GRDB
import ParseModel
import StoreService
import SyncModel

/// The part of `SyncStore` for sweeps and audits.
extension LocalStore {
    package func baseCount(of pull: PullId) async throws -> Int {
        try await readOnce { try PullRows(pull, in: $0).count() }
    }

    package func split(_ range: CreatedRange, of pull: PullId, into parts: Int) async throws -> [CountedRange] {
        try await readOnce { db in
            let times = try PullRows(pull, created: range, in: db).times()
            return CountedRange.parts(of: range, parts, all: times.all, hidden: times.hidden)
        }
    }

    package func baseIds(
        of pull: PullId, created range: CreatedRange
    ) async throws -> (seen: Set<String>, hidden: Set<String>) {
        try await readOnce { db in
            let ids = try PullRows(pull, created: range, in: db).ids()
            return (ids.all.subtracting(ids.hidden), ids.hidden)
        }
    }

    package func stamps(of objectIds: [String], in className: String) async throws -> [String: ParseDate] {
        try await readOnce { db in
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

    package func canaries(
        of className: String, besides objectIds: [String], max: Int
    ) async throws -> [[Pointer]] {
        try await readOnce { db in
            let find = try db.cachedStatement(
                sql: """
                    SELECT id FROM objects WHERE class = ?1 AND +base_kind > 0 AND NOT (\(PullRows.isHidden))
                        AND NOT EXISTS (SELECT 1 FROM outbox o
                            WHERE o.class = objects.class AND o.id = objects.id AND o.phase = 'unknown')
                        AND id NOT IN (SELECT h.value FROM removals r, json_each(r.object_ids) h WHERE r.class = ?2)
                        AND id NOT IN (SELECT l.id FROM lost_objects l WHERE l.class = ?2)
                    ORDER BY updated_at DESC
                    """)
            let others = try String.fetchAll(
                db, sql: "SELECT DISTINCT class FROM pulls WHERE class <> ? ORDER BY class", arguments: [className])
            var groups: [[Pointer]] = []
            // Held objects probably no longer exist, so they are canaries only if there are no others.
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
        try await readOnce { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT id FROM objects WHERE class = ? AND is_provisional AND +base_kind > 0 AND NOT \(PullRows.isPrivate)
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
        let mayBe = try await readOnce { db in
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

    /// Reads the index `objects_by_update` alone.
    package func updateTime(of className: String, newest place: Int) async throws -> ParseDate? {
        try await readOnce { db in
            try Int64.fetchOne(
                db,
                sql: "SELECT updated_at FROM objects WHERE class = ? ORDER BY updated_at DESC LIMIT 1 OFFSET ?",
                arguments: [className, place]
            ).map(ParseDate.init(milliseconds:))
        }
    }
}
