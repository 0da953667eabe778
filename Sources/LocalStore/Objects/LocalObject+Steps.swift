import GRDB
import ParseModel
import SyncModel

extension LocalObject {
    /// Adds local work: merged into the last step where that is possible, as a step of its own otherwise.
    mutating func append(_ next: PendingStep, in transaction: StoreTransaction) throws {
        if next.kind == .delete {
            // What a delete follows need not be sent; but a create that may have been executed stays, and so does what is on its way.
            while let last = steps.last?.step, last.kind == .update, !last.phase.isFrozen {
                try dropLastStep(in: transaction)
            }
        }
        switch steps.last.map({ $0.step.coalesced(with: next) }) {
        case .merged(let merged)?:
            // As it is now it was never sent.
            if merged.kind != steps[steps.count - 1].step.kind { steps[steps.count - 1].attempts = 0 }
            steps[steps.count - 1].step = merged
            if merged.phase != .rejected {
                steps[steps.count - 1].code = nil
                steps[steps.count - 1].error = nil
            }
            try saveStep(at: steps.count - 1, in: transaction)
        case .gone?:
            let create = steps[steps.count - 1].step
            try dropLastStep(in: transaction)
            try deleteWhatMayHaveBeenMade(by: create, in: transaction)
        case .separate?, nil: try appendSeparately(next, in: transaction)
        }
    }

    /// Adds local work as a step of its own.
    mutating func appendSeparately(_ next: PendingStep, in transaction: StoreTransaction) throws {
        steps.append(Step(step: next, requestId: transaction.environment.requestId()))
        try saveStep(at: steps.count - 1, in: transaction)
    }

    /// A create is not to be sent any more. Where it was refused, an earlier request of its own may have made the object all
    /// the same: a deletion follows that.
    mutating func deleteWhatMayHaveBeenMade(by create: PendingStep, in transaction: StoreTransaction) throws {
        guard !create.mayBeTaken, try transaction.isUnanswered(className, objectId) else { return }
        let step = PendingStep(
            kind: .delete, operations: FieldOperations(), madeAt: transaction.now, wasAttempted: true)
        steps.append(Step(step: step, requestId: transaction.environment.requestId()))
        try saveStep(at: steps.count - 1, in: transaction)
    }

    /// What was done while a step was on its way, and could not merge into it, may correct it or make it moot.
    mutating func rejoinSteps(after index: Int, in transaction: StoreTransaction) throws {
        let later = steps[(index + 1)...].map(\.step)
        while steps.count > index + 1 { try dropLastStep(in: transaction) }
        for step in later { try append(step, in: transaction) }
        // An open conflict goes on with the refused step in it.
        if later.contains(where: { $0.phase == .held }) { try setPhase(.held, in: transaction) }
    }

    mutating func dropLastStep(in transaction: StoreTransaction) throws {
        try dropStep(at: steps.count - 1, in: transaction)
    }

    mutating func dropStep(at index: Int, in transaction: StoreTransaction) throws {
        let step = steps.remove(at: index)
        if let seq = step.seq { try transaction.execute("DELETE FROM outbox WHERE seq = ?", [seq]) }
    }

    /// The remote's row proves that the step was carried out. Who joined a relation or left it no row tells; so that part
    /// of the step goes out again, which does no harm.
    mutating func dropProvenStep(at index: Int, in transaction: StoreTransaction) throws {
        let relations = steps[index].step.operations.onlyRelations
        guard !relations.isEmpty, steps.last?.step.kind != .delete else {
            try dropStep(at: index, in: transaction)
            return
        }
        steps[index].step.kind = .update
        steps[index].step.operations = relations
        steps[index].step.phase = .pending
        steps[index].step.wasAttempted = false
        steps[index].requestId = transaction.environment.requestId()
        steps[index].attempts = 0
        steps[index].attemptedAt = nil
        steps[index].markedIn = nil
        steps[index].error = nil
        try saveStep(at: index, in: transaction)
    }

    mutating func dropAllSteps(in transaction: StoreTransaction) throws {
        while !steps.isEmpty { try dropLastStep(in: transaction) }
    }

    /// Withdraws the deletion. Changes that were made here before it stay.
    mutating func dropDeletion(in transaction: StoreTransaction) throws {
        for index in steps.indices.reversed() where steps[index].step.kind == .delete {
            try dropStep(at: index, in: transaction)
        }
    }

    /// A write that was made on an older state of an object which the remote does not have is given up. The object stays as it
    /// was before that write.
    /// - Parameter kept: the object as it was; nil where that is not known.
    mutating func dropSteps(after kept: ObjectState?, in transaction: StoreTransaction) throws {
        while steps.count > 1 {
            let present = Replay.view(base: base, steps: steps.map(\.step), className: className)
            if present?.fields == kept?.fields { return }
            try dropLastStep(in: transaction)
        }
    }

