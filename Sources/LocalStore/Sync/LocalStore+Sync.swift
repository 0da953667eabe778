import GRDB
import ParseModel
import StoreService
import SyncModel

/// The store as the sync engine uses it.
extension LocalStore {
    package func apply(
        _ changes: [RemoteChange], of pull: PullId, cursor: PullCursor?, began: ParseDate, isLast: Bool
    ) async throws -> PullTally {
        try await write { transaction in
            guard let scope = try transaction.scope(of: pull) else { return PullTally() }
            let tally = try transaction.apply(changes, of: pull.className, by: scope)
            try transaction.moveCursor(of: pull, to: cursor, began: began, isLast: isLast)
            return tally
        }
    }

    package func apply(
        _ records: [RemoteRecord], gone: [String], of className: String
    ) async throws -> PullTally {
        try await write { transaction in
            var tally = try transaction.apply(records.map(RemoteChange.upsert), of: className)
            for objectId in gone {
                tally += try transaction.receive(.absent, className, objectId)
            }
            return tally
        }
    }

    // MARK: Push

    package func outbox(limit: Int) async throws -> [OutboxEntry] {
        // What carries a file that the remote does not have waits for that.
        let carriesFile = """
            EXISTS (SELECT 1 FROM outbox_files p JOIN files f ON f.name = p.name AND f.remote_url IS NULL
                WHERE p.seq = o.seq)
            """
        return try await entries(where: "phase = 'pending' AND NOT \(carriesFile)", limit: limit)
    }

    package func waitingCount() async throws -> Int {
        try await readOnce { try Int.fetchOne($0, sql: "SELECT count(*) FROM outbox WHERE phase = 'pending'") ?? 0 }
    }

    /// A sync asks between its requests. An entry that is still in flight then is of unknown outcome: the disk was full when its
    /// outcome was to be stored.
    package func unknownOutcomes() async throws -> [OutboxEntry] {
        try await entries(where: "phase IN ('unknown', 'inFlight')", limit: nil)
    }

