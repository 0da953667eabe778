import GRDB
import ParseModel
import StoreService
import SyncModel

/// Reads and writes steps (local changes that the remote has not acknowledged) as rows of the table `outbox`.
extension ObjectLife.Step {
    static let columns = """
        seq, kind, operations, phase, made_at, edited_at, was_attempted, request_id, attempts, attempted_at, code, error,
        is_rest, marked_in, may_be_taken, identity
        """
    static let columnCount: Int32 = 16

    static func load(_ className: String, _ objectId: String, in db: Database) throws -> [Self] {
        try db.rows(
            "SELECT \(columns) FROM outbox WHERE class = ? AND id = ? ORDER BY seq", [className, objectId]
        ) { row in
            do {
                return try Self(row)
            } catch {
                throw StoreError.damaged(className: className, objectId: objectId)
            }
        }
    }

    /// - Parameter row: a row with the `columns` of the outbox.
    init(_ row: SQLiteRow) throws {
        guard let kind = PendingStep.Kind(rawValue: row.text(1)),
            let phase = PendingStep.Phase(rawValue: row.text(3)),
            let operations = try row.object(2)
        else {
            throw StoreError.database(operation: "read the outbox", reason: "a stored step is not readable (SQLite 11)")
        }
        let step = PendingStep(
            kind: kind, by: AuthorKey(key: row.integer(15)), operations: FieldOperations(stored: operations),
            phase: phase, madeAt: row.date(4), editedAt: row.date(5), wasAttempted: row.bool(6),
            isDeferredUpdate: row.bool(12), idMayBeTaken: row.integer(14) & 1 != 0,
            isCorrected: row.integer(14) & 2 != 0, isRecreate: row.integer(14) & 4 != 0,
            isSentOnce: row.integer(14) & 8 != 0, restoration: Self.restoration(row.integer(14)))
        self.init(
            seq: row.integer(0), step: step, requestId: row.text(7), attempts: Int(row.integer(8)),
            attemptedAt: row.dateIfAny(9), markedIn: row.textIfAny(13),
            code: row.integerIfAny(10).map { Int($0) }, error: row.textIfAny(11))
    }

    /// The column `may_be_taken`: the sum of 1 for `idMayBeTaken`, 2 for `isCorrected`, 4 for `isRecreate`, 8 for
    /// `isSentOnce`, and `restoredFirst` or `restoredLater` for the step of a restored backup.
    private var takenBits: Int {
        (step.idMayBeTaken ? 1 : 0) | (step.isCorrected ? 2 : 0) | (step.isRecreate ? 4 : 0)
            | (step.isSentOnce ? 8 : 0) | restorationBits
    }

    static let restoredFirst = 16
    static let restoredLater = 32

    private var restorationBits: Int {
        switch step.restoration {
        case .none: 0
        case .first: Self.restoredFirst
        case .later: Self.restoredLater
        }
    }

    private static func restoration(_ bits: Int64) -> PendingStep.Restoration {
        if bits & Int64(restoredFirst) != 0 { return .first }
        return bits & Int64(restoredLater) != 0 ? .later : .none
    }

    /// Writes the change (step), and the list of objects and files that its operations name.
    /// - Parameter idFields: the fields of the class whose strings are ids of objects; nil if the operations have not
    ///   changed since the step was stored.
    /// - Returns: the sequence number of the step.
    func save(of object: Pointer, idFields: IdFields?, in db: Database) throws -> Int64 {
        let values: SQLiteBindings = [
            object.objectId, step.kind.rawValue, step.operations.json.jsonText, step.phase.rawValue,
            step.editedAt.milliseconds, step.wasAttempted, attempts, attemptedAt?.milliseconds, code, error, requestId,
            step.isDeferredUpdate, markedIn, takenBits,
        ]
        if let seq {
            try db.run(
                """
                UPDATE outbox SET id = ?, kind = ?, operations = ?, phase = ?, edited_at = ?, was_attempted = ?,
                    attempts = ?, attempted_at = ?, code = ?, error = ?, request_id = ?, is_rest = ?, marked_in = ?,
                    may_be_taken = ? WHERE seq = ?
                """, values + [seq])
            guard idFields != nil else { return seq }
            try db.run("DELETE FROM outbox_pointers WHERE seq = ?", [seq])
            try db.run("DELETE FROM outbox_files WHERE seq = ?", [seq])
        } else {
            try db.run(
                """
                INSERT INTO outbox (id, kind, operations, phase, edited_at, was_attempted, attempts, attempted_at, code, error,
                    request_id, is_rest, marked_in, may_be_taken, class, made_at, identity)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, values + [object.className, step.madeAt.milliseconds, step.author.key])
        }
        let number = seq ?? db.lastInsertedRowID
        for pointer in step.operations.pointers {
            try db.run(
                "INSERT OR IGNORE INTO outbox_pointers (seq, class, id) VALUES (?, ?, ?)",
                [number, pointer.className, pointer.objectId])
        }
        if let idFields { try saveIds(in: idFields, number, in: db) }
        for file in step.operations.files {
            try db.run(
                "INSERT OR IGNORE INTO outbox_files (seq, name) VALUES (?, ?)", [number, file.name])
        }
        return number
    }

    /// Adds the objects whose ids are in strings of the change to the list of objects that the change names. Only
    /// objects with a pending create are added, because the ids of other objects cannot change.
    /// - Parameter seq: the sequence number of the change.
    func saveIds(in idFields: IdFields, _ seq: Int64, in db: Database) throws {
        guard !idFields.isEmpty else { return }
        for pointer in Set(idFields.pointers(in: step.operations)) {
            try db.run(
                """
                INSERT OR IGNORE INTO outbox_pointers (seq, class, id) SELECT ?1, ?2, ?3
                WHERE EXISTS (SELECT 1 FROM outbox WHERE class = ?2 AND id = ?3 AND kind = 'create')
                """, [seq, pointer.className, pointer.objectId])
        }
    }
}