    /// The column `may_be_taken`: the sum of 1 for `mayBeTaken`, 2 for `isCorrected`, and 4 for `isMadeAgain`.
    private static func takenBits(of step: PendingStep) -> Int {
        (step.mayBeTaken ? 1 : 0) | (step.isCorrected ? 2 : 0) | (step.isMadeAgain ? 4 : 0)
    }

    mutating func saveStep(at index: Int, in transaction: StoreTransaction) throws {
        let step = steps[index]
        let values: SQLiteBindings = [
            objectId, step.step.kind.rawValue, step.step.operations.json.jsonText, step.step.phase.rawValue,
            step.step.editedAt.milliseconds, step.step.wasAttempted, step.attempts, step.attemptedAt?.milliseconds,
            step.code, step.error, step.requestId, step.step.isRest, step.markedIn,
            Self.takenBits(of: step.step),
        ]
        let seq: Int64
        if let known = step.seq {
            seq = known
            try transaction.execute(
                """
                UPDATE outbox SET id = ?, kind = ?, operations = ?, phase = ?, edited_at = ?, was_attempted = ?,
                    attempts = ?, attempted_at = ?, code = ?, error = ?, request_id = ?, is_rest = ?, marked_in = ?,
                    may_be_taken = ? WHERE seq = ?
                """, values + [seq])
            try transaction.execute("DELETE FROM outbox_pointers WHERE seq = ?", [seq])
            try transaction.execute("DELETE FROM outbox_files WHERE seq = ?", [seq])
        } else {
            try transaction.execute(
                """
                INSERT INTO outbox (id, kind, operations, phase, edited_at, was_attempted, attempts, attempted_at, code, error,
                    request_id, is_rest, marked_in, may_be_taken, class, made_at)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, values + [className, step.step.madeAt.milliseconds])
            seq = transaction.db.lastInsertedRowID
            steps[index].seq = seq
        }
        for pointer in step.step.operations.pointers {
            try transaction.execute(
                "INSERT OR IGNORE INTO outbox_pointers (seq, class, id) VALUES (?, ?, ?)",
                [seq, pointer.className, pointer.objectId])
        }
        for file in step.step.operations.files {
            try transaction.execute("INSERT OR IGNORE INTO outbox_files (seq, name) VALUES (?, ?)", [seq, file.name])
        }
    }

    /// Sets the phase of every step that is not frozen.
    /// - Parameter kept: steps of this kind keep their phase.
    mutating func setPhase(
        _ phase: PendingStep.Phase, except kept: PendingStep.Kind? = nil, in transaction: StoreTransaction
    ) throws {
        for index in steps.indices where !steps[index].step.phase.isFrozen && steps[index].step.phase != phase {
            if steps[index].step.kind == kept { continue }
            steps[index].step.phase = phase
            try saveStep(at: index, in: transaction)
        }
    }
}

extension LocalObject.Step {
    static let columns = """
        seq, kind, operations, phase, made_at, edited_at, was_attempted, request_id, attempts, attempted_at, code, error,
        is_rest, marked_in, may_be_taken
        """
    static let columnCount: Int32 = 15

    static func load(_ className: String, _ objectId: String, in db: Database) throws -> [Self] {
        let statement = try db.cachedStatement(
            sql: "SELECT \(columns) FROM outbox WHERE class = ? AND id = ? ORDER BY seq")
        var steps: [Self] = []
        try statement.forEachRow([className, objectId]) { row in
            do {
                steps.append(try Self(row))
            } catch {
                throw StoreError.damaged(className: className, objectId: objectId)
            }
        }
        return steps
    }

    /// - Parameter row: a row of `columns`.
    init(_ row: SQLiteRow) throws {
        guard let kind = PendingStep.Kind(rawValue: row.text(1)),
            let phase = PendingStep.Phase(rawValue: row.text(3)),
            let operations = try JSONReader.read(row.text(2), depthMax: JSONReader.storedDepthMax).object
        else {
            throw StoreError.sqlite(operation: "read the outbox", code: 11, message: "a stored step is not readable")
        }
        let step = PendingStep(
            kind: kind, operations: FieldOperations(stored: operations), phase: phase,
            madeAt: ParseDate(milliseconds: row.integer(4)), editedAt: ParseDate(milliseconds: row.integer(5)),
            wasAttempted: row.bool(6), isRest: row.bool(12), mayBeTaken: row.integer(14) & 1 != 0,
            isCorrected: row.integer(14) & 2 != 0, isMadeAgain: row.integer(14) & 4 != 0)
        self.init(
            seq: row.integer(0), step: step, requestId: row.text(7), attempts: Int(row.integer(8)),
            attemptedAt: row.integerIfAny(9).map(ParseDate.init(milliseconds:)), markedIn: row.textIfAny(13),
            code: row.integerIfAny(10).map { Int($0) }, error: row.textIfAny(11))
    }
}
