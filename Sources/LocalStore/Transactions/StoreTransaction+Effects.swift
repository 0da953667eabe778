import GRDB
import ParseModel
import SyncModel

/// Performs the effects of events: changes of the object itself, of other objects and of tables.
extension StoreTransaction {
    private var conflicts: ConflictTable { ConflictTable(db: db) }

    /// Performs the effects of an event on the object, and saves the object. `performAfterSaving` then performs the
    /// effects that need the saved row.
    func perform(_ effects: [LifeEffect], on object: inout LocalObject) throws {
        var pointer = Pointer(className: object.life.className, objectId: object.storedId)
        for effect in effects {
            switch effect {
            case .conflictFound(let record): try conflicts.insert(record, of: pointer, now: now)
            case .conflictChanged(let fields, let remote):
                try conflicts.update(of: pointer, fields: fields, remote: remote)
            case .conflictClosed(let resolution): try conflicts.close(of: pointer, resolution, now: now)
            case .candidateChanged(let record): try conflicts.updateCandidate(record)
            case .absorbed(let objectId): try absorb(objectId, into: &object, storedAs: pointer.objectId)
            case .renamed(_, let new):
                try rename(pointer, to: new)
                pointer = Pointer(className: pointer.className, objectId: new)
            case .copyHidden(let objectId): try receive(.secondCopy(isShown: false), pointer.className, objectId)
            case .copyShown(let objectId): try showCandidate(pointer.className, objectId)
            case .candidateTaken:
                // Closes the open conflicts of other local objects that show this object as a candidate (possible
                // result of their create). The next sync searches for other candidates.
                for other in try conflicts.objects(withCandidate: pointer) { try receive(.candidateTaken, other) }
            case .rowChanged(let record): try noteChange(of: record)
            case .membersChanged(let operations):
                try RelationMembers(db: db).changeBase(of: pointer, by: operations)
            case .unanswered(let since):
                let sender = object.life.steps.first?.step.author ?? author
                try Unanswered(db: db, author: sender).note(pointer, at: since)
            case .mayReappear: try PullTable(db: db, author: author).expectReturn(in: pointer.className)
            case .mayMatchNoPull: try ClassTable(db: db).expectStrays(in: pointer.className)
            case .marksSeen, .markLeft, .fieldsIgnored: break
            }
        }
        // An effect may have changed relation members. So only a change without effects may be saved without the row.
        if effects.isEmpty, try object.saveRequests(in: db) { return }
        try object.save(in: self)
    }

    /// Performs the effects that need the saved row of the object under its present id.
    func performAfterSaving(_ effects: [LifeEffect], on object: LocalObject) throws {
        let (className, objectId) = (object.life.className, object.life.objectId)
        for effect in effects {
            switch effect {
            case .marksSeen(let marks):
                try OperationMarks(db: db).set(marks.compactMap(\.string), of: className, objectId)
            case .markLeft(let mark): try OperationMarks(db: db).add(mark, to: className, objectId)
            case .renamed(let old, let new):
                // Only objects in the outbox can point to the local id, because the remote has never known it.
                let local = Pointer(className: className, objectId: old)
                for other in try OutboxTable(db: db).objects(pointingTo: local) {
                    try receive(
                        .pointerAdopted(from: local, to: Pointer(className: className, objectId: new)), other)
                }
            default: break
            }
        }
    }

    /// Makes a sync read the members of the row's relations again, and records the files in the row.
    /// - Parameter isNew: whether the object was not stored before.
    func noteChange(of record: RemoteRecord, isNew: Bool = false) throws {
        try RelationPulls(db: db, author: author).expect(from: record, isNew: isNew)
        try FileTable(db: db).note(record, now: now)
        sessions.note(record.className, record.objectId)
    }

    /// Merges two stored copies of one object: the row that a pull has stored under the remote's id, and `object`,
    /// which was created here and still has its local id.
    private func absorb(_ objectId: String, into object: inout LocalObject, storedAs localId: String) throws {
        let className = object.life.className
        guard var pulled = try LocalObject(className, objectId, in: db) else { return }
        object.takeSteps(from: &pulled)
        pulled.life.base = nil
        pulled.life.view = nil
        try RelationMembers(db: db).move(className, from: objectId, to: localId)
        // The merged object gets the remote's id, and stays a member of the pulls that have read its row. Their cursors are past
        // the row, so no later pull would make the object a member again.
        let memberships = try PullMembership.all(of: className, objectId, in: db)
        try pulled.save(in: self)
        for membership in memberships { try membership.restore(in: db) }
    }

    /// Gives the object the remote's id. The local id becomes an alias, by which clients can still find the object.
    private func rename(_ local: Pointer, to remoteId: String) throws {
        try RelationMembers(db: db).move(local.className, from: local.objectId, to: remoteId)
        try Unanswered(db: db, author: author).rename(local, to: remoteId)
        try Aliases(db: db).rename(local, to: remoteId)
        try conflicts.rename(local, to: remoteId)
    }

    /// Makes a former candidate (possible result of a create) visible to clients again, unless another open conflict
    /// shows the same candidate.
    private func showCandidate(_ className: String, _ objectId: String) throws {
        guard var copy = try LocalObject(className, objectId, in: db), copy.life.isSecondCopy,
            try !conflicts.candidates(of: className).contains(objectId)
        else { return }
        try receive(.secondCopy(isShown: true), &copy)
    }
}
