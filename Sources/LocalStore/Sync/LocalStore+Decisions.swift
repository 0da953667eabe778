import GRDB
import ParseModel
import StoreService
import SyncModel

/// The lists of pending changes, rejections and conflicts, and the decisions about them.
extension LocalStore {
    /// How many entries a list shows.
    private static let listMax = 1000

    package func pendingChanges(as principal: Principal) throws -> [PendingChange] {
        try steps(where: "phase IN ('pending', 'inFlight', 'unknown')")
    }

    /// Changes that were sent, and of which a question is open whether they were applied.
    package func changesInQuestion(as principal: Principal) throws -> [PendingChange] {
        try steps(where: "phase = 'held' AND was_attempted")
    }

    package func rejections(as principal: Principal) throws -> [PendingChange] {
        try steps(where: "phase = 'rejected'")
    }

    private func steps(where condition: String) throws -> [PendingChange] {
        try readOnce { db in
            let statement = try db.makeStatement(
                sql: """
                    SELECT \(ObjectLife.Step.columns), class, id,
                        CASE WHEN kind = 'delete' AND class NOT LIKE '\\_%' ESCAPE '\\'
                        THEN (SELECT base FROM objects o WHERE o.class = outbox.class AND o.id = outbox.id) END
                    FROM outbox WHERE \(condition) ORDER BY seq LIMIT \(Self.listMax)
                    """)
            var changes: [PendingChange] = []
            try statement.forEachRow { row in
                let stored = try ObjectLife.Step(row)
                changes.append(
                    PendingChange(
                        id: row.integer(0), className: row.text(ObjectLife.Step.columnCount),
                        objectId: row.text(ObjectLife.Step.columnCount + 1), step: stored.step,
                        attempts: stored.attempts, code: stored.code, error: stored.error,
                        base: row.textIfAny(ObjectLife.Step.columnCount + 2)))
            }
            return changes
        }
    }

    package func undoPending(_ id: Int64, as principal: Principal) async throws {
        try await write(as: principal) { try $0.undoPending(id) }
    }

    package func retryRejection(_ id: Int64, fields: JSONObject?, as principal: Principal) async throws {
        try await write(as: principal) { try $0.retryRejection(id, fields: fields) }
    }

    package func giveUpRejection(_ id: Int64, as principal: Principal) async throws {
        try await write(as: principal) { try $0.giveUpRejection(id) }
    }

    package func conflicts(resolved: Bool, as principal: Principal) throws -> [ListedConflict] {
        try readOnce { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT id, class, object_id, kind, fields, base, local, remote, found_at, resolution, resolved_at, candidates, (
                        SELECT operations FROM outbox o WHERE resolution IS NULL AND o.class = c.class
                            AND o.id = c.object_id AND phase = 'held' AND was_attempted ORDER BY seq LIMIT 1)
                    FROM conflicts c WHERE (resolution IS NOT NULL) = ? ORDER BY id DESC LIMIT \(Self.listMax)
                    """, arguments: [resolved]
            ).map { row in
                ListedConflict(
                    id: row[0], className: row[1], objectId: row[2],
                    kind: try .stored(row[3], as: "the kind of a conflict"),
                    fields: try JSONReader.read(row[4] as String).array?.compactMap(\.string) ?? [],
                    base: row[5], local: row[6], remote: row[7],
                    candidates: try (row[11] as String?).flatMap { try JSONReader.read($0).array?.compactMap(\.string) }
                        ?? [],
                    operations: try (row[12] as String?).flatMap {
                        try JSONReader.read($0, depthMax: JSONReader.storedDepthMax).object
                    },
                    foundAt: ParseDate(milliseconds: row[8]), resolution: row[9],
                    resolvedAt: (row[10] as Int64?).map(ParseDate.init(milliseconds:)))
            }
        }
    }

    package func resolveConflict(
        _ id: Int64, keep: String?, fields: JSONObject?, as principal: Principal
    ) async throws {
        try await write(as: principal) { try $0.resolveConflict(id, keep: keep, fields: fields) }
    }
}
