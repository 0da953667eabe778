import GRDB
import ParseModel
import SyncModel

/// Taking in what became of requests.
extension StoreTransaction {
    /// Marks the step as in flight. Local work from now on becomes a step of its own.
    /// - Returns: the entry as it is on disk now; nil where it no longer waits to be sent, or was changed since it was read:
    ///   it may point to something else now, and has to be planned anew.
    func freeze(_ entry: OutboxEntry, at serverTime: ParseDate) throws -> OutboxEntry? {
        guard var object = try LocalObject(entry.className, entry.objectId, in: db),
            let first = object.steps.first, first.seq == entry.id, first.step.phase == .pending,
            first.step.kind == entry.step.kind, first.step.operations == entry.step.operations
        else { return nil }
        object.steps[0].step.phase = .inFlight
        object.steps[0].step.wasAttempted = true
        object.steps[0].markedIn = entry.markedIn
        object.steps[0].attempts += 1
        object.steps[0].attemptedAt = object.steps[0].attemptedAt ?? serverTime
        try object.saveStep(at: 0, in: self)
        return OutboxEntry(
            object.steps[0], of: object, awaits: entry.awaits, unansweredAt: entry.unansweredAt,
            ownMarks: entry.ownMarks)
    }

    /// - Parameter rebase: for what others have made of an object whose request becomes a question.
    func settle(_ entry: OutboxEntry, _ settlement: Settlement, rebase: Rebase) throws {
        guard var object = try LocalObject(entry.className, entry.objectId, in: db),
            let index = object.steps.firstIndex(where: { $0.seq == entry.id })
        else { return }
        try expectStrays(in: entry.className)
        switch settlement {
        case .acknowledged(let acknowledgement):
            try acknowledge(&object, at: index, acknowledgement)
            return
        case .moot(let record): try dropMootStep(of: &object, at: index, record)
        case .proven(let found):
            let record = try keptFields(of: object.className).withoutMarks(found)
            let step = object.steps[index].step
            try object.dropProvenStep(at: index, in: self)
            object.base = Self.state(proven: step, on: object.base, by: record)
            object.baseIsProvisional = false
            object.isOurs = true
            if record.objectId != object.objectId { try adopt(record.objectId, by: &object) }
            try noteNews(of: record)
        case .madeByOthers(let record):
            // A step that was changed after the look is planned anew.
            guard object.steps[index].step.operations == entry.step.operations, !object.steps[index].step.phase.isFrozen
            else { return }
            try takeOver(&object, at: index, record, rebase)
        case .deletionDone:
            try object.dropAllSteps(in: self)
            object.base = nil
        case .notExecuted(let wasAttempted, let error):
            object.steps[index].step.phase = .pending
            object.steps[index].step.wasAttempted = wasAttempted
            object.steps[index].attempts -= 1
            object.steps[index].requestId = environment.requestId()
            if !wasAttempted { object.steps[index].attemptedAt = nil }
            object.steps[index].error = error
            object.steps[index].code = nil
            try object.saveStep(at: index, in: self)
        case .sendAgain:
            object.steps[index].step.phase = .pending
            // A server that remembers request ids burnt this one, whatever became of the request.
            object.steps[index].requestId = environment.requestId()
            try object.saveStep(at: index, in: self)
        case .unknown(let reason, let endedAt, let code):
            object.steps[index].step.phase = .unknown
            object.steps[index].error = reason
            object.steps[index].code = code
            if let endedAt {
                try noteUnanswered(Pointer(className: object.className, objectId: object.objectId), at: endedAt)
            }
            try object.saveStep(at: index, in: self)
        case .rejected(let code, let message, let wasAttempted):
            object.steps[index].step.phase = .rejected
            object.steps[index].step.wasAttempted = wasAttempted
            object.steps[index].code = code
            object.steps[index].error = message
            try object.saveStep(at: index, in: self)
            try object.rejoinSteps(after: index, in: self)
        // The object was deleted here after the engine had read the step.
        case .conflict(.wasThisApplied, let record, _) where object.steps.last?.step.kind == .delete:
            try dropMootStep(of: &object, at: index, record)
        case .conflict(let kind, let remote, let others):
            try hold(&object, at: index, kind, remote: remote, others: others, rebase)
        }
        object.replay()
        try object.save(in: self)
    }

    /// The object was deleted here after the request, and the deletion does away with what that has done. A row that the request
    /// alone explains is not another client's edit.
    /// - Parameter found: the row as it is now; nil where it cannot be read.
    private func dropMootStep(of object: inout LocalObject, at index: Int, _ found: RemoteRecord?) throws {
        let step = object.steps[index].step
        try object.dropStep(at: index, in: self)
        guard let found else { return }
        // Ids of operations and fields that are not kept here are no edits.
        let record = try keptFields(of: object.className).restricted(found, in: db)
        let applied = Replay.view(base: object.base, steps: [step], className: object.className)
        guard [object.base?.fields, applied?.fields].contains(record.fields) else { return }
        object.base = record.state
        object.baseIsProvisional = false
        try noteNews(of: record)
    }

