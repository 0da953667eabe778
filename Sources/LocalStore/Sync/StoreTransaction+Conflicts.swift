import GRDB
import ParseModel
import StoreService
import SyncModel

/// Conflicts as rows.
extension StoreTransaction {
    func insertConflict(_ record: ConflictRecord, of object: Pointer) throws {
        let text = { (state: ObjectState?, id: String) in state.map { $0.jsonText(objectId: id) } }
        let id = object.objectId
        try execute(
            """
            INSERT INTO conflicts (class, object_id, kind, fields, base, local, remote, found_at, resolution, resolved_at,
                candidates)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                object.className, id, record.kind.rawValue,
                JSONValue.array(record.fields.map(JSONValue.string)).jsonText, text(record.base, id),
                text(record.local, id), text(record.remote, record.remoteId ?? id), now.milliseconds,
                record.resolution?.rawValue, record.resolution == nil ? nil : now.milliseconds,
                record.candidates.isEmpty
                    ? nil : JSONValue.array(record.candidates.map(JSONValue.string)).jsonText,
            ])
        if db.lastInsertedRowID % Self.conflictsPerPruning == 0 { try pruneConflicts() }
    }

    /// How many resolved conflicts are kept, and how often the older ones are dropped.
    private static let resolvedConflictsMax = 10_000
    private static let conflictsPerPruning: Int64 = 500

    private func pruneConflicts() throws {
        try execute(
            """
            DELETE FROM conflicts WHERE resolution IS NOT NULL AND id <= (
                SELECT id FROM conflicts WHERE resolution IS NOT NULL
                ORDER BY id DESC LIMIT 1 OFFSET \(Self.resolvedConflictsMax))
            """)
    }

    /// - Parameter fields: those that are added to the conflict's.
    func updateConflict(of object: Pointer, fields: [String], remote: ObjectState?) throws {
        let added = JSONValue.array(fields.map(JSONValue.string)).jsonText
        try execute(
            """
            UPDATE conflicts SET remote = ?, fields = (
                SELECT json_group_array(DISTINCT value) FROM (
                    SELECT value FROM json_each(fields) UNION ALL SELECT value FROM json_each(?)))
            WHERE class = ? AND object_id = ? AND resolution IS NULL
            """,
            [remote.map { $0.jsonText(objectId: object.objectId) }, added, object.className, object.objectId])
    }

    func closeConflict(of object: Pointer, _ resolution: String) throws {
        try execute(
            """
            UPDATE conflicts SET resolution = ?, resolved_at = ? WHERE class = ? AND object_id = ? AND resolution IS NULL
            """, [resolution, now.milliseconds, object.className, object.objectId])
    }

    // MARK: Second copies

    /// The objects of a class that open conflicts take for another object here.
    func secondCopies(of className: String) throws -> Set<String> {
        let find = try db.cachedStatement(
            sql: """
                SELECT json_extract(remote, '$.objectId') FROM conflicts
                WHERE class = ? AND kind = 'ambiguousCreate' AND resolution IS NULL AND remote IS NOT NULL
                    AND json_extract(remote, '$.objectId') <> object_id
                """)
        return Set(try String.fetchAll(find, arguments: [className]))
    }

    func setSecondCopy(_ className: String, _ objectId: String, isShown: Bool) throws {
        guard var copy = try LocalObject(className, objectId, in: db) else { return }
        if isShown {
            guard copy.life.isSecondCopy, try !secondCopies(of: className).contains(objectId) else { return }
        }
        try receive(.secondCopy(isShown: isShown), &copy)
    }

    /// The row of a hidden copy has changed, and with it the remote state of the conflicts about it.
    func updateConflicts(about record: RemoteRecord) throws {
        try execute(
            """
            UPDATE conflicts SET remote = ? WHERE class = ? AND kind = 'ambiguousCreate' AND resolution IS NULL
                AND json_extract(remote, '$.objectId') = ?
            """, [record.jsonText, record.className, record.objectId])
    }

    /// Other objects' conflicts show this object, which is not theirs: their creates are looked for anew.
    func reopenConflicts(about object: Pointer) throws {
        let ids = try String.fetchAll(
            db,
            sql: """
                SELECT object_id FROM conflicts WHERE class = ? AND kind = 'ambiguousCreate' AND resolution IS NULL
                    AND json_extract(remote, '$.objectId') = ? AND object_id <> ?
                """, arguments: [object.className, object.objectId, object.objectId])
        for id in ids { _ = try receive(.candidateTaken, object.className, id) }
    }
}

extension OpenConflict {
    /// The latest open conflict of an object.
    /// - Returns: nil where there is none.
    init?(of object: Pointer, in db: Database) throws {
        let find = try db.cachedStatement(
            sql: """
                SELECT kind, remote FROM conflicts WHERE class = ? AND object_id = ? AND resolution IS NULL
                ORDER BY id DESC LIMIT 1
                """)
        let found = try find.firstRow([object.className, object.objectId]) { ($0.text(0), $0.textIfAny(1)) }
        guard let (name, text) = found else { return nil }
        self.init(kind: try .stored(name, as: "the kind of a conflict"))
        guard let json = try text.map({ try JSONReader.read($0, depthMax: JSONReader.storedDepthMax) })?.object,
            let objectId = json["objectId"]?.string, let state = ObjectState(json: json)
        else { return }
        candidate = RemoteRecord(className: object.className, objectId: objectId, state: state)
    }
}
