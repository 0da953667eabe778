import GRDB
import ParseModel
import SyncModel

/// Questions about requests of our own: they open where the remote cannot prove the outcome, and a person answers them.
extension StoreTransaction {
    /// Opens a question about one request.
    /// - Parameter others: ids of further objects that a create may have made.
    func hold(
        _ object: inout LocalObject, at index: Int, _ kind: ConflictKind, remote: RemoteRecord?,
        others: [String] = [], _ rebase: Rebase
    ) throws {
        let base = object.base
        // The comparison is with what the request would have made of the object.
        let local = Replay.view(base: base, steps: [object.steps[index].step], className: object.className)
        let fields = object.steps[index].step.operations.fields
        object.steps[index].step.phase = .held
        // The remote may have the object: later work does not merge into its create.
        if kind == .ambiguousCreate { object.steps[index].step.wasAttempted = true }
        try object.saveStep(at: index, in: self)
        // An object that was deleted here stays deleted: a held deletion would show it again.
        try object.setPhase(.held, except: .delete, in: self)
        let row = try remote.map { try keptFields(of: object.className).restricted($0, in: db) }
        try recordConflict(
            kind, of: object, fields: fields, base: base, local: local, remote: row?.state, remoteId: row?.objectId,
            candidates: others)
        guard let row else { return }
        guard row.objectId == object.objectId else { return try hideSecondCopy(of: object.className, row.objectId) }
        try settleBesideTheQuestion(&object, row, News(remote: row.state, base: base, local: object.view), rebase)
        object.base = row.state
        try noteNews(of: row)
    }

    /// The object's create, as a row under its id is judged by; nil where its first step is none.
    func sentCreate(of object: LocalObject) throws -> SentCreate? {
        guard let first = object.steps.first, first.step.kind == .create else { return nil }
        let id = try sentMark(of: first)
        let mark = first.markedIn.flatMap { field in id.map { SentCreate.Mark(field: field, id: $0) } }
        return SentCreate(
            className: object.className, step: first.step, attemptedAt: first.attemptedAt, mark: mark)
    }

    /// The id of the operation that the step's latest request has left behind; nil where it has left none.
    func sentMark(of step: LocalObject.Step) throws -> String? {
        guard step.markedIn != nil, let seq = step.seq else { return nil }
        return try Meta.value(of: "replica_id", in: db).map { OutboxEntry.mark(replicaId: $0, seq: seq) }
    }

    // MARK: The second copy

    /// The objects of a class that open questions take for another object here.
    func secondCopies(of className: String) throws -> Set<String> {
        let find = try db.cachedStatement(
            sql: """
                SELECT json_extract(remote, '$.objectId') FROM conflicts
                WHERE class = ? AND kind = 'ambiguousCreate' AND resolution IS NULL AND remote IS NOT NULL
                    AND json_extract(remote, '$.objectId') <> object_id
                """)
        return Set(try String.fetchAll(find, arguments: [className]))
    }

    /// Until the question is answered, the object would stand in lists twice, and two edits of it would not meet.
    private func hideSecondCopy(of className: String, _ objectId: String) throws {
        guard var copy = try LocalObject(className, objectId, in: db), copy.steps.isEmpty, copy.base != nil else {
            return
        }
        copy.isSecondCopy = true
        copy.replay()
        try copy.save(in: self)
    }

    /// The object is none that was made here, or the question about it is over.
    func showSecondCopy(of record: RemoteRecord) throws {
        guard var copy = try LocalObject(record.className, record.objectId, in: db), copy.isSecondCopy,
            try !secondCopies(of: record.className).contains(record.objectId)
        else { return }
        copy.isSecondCopy = false
        copy.replay()
        try copy.save(in: self)
    }

    /// The row of a hidden copy has changed: so has what the question shows.
    func updateQuestions(about record: RemoteRecord) throws {
        try execute(
            """
            UPDATE conflicts SET remote = ? WHERE class = ? AND kind = 'ambiguousCreate' AND resolution IS NULL
                AND json_extract(remote, '$.objectId') = ?
            """, [record.jsonText, record.className, record.objectId])
    }

    /// The remote object that an open conflict takes for ours.
    func openCandidate(of object: LocalObject) throws -> RemoteRecord? {
        let text = try String.fetchOne(
            db,
            sql: """
                SELECT remote FROM conflicts WHERE class = ? AND object_id = ? AND resolution IS NULL ORDER BY id DESC
                """, arguments: [object.className, object.objectId])
        guard let json = try text.map({ try JSONReader.read($0, depthMax: JSONReader.storedDepthMax) })?.object,
            let objectId = json["objectId"]?.string, let state = ObjectState(json: json)
        else { return nil }
        return RemoteRecord(className: object.className, objectId: objectId, state: state)
    }

    // MARK: Answers about a create

    /// - Parameters:
    ///   - keep: `applied` or `sendAgain`; nil means `applied`.
    ///   - fields: may name the remote's object by its `objectId`.
    func answer(_ object: inout LocalObject, keep: String?, fields: JSONObject?, _ rebase: Rebase) throws {
        let candidate = try openCandidate(of: object)
        try closeConflicts(of: &object, resolution: keep ?? "object", showsCopy: false)
        guard let index = object.steps.firstIndex(where: { $0.step.kind == .create }) else { return }
        switch keep ?? "applied" {
        case "applied":
            try takeForMade(&object, at: index, candidate, as: fields?["objectId"]?.string, rebase)
        case "sendAgain": try takeForUnmade(&object, at: index, candidate)
        default: throw ConflictKind.ambiguousCreate.refusal(of: keep)
        }
    }