    /// A request on the object may arrive for a while after this, however long its answer was waited for.
    func noteUnanswered(_ object: Pointer, at endedAt: ParseDate) throws {
        try execute(
            "INSERT OR REPLACE INTO unanswered (class, id, ended_at) VALUES (?, ?, ?)",
            [object.className, object.objectId, endedAt.milliseconds])
        // No request is on its way for so long.
        try execute("DELETE FROM unanswered WHERE ended_at < ?", [endedAt.milliseconds - 86_400_000])
    }

    func isUnanswered(_ className: String, _ objectId: String) throws -> Bool {
        let find = try db.cachedStatement(sql: "SELECT 1 FROM unanswered WHERE class = ? AND id = ?")
        return try Int.fetchOne(find, arguments: [className, objectId]) != nil
    }

    /// The base becomes what the remote said; what it did not say is taken from what was sent, until the row is pulled.
    func acknowledge(
        _ object: inout LocalObject, at index: Int, _ acknowledgement: Acknowledgement
    ) throws {
        let step = object.steps[index].step
        let markedIn = object.steps[index].markedIn
        let mark = try sentMark(of: object.steps[index])
        try object.dropStep(at: index, in: self)
        if step.kind == .delete {
            object.base = nil
        } else {
            let opField = try markedIn ?? classOptions(of: object.className).opField
            var base = Replay.view(base: object.base, steps: [step], className: object.className)
            if step.kind == .create { base?.createdAt = acknowledgement.createdAt ?? step.madeAt }
            if let updatedAt = acknowledgement.updatedAt ?? acknowledgement.createdAt { base?.updatedAt = updatedAt }
            base?.version = acknowledgement.version
            for (field, value) in acknowledgement.echoed where field != opField {
                base?.fields[field] = value.isNull ? nil : value
            }
            if let marks = opField.flatMap({ acknowledgement.echoed[$0]?.array }) {
                try noteMarks(marks, of: object.className, object.objectId)
            } else if let mark {
                let known = try ownMarks(of: object.className, object.objectId)
                try noteMarks((known + [mark]).map(JSONValue.string), of: object.className, object.objectId)
            }
            object.base = base
            object.baseStanding =
                step.kind == .create ? .unshown : object.baseIsProvisional ? object.baseStanding : .acknowledged
            object.isOurs = true
            if acknowledgement.objectId != object.objectId { try adopt(acknowledgement.objectId, by: &object) }
            try changeBaseMembers(of: object, by: step.operations)
        }
        object.replay()
        try object.save(in: self)
    }

    /// What a request has made of an object. What others have made of it since, the row has besides: that is news.
    static func state(
        proven step: PendingStep, on base: ObjectState?, by record: RemoteRecord
    ) -> ObjectState {
        let isUntouched = step.kind == .create && record.updatedAt == record.createdAt
        guard !isUntouched, var state = Replay.view(base: base, steps: [step], className: record.className) else {
            return record.state
        }
        state.createdAt = record.createdAt
        state.updatedAt = base?.updatedAt ?? record.createdAt
        state.version = base?.version
        // How the server has carried out an operation, only the row tells.
        for field in step.operations.fields where step.operations[field]?.isIdempotent == false {
            state.fields[field] = record.fields[field]
        }
        return state
    }

    /// The remote chose another id: the local one stays an alias for ever, and pointers to it are rewritten
    /// wherever they wait to be sent. Nothing else can hold one, since the remote has never heard of it.
    /// - Parameter keepsBase: whether the object's base stays as it is, also where a pull has brought the row.
    func adopt(_ remoteId: String, by object: inout LocalObject, keepsBase: Bool = false) throws {
        let local = Pointer(className: object.className, objectId: object.objectId)
        let remote = Pointer(className: object.className, objectId: remoteId)
        if var pulled = try LocalObject(object.className, remoteId, in: db) {
            // A pull was faster and has brought the row under its own id, by which it may have been edited.
            if let base = pulled.base, !keepsBase {
                try recordOverwriting(by: object, on: base)
                object.base = base
                if !pulled.baseIsProvisional { object.baseStanding = .acknowledged }
            }
            object.steps = (object.steps + pulled.steps).sorted { ($0.seq ?? 0) < ($1.seq ?? 0) }
            // Deleted under the one id and edited under the other since: whoever edits an object keeps it.
            let edited = object.steps.lastIndex { $0.step.kind == .update } ?? 0
            for index in object.steps[..<edited].indices.reversed()
            where object.steps[index].step.kind == .delete && !object.steps[index].step.phase.isFrozen {
                try object.dropStep(at: index, in: self)
            }
            pulled.steps = []
            pulled.base = nil
            pulled.view = nil
            try moveRelations(of: object.className, from: remoteId, to: object.objectId)
            try pulled.save(in: self)
        }
        try moveRelations(of: object.className, from: object.objectId, to: remoteId)
        try object.adopt(remoteId, in: self)
        for index in object.steps.indices {
            object.steps[index].step.operations = object.steps[index].step.operations
                .replacingPointers { $0 == local ? remote : $0 }
            try object.saveStep(at: index, in: self)
        }
        if let base = object.base { object.base?.fields = Self.replacing(local, by: remote, in: base.fields) }
        try execute(
            "UPDATE aliases SET id = ? WHERE class = ? AND id = ?", [remoteId, local.className, local.objectId])
        try execute(
            """
            INSERT INTO unanswered (class, id, ended_at) SELECT class, ?, ended_at FROM unanswered WHERE class = ? AND id = ?
            ON CONFLICT (class, id) DO UPDATE SET ended_at = max(ended_at, excluded.ended_at)
            """, [remoteId, local.className, local.objectId])
        try execute("DELETE FROM unanswered WHERE class = ? AND id = ?", [local.className, local.objectId])
        try execute(
            "INSERT OR REPLACE INTO aliases (class, alias, id) VALUES (?, ?, ?)",
            [local.className, local.objectId, remoteId])
        try execute(
            "UPDATE conflicts SET object_id = ? WHERE class = ? AND object_id = ?",
            [remoteId, local.className, local.objectId])
        try rewritePointers(from: local, to: remote)
    }

