import GRDB
import ParseModel
import StoreService
import SyncModel

/// Finds signs that the remote was restored from a backup: rows that are older than the stored objects, and missing
/// objects.
struct RollbackSigns {
    let db: Database

    /// The stored objects of the given rows, by id, if they are newer than their row or wait for a decision as lost
    /// objects. Objects that the remote was never known to have are left out.
    /// - Parameter author: the author whose searches for acknowledged states the results count.
    func objectsNewer(
        than rows: [RemoteRecord], of className: String, for author: AuthorKey
    ) throws -> [String: KnownObject] {
        let holds = try db.isTrue("SELECT EXISTS (SELECT 1 FROM lost_objects WHERE class = ?)", [className])
        var found: [String: KnownObject] = [:]
        for row in rows {
            let isCandidate = try db.firstRow(
                """
                SELECT CASE base_kind WHEN 1 THEN updated_at END, json_extract(base, '$.updatedAt'),
                    ?3 AND EXISTS (SELECT 1 FROM lost_objects l WHERE l.class = ?1 AND l.id = ?2)
                FROM objects WHERE class = ?1 AND id = ?2 AND base_kind > 0
                """, [className, row.objectId, holds]
            ) { known in
                let base = known.dateIfAny(0) ?? known.textIfAny(1).flatMap(ParseDate.init(iso:))
                return base?.milliseconds ?? 0 > row.updatedAt.milliseconds || known.bool(2)
            }
            guard isCandidate == true else { continue }
            found[row.objectId] = try UnseenWrites(db: db, author: author).known(row.objectId, of: className)
        }
        return found
    }

    /// The most recently changed objects of the classes in `knownBefore`, newest first. Left out are the objects in
    /// `gone`, objects that can be missing in the remote's lists, and objects that changed after the time of their
    /// class in `knownBefore`.
    func mostRecentlyChanged(
        besides gone: [String: Set<String>], knownBefore: [String: ParseDate], max: Int, seesEverything: Bool
    ) throws -> [Pointer] {
        var newest: [(changedMs: Int64, pointer: Pointer)] = []
        for (name, before) in knownBefore.sorted(by: { $0.key < $1.key }) {
            let rows: [(changedMs: Int64, pointer: Pointer)] = try db.rows(
                """
                SELECT id, updated_at FROM objects WHERE class = ? AND updated_at <= ? AND +base_kind > 0
                    AND NOT (\(PullRows.mayBeInvisible(seesEverything: seesEverything)))
                ORDER BY updated_at DESC
                """, [name, before.milliseconds], max: max
            ) { row in
                let id = row.text(0)
                return gone[name]?.contains(id) == true
                    ? nil : (row.integer(1), Pointer(className: name, objectId: id))
            }
            newest += rows
        }
        return newest.sorted { $0.changedMs > $1.changedMs }.prefix(max).map { $0.pointer }
    }

    /// Compares missing objects with the newest other objects of their classes, to find out whether the remote was
    /// restored from a backup.
    /// - Parameter knownBefore: by class, the server time at which the last complete sync began. Other objects that
    ///   were created after this time are not compared.
    func shape(of gone: [String: Set<String>], knownBefore: [String: ParseDate]) throws -> RollbackShape {
        var (isNewestOnly, includesNewest, attested) = (true, false, 0)
        for (className, ids) in gone where !ids.isEmpty {
            var (oldestMs, newestMs) = (Int64.max, Int64.min)
            for id in ids {
                let row = try db.firstRow(
                    """
                    SELECT created_at, is_ours OR updated_at <> created_at FROM objects
                    WHERE class = ? AND id = ? AND base_kind > 0
                    """, [className, id]
                ) { (createdMs: $0.integer(0), isAttested: $0.bool(1)) }
                guard let row else { continue }
                oldestMs = min(oldestMs, row.createdMs)
                newestMs = max(newestMs, row.createdMs)
                attested += row.isAttested ? 1 : 0
            }
            // The creation time of the newest object that is not missing; nil if this object is older than all missing
            // objects.
            let newestThereMs = try db.rows(
                """
                SELECT id, created_at FROM objects WHERE class = ? AND created_at >= ? AND created_at < ? AND base_kind > 0
                    AND base_standing < 2 ORDER BY created_at DESC
                """, [className, oldestMs, knownBefore[className]?.milliseconds ?? Int64.max], max: 1
            ) { ids.contains($0.text(0)) ? nil : $0.integer(1) }.first
            if newestThereMs != nil { isNewestOnly = false }
            if newestThereMs ?? .min <= newestMs { includesNewest = true }
        }
        return RollbackShape(isNewestOnly: isNewestOnly, includesNewest: includesNewest, attested: attested)
    }
}
