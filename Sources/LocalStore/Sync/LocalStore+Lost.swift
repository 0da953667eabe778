import GRDB
import ParseModel
import StoreService
import SyncModel

/// The sync engine's questions about objects that the remote acknowledged or showed, and does not show any more.
extension LocalStore {
    // MARK: Writes that were acknowledged and not shown

    package func classesWithUnseenWrites() async throws -> Set<String> {
        try await readOnce { db in
            let unshown =
                "SELECT DISTINCT class FROM objects INDEXED BY objects_provisional WHERE is_provisional AND is_provisional = 2"
            return Set(try String.fetchAll(db, sql: "\(unshown) UNION SELECT DISTINCT class FROM unseen_writes"))
        }
    }

    package func unseenWrites(of className: String, max: Int) async throws -> [KnownObject] {
        try await readOnce { db in
            let ids = try String.fetchAll(
                db,
                sql: """
                    SELECT id FROM objects INDEXED BY objects_provisional
                    WHERE class = ?1 AND is_provisional AND is_provisional = 2 AND +base_kind > 0
                    UNION SELECT id FROM unseen_writes u WHERE class = ?1 AND EXISTS (
                        SELECT 1 FROM objects o WHERE o.class = ?1 AND o.id = u.id AND o.is_provisional IN (1, 2))
                    LIMIT ?2
                    """, arguments: [className, max])
            return try ids.compactMap { try Self.known($0, of: className, in: db) }
        }
    }

    package func unshownIds(among objectIds: [String], of className: String) async throws -> Set<String> {
        try await readOnce { db in
            let find = try db.cachedStatement(
                sql: "SELECT 1 FROM objects WHERE class = ? AND id = ? AND is_provisional >= 2 AND base_kind > 0")
            return Set(try objectIds.filter { try Int.fetchOne(find, arguments: [className, $0]) != nil })
        }
    }

    package func noteLooks(at objectIds: [String], of className: String, at serverTime: ParseDate) async throws {
        try await write { transaction in
            // Objects that have been seen since, or are gone, need no look.
            try transaction.execute(
                """
                DELETE FROM unseen_writes WHERE class = ? AND NOT EXISTS (
                    SELECT 1 FROM objects o WHERE o.class = unseen_writes.class AND o.id = unseen_writes.id
                        AND o.is_provisional IN (1, 2))
                """, [className])
            for id in objectIds {
                // A clock that was set back must not keep anything waiting for hours.
                try transaction.execute(
                    """
                    INSERT INTO unseen_writes (class, id, since, looks) VALUES (?1, ?2, ?3, 1)
                    ON CONFLICT DO UPDATE SET looks = looks + 1, since = min(since, excluded.since)
                    """, [className, id, serverTime.milliseconds])
            }
        }
    }

    package func hide(_ objectIds: [String], of className: String) async throws {
        try await write { transaction in
            for id in objectIds {
                try transaction.execute(
                    "UPDATE objects SET is_provisional = 3 WHERE class = ? AND id = ? AND is_provisional = 2",
                    [className, id])
                try transaction.execute("DELETE FROM unseen_writes WHERE class = ? AND id = ?", [className, id])
            }
        }
    }

    // MARK: Older rows