    /// The create was not carried out, or the object that the question shows is another one.
    private func takeForUnmade(_ object: inout LocalObject, at index: Int, _ candidate: RemoteRecord?) throws {
        if let candidate, candidate.objectId != object.objectId {
            try showSecondCopy(of: candidate)
            if object.steps[index].isUnsentRemake {
                if object.steps.last?.step.kind == .delete { return try object.dropAllSteps(in: self) }
                object.steps[index].step.wasAttempted = false
            } else {
                // There may be other candidates: the next proof looks for them before anything is sent.
                object.steps[index].step.phase = .unknown
            }
            return try object.saveStep(at: index, in: self)
        }
        // Nothing of a new object is left to send after its deletion.
        if object.steps.last?.step.kind == .delete { return try object.dropAllSteps(in: self) }
        guard candidate != nil else { return }
        object.steps[index].step.wasAttempted = false
        object.steps[index].attempts = 0
        object.steps[index].attemptedAt = nil
        object.steps[index].markedIn = nil
        try object.saveStep(at: index, in: self)
        try adoptCreate(in: &object, .foreign)
    }

    /// The create was carried out: its object is the one that the conflict shows, or the one that is named.
    /// - Parameter named: an object of the remote; the object's own id may merely have been read.
    private func takeForMade(
        _ object: inout LocalObject, at index: Int, _ candidate: RemoteRecord?, as named: String?, _ rebase: Rebase
    ) throws {
        let isOwnId = named == object.objectId
        if let candidate, named == nil || isOwnId || named == candidate.objectId {
            return try bind(&object, at: index, to: candidate, rebase)
        }
        if let candidate { try showSecondCopy(of: candidate) }
        let acceptsChosenIds = try Meta.value(of: "accepts_chosen_ids", in: db).map { $0 == "1" }
        let remoteId = isOwnId || named == nil ? (acceptsChosenIds ?? isOwnId ? object.objectId : nil) : named
        guard let remoteId else {
            throw ParseError(
                .invalidQuery,
                #"the remote's object cannot be read: "applied" needs its id, as {"object": {"objectId": …}}"#)
        }
        if !isOwnId, let known = try LocalObject(object.className, remoteId, in: db)?.base {
            let record = RemoteRecord(className: object.className, objectId: remoteId, state: known)
            return try bind(&object, at: index, to: record, rebase)
        }
        guard isOwnId || named == nil ? true : try mayBeThere(remoteId, of: object.className) else {
            throw ParseError(.objectNotFound, "no object \(remoteId) of \(object.className) is known here")
        }
        try expectStrays(in: object.className)
        // What was sent is all that is known of it.
        try acknowledge(
            &object, at: index,
            Acknowledgement(objectId: remoteId, createdAt: nil, updatedAt: nil, echoed: JSONObject()))
    }

    /// What a class that is pulled whole has not brought, the remote does not have.
    private func mayBeThere(_ objectId: String, of className: String) throws -> Bool {
        let isAllKnown =
            try pulls(of: className).contains { $0.isWholeClass }
            && Bool.fetchOne(
                db, sql: "SELECT max(complete_since) IS NOT NULL FROM pulls WHERE class = ?", arguments: [className])
                ?? false
        let isKnown = try Bool.fetchOne(
            db, sql: "SELECT EXISTS (SELECT 1 FROM objects WHERE class = ? AND id = ?)",
            arguments: [className, objectId])
        return !isAllKnown || isKnown == true
    }

    /// The remote's object is this one. The create is taken for done, and what others have made of the object since meets
    /// what was done here since, by the class's policy.
    private func bind(_ object: inout LocalObject, at index: Int, to record: RemoteRecord, _ rebase: Rebase) throws {
        let step = object.steps[index].step
        let isOwnId = record.objectId == object.objectId
        let copy = isOwnId ? object : try LocalObject(object.className, record.objectId, in: db)
        let row =
            copy?.base.map { RemoteRecord(className: record.className, objectId: record.objectId, state: $0) } ?? record
        if object.steps[index].isUnsentRemake {
            try takeOver(&object, at: index, row, rebase)
            return try proveAgain(besides: object)
        }
        try object.dropProvenStep(at: index, in: self)
        object.base = Self.state(proven: step, on: nil, by: row)
        object.baseIsProvisional = false
        if !isOwnId { try adopt(row.objectId, by: &object, keepsBase: copy?.steps.isEmpty ?? true) }
        object.replay()
        try object.save(in: self)
        try noteNews(of: row)
        _ = try apply([.upsert(row)], of: row.className, rebase: rebase)
        object = try LocalObject(row.className, row.objectId, in: db) ?? object
        // It may have changed since the conflict was found.
        object.baseIsProvisional = true
        try proveAgain(besides: object)
    }

    /// Other questions have shown the same object: it is not theirs, and their creates are looked for anew.
    private func proveAgain(besides object: LocalObject) throws {
        let ids = try String.fetchAll(
            db,
            sql: """
                SELECT object_id FROM conflicts WHERE class = ? AND kind = 'ambiguousCreate' AND resolution IS NULL
                    AND json_extract(remote, '$.objectId') = ? AND object_id <> ?
                """, arguments: [object.className, object.objectId, object.objectId])
        for id in ids {
            guard var other = try LocalObject(object.className, id, in: db),
                let index = other.steps.firstIndex(where: { $0.step.kind == .create })
            else { continue }
            try closeConflicts(of: &other, resolution: "superseded", showsCopy: false)
            other.steps[index].step.phase = .unknown
            try other.saveStep(at: index, in: self)
            other.replay()
            try other.save(in: self)
        }
    }
}