    /// The row has moved on under its own id while work was done here under the local one. That work goes on top, and what it
    /// replaces stands in the record.
    private func recordOverwriting(by object: LocalObject, on base: ObjectState) throws {
        guard let known = object.base else { return }
        let local = Replay.view(base: known, steps: object.steps.map(\.step), className: object.className)
        let set = Set(object.steps.flatMap(\.step.operations.fields))
        let fields = set.filter {
            known.fields[$0] != base.fields[$0] && local?.fields[$0] != base.fields[$0]
        }.sorted()
        guard !fields.isEmpty else { return }
        try recordConflict(
            .fields, of: object, fields: fields, base: known, local: local, remote: base, resolution: "local")
    }

    private static func replacing(_ old: Pointer, by new: Pointer, in fields: JSONObject) -> JSONObject {
        JSONValue.object(fields).replacingPointers { $0 == old ? new : $0 }.object ?? fields
    }

    private func rewritePointers(from local: Pointer, to remote: Pointer) throws {
        let find = try db.cachedStatement(
            sql: """
                SELECT DISTINCT o.class, o.id FROM outbox_pointers p JOIN outbox o ON o.seq = p.seq
                WHERE p.class = ? AND p.id = ? ORDER BY o.seq
                """)
        for row in try Row.fetchAll(find, arguments: [local.className, local.objectId]) {
            guard var holder = try LocalObject(row[0], row[1], in: db) else { continue }
            for index in holder.steps.indices {
                holder.steps[index].step.operations = holder.steps[index].step.operations
                    .replacingPointers { $0 == local ? remote : $0 }
                try holder.saveStep(at: index, in: self)
            }
            holder.replay()
            try holder.save(in: self)
        }
    }

    /// Splits a create that is part of a cycle of pointers: made without the named fields, which an update then sets.
    func split(_ entry: OutboxEntry, deferring fields: [String]) throws {
        guard var object = try LocalObject(entry.className, entry.objectId, in: db),
            object.steps.first?.seq == entry.id, object.steps[0].step.kind == .create,
            object.steps[0].step.phase == .pending
        else { return }
        var rest = FieldOperations()
        for field in fields {
            rest[field] = object.steps[0].step.operations[field]
            object.steps[0].step.operations[field] = nil
        }
        guard !rest.isEmpty else { return }
        try object.saveStep(at: 0, in: self)
        // Later steps keep their place behind the new one: it gets the next number, and so do they.
        let later = object.steps.dropFirst()
        while object.steps.count > 1 { try object.dropLastStep(in: self) }
        let step = PendingStep(
            kind: .update, operations: rest, madeAt: object.steps[0].step.editedAt, isRest: true)
        object.steps.append(LocalObject.Step(step: step, requestId: environment.requestId()))
        for var moved in later {
            moved.seq = nil
            object.steps.append(moved)
        }
        for index in object.steps.indices.dropFirst() { try object.saveStep(at: index, in: self) }
        object.replay()
        try object.save(in: self)
    }
}

extension OutboxEntry {
    /// - Parameter step: a saved step of `object`.
    init(
        _ step: LocalObject.Step, of object: LocalObject, awaits: Set<Pointer>, unansweredAt: ParseDate?,
        ownMarks: [String]
    ) {
        self.init(
            id: step.seq ?? 0, className: object.className, objectId: object.objectId, step: step.step,
            requestId: step.requestId, attempts: step.attempts, attemptedAt: step.attemptedAt,
            unansweredAt: unansweredAt, base: object.base, awaits: awaits,
            isFollowedByDelete: step.step.kind != .delete && object.steps.last?.step.kind == .delete,
            isHidden: object.isHidden, isUnshown: object.isUnshown, markedIn: step.markedIn,
            failure: step.code.map { RemoteFailure(code: $0, message: step.error ?? "") }, ownMarks: ownMarks)
    }
}