    /// First steps only: a later step of an object waits for the ones before it.
    private func entries(where condition: String, limit: Int?) async throws -> [OutboxEntry] {
        try await read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT seq, class, id, (SELECT ended_at FROM unanswered u WHERE u.class = o.class AND u.id = o.id),
                        (SELECT own_marks FROM objects b WHERE b.class = o.class AND b.id = o.id)
                    FROM outbox o WHERE \(condition) AND NOT EXISTS (
                        SELECT 1 FROM outbox e WHERE e.class = o.class AND e.id = o.id AND e.seq < o.seq)
                    ORDER BY seq LIMIT ?
                    """, arguments: [limit ?? -1])
            return try rows.compactMap { row in
                guard let object = try LocalObject(row[1], row[2], in: db), let first = object.life.steps.first
                else { return nil }
                let awaited = try Row.fetchAll(
                    db.cachedStatement(
                        sql: """
                            SELECT DISTINCT p.class, p.id FROM outbox_pointers p
                            JOIN outbox o ON o.class = p.class AND o.id = p.id AND o.kind = 'create' WHERE p.seq = ?
                            """), arguments: [row[0] as Int64])
                return OutboxEntry(
                    first, of: object.life, awaits: Set(awaited.map { Pointer(className: $0[0], objectId: $0[1]) }),
                    unansweredAt: (row[3] as Int64?).map(ParseDate.init(milliseconds:)),
                    ownMarks: try (row[4] as String?).flatMap { try JSONReader.read($0).array?.compactMap(\.string) }
                        ?? [])
            }
        }
    }

    package func freeze(_ entries: [OutboxEntry], at serverTime: ParseDate) async throws -> [OutboxEntry] {
        try await write { transaction in try entries.compactMap { try transaction.freeze($0, at: serverTime) } }
    }

    @discardableResult
    package func settle(
        _ settlements: [(entry: OutboxEntry, Settlement)]
    ) async throws -> [String: PullTally] {
        try await write { transaction in
            var tallies: [String: PullTally] = [:]
            for (entry, settlement) in settlements {
                try transaction.settle(entry, settlement)
                guard case .proven(let record) = settlement else { continue }
                tallies[record.className, default: PullTally()] += try transaction.apply(
                    [.upsert(record)], of: record.className)
            }
            return tallies
        }
    }

    package func noteUnanswered(_ objects: [Pointer], at endedAt: ParseDate) async throws {
        try await write { transaction in
            for object in objects { try transaction.noteUnanswered(object, at: endedAt) }
        }
    }

    package func split(_ entry: OutboxEntry, deferring fields: [String]) async throws {
        try await write { try $0.split(entry, deferring: fields) }
    }

    package func noteRefusal(ofOpField opField: String, of className: String, _ message: String) async throws {
        try await write { transaction in
            var options = try transaction.classOptions(of: className)
            guard options.opField == opField else { return }
            options.opFieldRefusal = message
            try transaction.execute("UPDATE classes SET options = ? WHERE name = ?", [options.stored, className])
        }
    }

    // MARK: What is known of the remote

    package func remoteAcceptsChosenIds() async throws -> Bool? {
        try await readOnce { try Meta.value(of: "accepts_chosen_ids", in: $0).map { $0 == "1" } }
    }

    package func setRemoteAcceptsChosenIds(_ accepts: Bool?) async throws {
        try await write { try Meta.set("accepts_chosen_ids", accepts.map { $0 ? "1" : "0" }, in: $0.db) }
    }

    package func setPaused(_ paused: Bool) async throws {
        try await write { try Meta.set("paused", paused ? "1" : nil, in: $0.db) }
    }

    package func setLastSync(_ date: ParseDate) async throws {
        try await write { try Meta.set("last_sync_at", String(date.milliseconds), in: $0.db) }
    }

    static let classFigures = """
        SELECT name, EXISTS (SELECT 1 FROM pulls WHERE class = c.name),
            NOT EXISTS (SELECT 1 FROM pulls WHERE class = c.name AND complete_since IS NULL),
            coalesce((SELECT views FROM class_counts WHERE class = c.name), 0),
            (SELECT refusal FROM pulls WHERE class = c.name AND refusal IS NOT NULL ORDER BY name LIMIT 1),
            stopped_because
        FROM classes c ORDER BY name
        """

    package func figures() async throws -> SyncFigures {
        try await read { db in
            let count = { (sql: String) in try Int.fetchOne(db, sql: sql) ?? 0 }
            let waiting = "phase IN ('pending', 'inFlight', 'unknown')"
            let classes = try Row.fetchAll(db, sql: Self.classFigures)
            let pending = try Row.fetchAll(
                db, sql: "SELECT class, count(DISTINCT id) FROM outbox WHERE \(waiting) GROUP BY class"
            ).reduce(into: [String: Int]()) { $0[$1[0]] = $1[1] }
            let unshown = try Row.fetchAll(
                db,
                sql: """
                    SELECT class, sum(is_provisional = 3), sum(is_provisional = 2) FROM objects INDEXED BY objects_provisional
                    WHERE is_provisional AND is_provisional >= 2 AND base_kind > 0 AND view IS NOT NULL GROUP BY class
                    """
            ).reduce(into: [String: (hidden: Int, recent: Int)]()) { $0[$1[0]] = ($1[1], $1[2]) }
            return SyncFigures(
                pending: pending.values.reduce(0, +),
                rejections: try count("SELECT count(*) FROM outbox WHERE phase = 'rejected'"),
                conflicts: try count("SELECT count(*) FROM conflicts WHERE resolution IS NULL"),
                removals: try count(Self.removalCount),
                isPaused: try Meta.value(of: "paused", in: db) != nil,
                lastSyncAt: try Meta.value(of: "last_sync_at", in: db).flatMap(Int64.init)
                    .map(ParseDate.init(milliseconds:)),
                classes: try classes.map {
                    SyncFigures.Class(
                        name: $0[0], objects: $0[3], pending: pending[$0[0]] ?? 0, isPulled: $0[1],
                        initialSyncComplete: $0[1] && $0[2], refusal: $0[4], stoppedBecause: $0[5],
                        skipped: try Self.skippedRows(of: $0[0], in: db), hidden: unshown[$0[0]]?.hidden ?? 0,
                        unshown: unshown[$0[0]]?.recent ?? 0)
                })
        }
    }
}
