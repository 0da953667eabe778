import GRDB
import ParseModel
import StoreService
import SyncModel

/// What a look for the object of a create has to know of the store.
extension LocalStore {
    /// - Parameter objectIds: ids of objects that the remote has made since the create was sent.
    package func standing(of objectIds: [String], for entry: OutboxEntry) async throws -> CandidateStanding {
        try await read { db in
            let questions = try Row.fetchAll(
                db,
                sql: """
                    SELECT json_extract(remote, '$.objectId'), candidates, resolution FROM conflicts
                    WHERE class = ? AND object_id = ? AND kind = 'ambiguousCreate' AND resolution IS NOT NULL
                    """, arguments: [entry.className, entry.objectId])
            var refused: Set<String> = []
            var offered: Set<String> = []
            for row in questions {
                if row[2] as String == "sendAgain", let id = row[0] as String? { refused.insert(id) }
                let candidates = try (row[1] as String?).flatMap { try JSONReader.read($0).array?.compactMap(\.string) }
                offered.formUnion(candidates ?? [])
            }
            var copies = Set(
                try String.fetchAll(
                    db,
                    sql: """
                        SELECT json_extract(remote, '$.objectId') FROM conflicts WHERE class = ?
                            AND kind = 'ambiguousCreate' AND resolution IS NULL AND remote IS NOT NULL AND object_id <> ?
                        """, arguments: [entry.className, entry.objectId]))
            copies.formUnion(offered)
            let isKnown = try db.cachedStatement(sql: "SELECT 1 FROM objects WHERE class = ? AND id = ?")
            let isBound = try db.cachedStatement(sql: "SELECT 1 FROM aliases WHERE class = ? AND id = ?")
            let excluded = try objectIds.filter { id in
                if refused.contains(id) { return true }
                guard try Int.fetchOne(isKnown, arguments: [entry.className, id]) != nil else { return false }
                return try !copies.contains(id) || Int.fetchOne(isBound, arguments: [entry.className, id]) != nil
            }
            return CandidateStanding(excluded: Set(excluded), asked: copies, refused: refused)
        }
    }

    /// The objects of one class that wait to be made again, and the rows to compare them with.
    /// - Parameter max: how many of the latest objects of the class are looked at.
    package func remakes(of entries: [OutboxEntry], max: Int) async throws -> RemakeStanding {
        try await read { db in
            var standing = RemakeStanding()
            guard let className = entries.first?.className else { return standing }
            for entry in entries {
                standing.ancestors[entry.id] = try StoreTransaction.ancestor(className, entry.objectId, in: db)
            }
            let since = entries.map { standing.since($0).milliseconds }.min()
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT o.id, coalesce(o.base, o.view) FROM objects o
                    WHERE o.class = ?1 AND +o.base_kind > 0 AND o.created_at >= ?2
                        AND NOT EXISTS (SELECT 1 FROM aliases a WHERE a.class = ?1 AND a.id = o.id)
                    ORDER BY o.created_at DESC LIMIT ?3
                    """, arguments: [className, since, max])
            standing.known = try rows.compactMap { row in
                try (row[1] as String?).flatMap { try JSONReader.read($0, depthMax: JSONReader.storedDepthMax).object }
                    .flatMap(ObjectState.init(json:))
                    .map { RemoteRecord(className: className, objectId: row[0], state: $0) }
            }
            return standing
        }
    }

    /// The latest objects of a class as they are shown, without one of them.
    package func sample(of className: String, besides objectId: String, max: Int) async throws -> [JSONObject] {
        try await read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT view FROM objects WHERE class = ? AND id <> ? AND view IS NOT NULL ORDER BY pk DESC LIMIT ?
                    """, arguments: [className, objectId, max]
            ).compactMap { try JSONReader.read($0).object }
        }
    }
}