    package func objectsNewer(than rows: [RemoteRecord], of className: String) async throws -> [String: KnownObject] {
        try await readOnce { db in
            let holds = try Bool.fetchOne(
                db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM lost_objects WHERE class = ?)"),
                arguments: [className])
            let find = try db.cachedStatement(
                sql: """
                    SELECT CASE base_kind WHEN 1 THEN updated_at END, json_extract(base, '$.updatedAt'),
                        ?3 AND EXISTS (SELECT 1 FROM lost_objects l WHERE l.class = ?1 AND l.id = ?2)
                    FROM objects WHERE class = ?1 AND id = ?2 AND base_kind > 0
                    """)
            var found: [String: KnownObject] = [:]
            for row in rows {
                let isCandidate = try find.firstRow([className, row.objectId, holds == true]) { known in
                    let baseMs =
                        known.integerIfAny(0)
                        ?? known.textIfAny(1).flatMap(ParseDate.init(iso:)).map(\.milliseconds) ?? 0
                    return baseMs > row.updatedAt.milliseconds || known.bool(2)
                }
                if isCandidate == true { found[row.objectId] = try Self.known(row.objectId, of: className, in: db) }
            }
            return found
        }
    }

    private static func known(_ objectId: String, of className: String, in db: Database) throws -> KnownObject? {
        guard let object = try LocalObject(className, objectId, in: db), let base = object.life.base else { return nil }
        let looks = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT looks, since FROM unseen_writes WHERE class = ? AND id = ?"),
            arguments: [className, objectId])
        let lost = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT reason, latest IS NOT NULL FROM lost_objects WHERE class = ? AND id = ?"),
            arguments: [className, objectId])
        let standing: KnownObject.Standing =
            switch object.life.baseStanding {
            case .shown, .gone: .shown
            case .acknowledged: .acknowledged
            case .unshown, .hidden: .unshown
            }
        return KnownObject(
            objectId: objectId, base: base, standing: standing,
            heldBecause: lost.flatMap { RemovalReason(rawValue: $0[0]) }, isReverted: lost.map { $0[1] } ?? false,
            looks: looks.map { $0[0] } ?? 0, lookedSince: looks.map { ParseDate(milliseconds: $0[1]) })
    }

    package func mostRecentlyChanged(
        besides gone: [String: Set<String>], knownBefore: [String: ParseDate], max: Int
    ) async throws -> [Pointer] {
        try await readOnce { db in
            var newest: [(changedMs: Int64, pointer: Pointer)] = []
            for (name, before) in knownBefore.sorted(by: { $0.key < $1.key }) {
                let rows = try Row.fetchCursor(
                    db,
                    sql: """
                        SELECT id, updated_at FROM objects WHERE class = ? AND updated_at <= ? AND +base_kind > 0
                            AND NOT (\(PullRows.isHidden))
                        ORDER BY updated_at DESC
                        """, arguments: [name, before.milliseconds])
                var count = 0
                while count < max, let row = try rows.next() {
                    if gone[name]?.contains(row[0]) == true { continue }
                    newest.append((row[1], Pointer(className: name, objectId: row[0])))
                    count += 1
                }
            }
            return newest.sorted { $0.changedMs > $1.changedMs }.prefix(max).map(\.pointer)
        }
    }

    /// - Parameter knownBefore: by class, the server time before which an object that is there was known to be.
    package func rollbackShape(
        of gone: [String: Set<String>], knownBefore: [String: ParseDate]
    ) async throws -> RollbackShape {
        try await readOnce { db in
            var (isNewestOnly, includesNewest, attested) = (true, false, 0)
            let find = try db.cachedStatement(
                sql: """
                    SELECT created_at, is_ours OR updated_at <> created_at FROM objects
                    WHERE class = ? AND id = ? AND base_kind > 0
                    """)
            for (className, ids) in gone where !ids.isEmpty {
                var (oldestMs, newestMs) = (Int64.max, Int64.min)
                for id in ids {
                    guard let row = try Row.fetchOne(find, arguments: [className, id]) else { continue }
                    oldestMs = min(oldestMs, row[0])
                    newestMs = max(newestMs, row[0])
                    attested += row[1] ? 1 : 0
                }
                let later = try Row.fetchCursor(
                    db,
                    sql: """
                        SELECT id, created_at FROM objects WHERE class = ? AND created_at >= ? AND created_at < ? AND base_kind > 0
                            AND is_provisional < 2 ORDER BY created_at DESC
                        """,
                    arguments: [
                        className, oldestMs, knownBefore[className]?.milliseconds ?? Int64.max,
                    ])
                // The newest one that is still there tells both.
                var newestThereMs: Int64?
                while newestThereMs == nil, let row = try later.next() {
                    if !ids.contains(row[0]) { newestThereMs = row[1] }
                }
                if newestThereMs != nil { isNewestOnly = false }
                if newestThereMs ?? .min <= newestMs { includesNewest = true }
            }
            return RollbackShape(
                isNewestOnly: isNewestOnly, includesNewest: includesNewest, attested: attested)
        }
    }

    // MARK: Questions to a person

    package func lostIds(of className: String, max: Int) async throws -> [String] {
        try await readOnce { db in
            try String.fetchAll(
                db.cachedStatement(
                    sql:
                        "\(StoreTransaction.lostIds) AND l.class = ? AND l.reason = 'restoredBackup' ORDER BY l.id LIMIT ?"
                ),
                arguments: [className, max])
        }
    }

    package func holdsRestoredBackup() async throws -> Bool {
        try await readOnce { db in
            try Bool.fetchOne(
                db.cachedStatement(
                    sql: "SELECT EXISTS (\(StoreTransaction.lostIds) AND l.reason = 'restoredBackup')")) == true
        }
    }

    package func comparesAllAfterRestore() async throws -> Bool {
        try await readOnce { try Meta.value(of: StoreTransaction.comparesAll, in: $0) != nil }
    }

    package func setComparedAllAfterRestore() async throws {
        try await write { try Meta.set(StoreTransaction.comparesAll, nil, in: $0.db) }
    }

    package func holdLost(
        _ lost: [LostObject], of className: String, because reason: RemovalReason
    ) async throws {
        try await write { try $0.holdLost(lost, of: className, because: reason) }
    }

    package func releaseLost(_ objectIds: [String], of className: String) async throws {
        try await write { try $0.releaseLost(objectIds, of: className) }
    }
}
