import GRDB
import ParseModel
import RemoteService

/// Taking in what the remote has.
extension StoreTransaction {
    func apply(_ changes: [RemoteChange], of className: String, rebase: Rebase) throws -> PullTally {
        var tally = PullTally()
        for change in changes {
            switch change {
            case .upsert(let record): tally += try take(record, rebase: rebase)
            case .tombstone(_, let objectId, _): tally += try takeAbsence(of: objectId, in: className, rebase: rebase)
            }
        }
        return tally
    }

    /// Moves the class's cursor, in the same transaction as the rows that it speaks of.
    func moveCursor(of className: String, to cursor: PullCursor?, began: ParseDate, isLast: Bool) throws {
        let times = isLast ? "complete_since = ?, pull_began = NULL" : "pull_began = coalesce(pull_began, ?)"
        try execute(
            "UPDATE classes SET cursor = coalesce(?, cursor), \(times) WHERE name = ?",
            [cursor?.text, began.milliseconds, className])
    }

    /// A row as the remote has it now. Most objects have no pending work: for them the row is the view.
    private func take(_ record: RemoteRecord, rebase: Rebase) throws -> PullTally {
        var tally = PullTally()
        let state = ObjectState(createdAt: record.createdAt, updatedAt: record.updatedAt, fields: record.fields)
        let text = state.json(objectId: record.objectId).jsonText
        let find = try db.cachedStatement(
            sql: """
                SELECT pk, view, is_provisional, state, base_kind FROM objects WHERE class = ? AND id = ?
                """)
        guard let row = try Row.fetchOne(find, arguments: [record.className, record.objectId]) else {
            try execute(
                """
                INSERT INTO objects (class, id, view, created_at, updated_at, base_kind) VALUES (?, ?, ?, ?, ?, 1)
                """,
                [
                    record.className, record.objectId, text, record.createdAt.milliseconds,
                    record.updatedAt.milliseconds,
                ])
            try appendChange(record.className, record.objectId, .create)
            tally.upserted = 1
            return tally
        }
        let isSynced = row[3] as Int == SyncState.synced.rawValue && row[4] as Int == 1
        guard isSynced else { return try rebaseObject(record.objectId, of: record.className, on: record, rebase) }
        if row[1] as String? == text {
            if row[2] as Bool { try execute("UPDATE objects SET is_provisional = 0 WHERE pk = ?", [row[0] as Int64]) }
            tally.unchanged = 1
            return tally
        }
        try execute(
            """
            UPDATE objects SET view = ?, created_at = ?, updated_at = ?, is_provisional = 0 WHERE pk = ?
            """, [text, record.createdAt.milliseconds, record.updatedAt.milliseconds, row[0] as Int64])
        try appendChange(record.className, record.objectId, .update)
        tally.upserted = 1
        return tally
    }

    /// The object is not on the remote.
    func takeAbsence(of objectId: String, in className: String, rebase: Rebase) throws -> PullTally {
        try rebaseObject(objectId, of: className, on: nil, rebase)
    }

    private func rebaseObject(
        _ objectId: String, of className: String, on record: RemoteRecord?, _ rebase: Rebase
    ) throws -> PullTally {
        var tally = PullTally()
        guard var object = try LocalObject(className, objectId, in: db) else { return tally }
        let remote = record.map {
            ObjectState(createdAt: $0.createdAt, updatedAt: $0.updatedAt, fields: $0.fields)
        }
        let base = object.base
        let local = object.view
        switch try action(for: object, record, rebase) {
        case .keep: return tally
        case .remove:
            try closeConflicts(of: &object, resolution: "remote")
            try object.dropAllSteps(in: self)
            object.base = nil
            tally.removed = 1
        case .replay(let overridden):
            // News that leave nothing to decide close what was open, unless that is about a request of ours.
            if try !isHeldByOwnRequest(object) { try closeConflicts(of: &object, resolution: "superseded") }
            object.base = remote
            try adoptCreate(in: &object)
            if base == remote { tally.unchanged = 1 } else { tally.upserted = 1 }
            if !overridden.isEmpty {
                tally.settled = 1
                try recordConflict(
                    .fields, of: object, fields: overridden, base: base, local: local, remote: remote,
                    resolution: "local")
            }
        case .openConflict(let kind):
            if let remote { object.base = remote }
            if try openConflictKind(of: object) == kind {
                try updateConflict(of: object, remote: remote)
            } else {
                try closeConflicts(of: &object, resolution: "superseded")
                try object.setPhase(.held, in: self)
                try recordConflict(kind, of: object, fields: [], base: base, local: local, remote: remote)
                tally.conflicts = 1
            }
        }
        object.baseIsProvisional = false
        object.replay()
        try object.save(in: self)
        return tally
    }

    private func action(
        for object: LocalObject, _ record: RemoteRecord?, _ rebase: Rebase
    ) throws -> RebaseAction {
        if object.steps.isEmpty { return record == nil ? .remove : .replay(overridden: []) }
        if try isHeldByOwnRequest(object) { return record == nil ? .keep : .replay(overridden: []) }
        let situation = ObjectSituation(
            className: object.className, objectId: object.objectId, base: object.base,
            baseIsProvisional: object.baseIsProvisional, steps: object.steps.map(\.step),
            openConflict: try openConflictKind(of: object))
        return rebase(situation, record)
    }

    /// A row for an object that waits to be created: a create that was sent has arrived, and is done. One that was not
    /// (the object is made again after a removal, and somebody else was faster) goes on as an update.
    private func adoptCreate(in object: inout LocalObject) throws {
        guard object.base != nil, let create = object.steps.first?.step, create.kind == .create else { return }
        if create.wasAttempted {
            try object.dropStep(at: 0, in: self)
        } else {
            object.steps[0].step.kind = .update
            try object.saveStep(at: 0, in: self)
        }
    }
}
