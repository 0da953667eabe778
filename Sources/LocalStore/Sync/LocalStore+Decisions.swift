import GRDB
import ParseModel
import StoreService
import SyncModel

/// What waits for a person: lists for the page and the API, and the answers.
extension LocalStore {
    /// A change that waits to be sent, or was refused.
    package struct PendingChange: Sendable {
        package let id: Int64
        package let className: String
        package let objectId: String
        package let step: PendingStep
        package let attempts: Int
        /// Parse's number for a refusal.
        package let code: Int?
        /// Why the last attempt failed, or why the remote refused.
        package let error: String?
        /// Of a deletion: the object as the remote was last known to have it, as JSON text. Nil where clients may not see it.
        package let base: String?
    }

    package struct Conflict: Sendable {
        package let id: Int64
        package let className: String
        package let objectId: String
        package let kind: ConflictKind
        package let fields: [String]
        /// Objects as JSON text, as they were when the conflict was found; nil where there was none.
        package let base: String?
        package let local: String?
        package let remote: String?
        /// Ids of other objects of the remote that a create in question may have made.
        package let candidates: [String]
        /// The operations of the request that an open question is about.
        package let operations: JSONObject?
        package let foundAt: ParseDate
        package let resolution: String?
        package let resolvedAt: ParseDate?
    }

    /// Objects that seem gone, or older than they were, and wait for a person's word.
    package struct Removal: Sendable {
        package let id: Int64
        package let className: String
        package let reason: RemovalReason
        /// Objects that the remote does not show.
        package let objectIds: [String]
        /// Objects that the remote shows as they were before.
        package let olderIds: [String]
        /// How many objects the remote was known to have when the removal was found.
        package let total: Int
        package let foundAt: ParseDate
    }

    /// How many entries a list shows.
    private static let listMax = 1000

    package func pendingChanges() throws -> [PendingChange] {
        try steps(where: "phase IN ('pending', 'inFlight', 'unknown')")
    }

    /// Changes that were sent, and of which a question is open whether they were applied.
    package func changesInQuestion() throws -> [PendingChange] { try steps(where: "phase = 'held' AND was_attempted") }

    package func rejections() throws -> [PendingChange] { try steps(where: "phase = 'rejected'") }

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

    package func undoPending(_ id: Int64) async throws { try await write { try $0.undoPending(id) } }

    package func retryRejection(_ id: Int64, fields: JSONObject?) async throws {
        try await write { try $0.retryRejection(id, fields: fields) }
    }

    package func giveUpRejection(_ id: Int64) async throws { try await write { try $0.giveUpRejection(id) } }

    package func conflicts(resolved: Bool) throws -> [Conflict] {
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
                Conflict(
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

    /// - Parameters:
    ///   - keep: `local`, `remote` or `merge`; for a change that cannot be proven `applied` or `sendAgain`. Nil where the
    ///     fields are the answer: they are set over the remote's state.
    ///   - fields: values that are set on top of the decision.
    package func resolveConflict(_ id: Int64, keep: String?, fields: JSONObject?) async throws {
        try await write { try $0.resolveConflict(id, keep: keep, fields: fields) }
    }
}
