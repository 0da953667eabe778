import GRDB
import ParseModel
import StoreService
import SyncModel

/// The table `conflicts`: open and resolved conflicts.
struct ConflictTable {
    let db: Database

    /// The number of resolved conflicts to keep. Every `conflictsPerPruning`-th new conflict deletes the oldest resolved ones.
    private static let resolvedMax = 10_000
    private static let conflictsPerPruning: Int64 = 500

    func insert(_ record: ConflictRecord, of object: Pointer, now: ParseDate) throws {
        let text = { (state: ObjectState?, id: String) in state.map { $0.jsonText(objectId: id) } }
        let id = object.objectId
        try db.run(
            """
            INSERT INTO conflicts (class, object_id, kind, fields, base, local, remote, found_at, resolution, resolved_at,
                candidates, identity)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                object.className, id, record.kind.rawValue, Self.json(record.fields), text(record.base, id),
                text(record.local, id), text(record.remote, record.remoteId ?? id), now.milliseconds,
                record.resolution?.rawValue, record.resolution == nil ? nil : now.milliseconds,
                record.candidates.isEmpty ? nil : Self.json(record.candidates), record.author.key,
            ])
        if db.lastInsertedRowID % Self.conflictsPerPruning == 0 { try prune() }
    }

    private static func json(_ texts: [String]) -> String { JSONValue.array(texts.map(JSONValue.string)).jsonText }

    private func prune() throws {
        try db.run(
            """
            DELETE FROM conflicts WHERE resolution IS NOT NULL AND id <= (
                SELECT id FROM conflicts WHERE resolution IS NOT NULL ORDER BY id DESC LIMIT 1 OFFSET ?)
            """, [Self.resolvedMax])
    }

    /// Updates the open conflict of an object: sets the remote state, and adds fields to the conflict's list of fields.
    /// - Parameter fields: the fields to add.
    func update(of object: Pointer, fields: [String], remote: ObjectState?) throws {
        try db.run(
            """
            UPDATE conflicts SET remote = ?, fields = (
                SELECT json_group_array(DISTINCT value) FROM (
                    SELECT value FROM json_each(fields) UNION ALL SELECT value FROM json_each(?)))
            WHERE class = ? AND object_id = ? AND resolution IS NULL
            """,
            [
                remote.map { $0.jsonText(objectId: object.objectId) }, Self.json(fields), object.className,
                object.objectId,
            ])
    }

    func close(of object: Pointer, _ resolution: String, now: ParseDate) throws {
        try db.run(
            """
            UPDATE conflicts SET resolution = ?, resolved_at = ? WHERE class = ? AND object_id = ? AND resolution IS NULL
            """, [resolution, now.milliseconds, object.className, object.objectId])
    }

    func rename(_ object: Pointer, to newId: String) throws {
        try db.run(
            "UPDATE conflicts SET object_id = ? WHERE class = ? AND object_id = ?",
            [newId, object.className, object.objectId])
    }

    /// The object of an open conflict, and the author whose change is in conflict; nil if no open conflict has the id.
    func object(of id: Int64) throws -> (pointer: Pointer, author: AuthorKey)? {
        try db.firstRow("SELECT class, object_id, identity FROM conflicts WHERE id = ? AND resolution IS NULL", [id]) {
            ($0.pointer(0), AuthorKey(key: $0.integer(2)))
        }
    }

    /// The id of the object's open conflict; nil if there is none.
    func openId(of object: Pointer) throws -> Int64? {
        try db.firstRow(
            "SELECT id FROM conflicts WHERE class = ? AND object_id = ? AND resolution IS NULL ORDER BY id DESC LIMIT 1",
            [object.className, object.objectId]
        ) { $0.integer(0) }
    }

    /// The id of the latest conflict of an object that was resolved for the remote side; nil for none.
    /// - Parameters:
    ///   - fields: the local changes: a conflict about other fields does not count.
    ///   - start: the time from which resolutions count.
    func overruling(
        _ fields: [String], of object: Pointer, by author: AuthorKey, since start: ParseDate
    ) throws -> Int64? {
        try db.integer(
            """
            SELECT id FROM conflicts WHERE class = ? AND object_id = ? AND identity = ? AND resolved_at >= ?
                AND resolution = '\(Side.remote.rawValue)'
                AND (kind <> '\(ConflictKind.fields.rawValue)'
                    OR EXISTS (SELECT 1 FROM json_each(fields) WHERE value IN (SELECT value FROM json_each(?))))
            ORDER BY id DESC LIMIT 1
            """,
            [object.className, object.objectId, author.key, start.milliseconds, Self.json(fields)])
    }

    /// The latest open conflict of an object; nil for none.
    func open(of object: Pointer) throws -> OpenConflict? {
        let found = try db.firstRow(
            """
            SELECT kind, remote, fields, base FROM conflicts WHERE class = ? AND object_id = ? AND resolution IS NULL
            ORDER BY id DESC LIMIT 1
            """, [object.className, object.objectId]
        ) { row in
            (kind: row.text(0), remote: try row.object(1), fields: try row.textsOfJSON(2), base: try row.object(3))
        }
        guard let found else { return nil }
        var conflict = OpenConflict(
            kind: try .stored(found.kind, as: "the kind of a conflict"), fields: found.fields,
            base: found.base.flatMap(ObjectState.init(json:)))
        if let json = found.remote, let objectId = json["objectId"]?.string, let state = ObjectState(json: json) {
            conflict.candidate = RemoteRecord(className: object.className, objectId: objectId, state: state)
        }
        return conflict
    }

    /// The resolved or the open conflicts, newest first.
    /// - Parameters:
    ///   - lister: selects the conflicts to list.
    ///   - after: the id of the conflict that the list follows; nil for the newest conflicts.
    ///   - max: the maximum number of entries; negative for no limit.
    func list(
        resolved: Bool, after: Int64? = nil, for lister: DecisionLister = .all, max: Int = DecisionLists.entriesMax
    ) throws -> [ListedConflict] {
        try conflicts(where: "(resolution IS NOT NULL) = ? AND id < ?", [resolved, after ?? .max, max], for: lister)
    }

    /// The tag of an open conflict (`ListedConflict.tag`); nil if no open conflict has the id.
    func tag(of id: Int64) throws -> String? {
        try conflicts(where: "resolution IS NULL AND c.id = ?", [id, 1], for: .all).first?.tag
    }

    /// - Parameter values: the values of the condition, and the maximum number of entries.
    private func conflicts(
        where condition: String, _ values: SQLiteBindings, for lister: DecisionLister
    ) throws -> [ListedConflict] {
        let authors = Authors(db: db)
        return try db.rows(
            """
            SELECT id, class, object_id, kind, fields, base, local, remote, found_at, resolution, resolved_at, candidates, (
                SELECT operations FROM outbox o WHERE resolution IS NULL AND o.class = c.class
                    AND o.id = c.object_id AND phase = 'held' AND was_attempted ORDER BY seq LIMIT 1), \(Self.author)
            FROM conflicts c WHERE \(condition) AND (SELECT \(lister.condition) FROM (
                SELECT \(Self.author) AS identity)) ORDER BY id DESC LIMIT ?
            """, values
        ) { row in
            let author = AuthorKey(key: row.integer(13))
            return ListedConflict(
                userId: try lister.showsAuthors ? authors.author(of: author)?.userId : nil, id: row.integer(0),
                className: row.text(1), objectId: row.text(2),
                kind: try .stored(row.text(3), as: "the kind of a conflict"), fields: try row.textsOfJSON(4),
                base: row.textIfAny(5), local: row.textIfAny(6), remote: row.textIfAny(7),
                candidates: try row.textsOfJSON(11), operations: try row.object(12), foundAt: row.date(8),
                resolution: row.textIfAny(9), resolvedAt: row.dateIfAny(10))
        }
    }

    /// The objects with an open conflict.
    func openObjects(of lister: DecisionLister) throws -> [Pointer] {
        try db.rows(
            """
            SELECT DISTINCT class, object_id FROM conflicts c WHERE resolution IS NULL
                AND (SELECT \(lister.condition) FROM (SELECT \(Self.author) AS identity))
            """
        ) { $0.pointer(0) }
    }

    /// An SQL expression for the author of the change in a conflict `c`: for an open conflict as in
    /// `ObjectLife.authorInQuestion`, for a resolved one the stored author.
    static let author = """
        coalesce(
            (SELECT o.identity FROM outbox o WHERE c.kind = 'deletedLocally' AND \(isHeld) AND o.kind = 'delete' LIMIT 1),
            (SELECT o.identity FROM outbox o WHERE \(isHeld) ORDER BY o.seq LIMIT 1), c.identity)
        """

    private static let isHeld =
        "c.resolution IS NULL AND o.class = c.class AND o.id = c.object_id AND o.phase = 'held'"

    func openCount(of lister: DecisionLister = .all) throws -> Int {
        try db.count(
            """
            SELECT count(*) FROM conflicts c WHERE resolution IS NULL
                AND (SELECT \(lister.condition) FROM (SELECT \(Self.author) AS identity))
            """)
    }

    /// The last known remote state of an object that was deleted on the remote; nil if there is none.
    func ancestor(of object: Pointer) throws -> ObjectState? {
        try db.firstRow(
            """
            SELECT base FROM conflicts WHERE class = ? AND object_id = ? AND kind = 'deletedRemotely'
                AND resolution IS NOT NULL AND base IS NOT NULL ORDER BY id DESC LIMIT 1
            """, [object.className, object.objectId]
        ) { try $0.object(0) }?.flatMap(ObjectState.init(json:))
    }

    // MARK: Creates of unknown outcome

    /// The ids of the candidates in open conflicts of a class. A candidate is a remote object that may be the result of
    /// a create of this gateway, although it has another id. The conflicts of all authors count, because all authors
    /// see the same objects.
    func candidates(of className: String) throws -> Set<String> {
        Set(
            try db.texts(
                """
                SELECT json_extract(remote, '$.objectId') FROM conflicts
                WHERE class = ? AND kind = 'ambiguousCreate' AND resolution IS NULL AND remote IS NOT NULL
                    AND json_extract(remote, '$.objectId') <> object_id
                """, [className]))
    }

    /// Stores the changed row of a candidate as the remote state of all open conflicts that show this candidate. A
    /// candidate is a remote object that may be the result of a create.
    func updateCandidate(_ record: RemoteRecord) throws {
        try db.run(
            """
            UPDATE conflicts SET remote = ? WHERE class = ? AND kind = 'ambiguousCreate' AND resolution IS NULL
                AND json_extract(remote, '$.objectId') = ?
            """, [record.jsonText, record.className, record.objectId])
    }

    /// The local objects whose open conflict shows this candidate: a remote object that may be the result of their
    /// create.
    func objects(withCandidate candidate: Pointer) throws -> [Pointer] {
        try db.rows(
            """
            SELECT class, object_id FROM conflicts WHERE class = ?1 AND kind = 'ambiguousCreate' AND resolution IS NULL
                AND json_extract(remote, '$.objectId') = ?2 AND object_id <> ?2
            """, [candidate.className, candidate.objectId]
        ) { $0.pointer(0) }
    }

    /// Classifies remote objects as possible or impossible results of a create.
    /// - Parameter objectIds: the ids of remote objects that were created since the create was sent.
    func standing(of objectIds: [String], for entry: OutboxEntry) throws -> CandidateStanding {
        var refused: Set<String> = []
        var copies: Set<String> = []
        try db.forEachRow(
            """
            SELECT json_extract(remote, '$.objectId'), candidates, resolution FROM conflicts
            WHERE class = ? AND object_id = ? AND identity = ? AND kind = 'ambiguousCreate' AND resolution IS NOT NULL
            """, [entry.className, entry.objectId, entry.step.author.key]
        ) { row in
            if row.text(2) == "sendAgain", let id = row.textIfAny(0) { refused.insert(id) }
            copies.formUnion(try row.textsOfJSON(1))
        }
        copies.formUnion(
            try db.texts(
                """
                SELECT json_extract(remote, '$.objectId') FROM conflicts WHERE class = ?
                    AND kind = 'ambiguousCreate' AND resolution IS NULL AND remote IS NOT NULL AND object_id <> ?
                """, [entry.className, entry.objectId]))
        let aliases = Aliases(db: db)
        let excluded = try objectIds.filter { id in
            if refused.contains(id) { return true }
            guard
                try db.isTrue(
                    "SELECT EXISTS (SELECT 1 FROM objects WHERE class = ? AND id = ?)", [entry.className, id])
            else { return false }
            return try !copies.contains(id)
                || !aliases.all(of: Pointer(className: entry.className, objectId: id)).isEmpty
        }
        return CandidateStanding(excluded: Set(excluded), asked: copies, refused: refused)
    }
}
