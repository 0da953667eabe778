import GRDB
import ParseModel
import StoreService
import SyncModel

/// The way of an event: the context is loaded, the object takes the event, its effects are performed, and it is saved.
extension StoreTransaction {
    /// - Throws: `LifeError` or `ParseError` where the object refuses the event, `StoreError`.
    @discardableResult
    func receive(_ event: LifeEvent, _ object: inout LocalObject) throws -> LifeOutcome {
        let before = object.life
        let outcome = try object.life.receive(event, context(of: event, for: before))
        store.audit?(before, object.life, event)
        guard !outcome.effects.isEmpty || object.life != before else { return outcome }
        try perform(outcome.effects, on: &object)
        try performAfterSaving(outcome.effects, on: object)
        return outcome
    }

    /// The event of an object that may not be here.
    /// - Returns: the figures; nothing where there is no such object.
    func receive(_ event: LifeEvent, _ className: String, _ objectId: String) throws -> PullTally {
        guard var object = try LocalObject(className, objectId, in: db) else { return PullTally() }
        return try receive(event, &object).tally
    }

    // MARK: Context

    private func context(of event: LifeEvent, for life: ObjectLife) throws -> LifeContext {
        let environment = environment
        var context = LifeContext(now: now) { environment.requestId() }
        context.rebase = store.rebase
        switch event {
        case .created, .edited(_, stale: nil), .chosen, .split, .fileAdopted, .pointerAdopted, .secondCopy,
            .candidateTaken,
            .purged:
            return context
        default: break
        }
        if life.steps.first?.step.kind == .create {
            context.isUnanswered = try isUnanswered(life.className, life.objectId)
        }
        if case .deleted(stale: nil) = event { return context }
        context.options = try classOptions(of: life.className)
        if life.steps.contains(where: { $0.markedIn != nil }) {
            context.replicaId = try Meta.value(of: "replica_id", in: db)
        }
        try loadRowContext(&context, event, life)
        return context
    }

    /// The facts that events about rows and decisions need.
    private func loadRowContext(_ context: inout LifeContext, _ event: LifeEvent, _ life: ObjectLife) throws {
        let otherId = life.otherId(in: event)
        if let otherId { context.other = try LocalObject(life.className, otherId, in: db)?.life }
        switch event {
        case .settled(_, .proven), .settled(_, .moot), .settled(_, .conflict), .settled(_, .recreatedElsewhere),
            .decided,
            .row,
            .setAgain:
            context.keptFields = try keptFields(of: life.className).keys(of: otherId ?? life.objectId, in: db)
        default: break
        }
        switch event {
        case .settled(_, .recreatedElsewhere): context.ancestor = try ancestor(of: life.pointer)
        case .decided where life.conflict?.kind == .ambiguousCreate:
            context.ancestor = try ancestor(of: life.pointer)
            context.acceptsChosenIds = try Meta.value(of: "accepts_chosen_ids", in: db).map { $0 == "1" }
            if let otherId { context.otherIsUnknown = try !mayBeThere(otherId, of: life.className) }
        case .absent, .decided, .createdAgain, .setAgain: context.members = try additionOfMembers(of: life)
        default: break
        }
    }

    /// The object as the remote had it when it was last known to be there; nil where that is not kept.
    func ancestor(of object: Pointer) throws -> ObjectState? {
        try Self.ancestor(object.className, object.objectId, in: db)
    }

    static func ancestor(_ className: String, _ objectId: String, in db: Database) throws -> ObjectState? {
        let text = try String.fetchOne(
            db,
            sql: """
                SELECT base FROM conflicts WHERE class = ? AND object_id = ? AND kind = 'deletedRemotely'
                    AND resolution IS NOT NULL AND base IS NOT NULL ORDER BY id DESC LIMIT 1
                """, arguments: [className, objectId])
        return try text.flatMap { try JSONReader.read($0, depthMax: JSONReader.storedDepthMax).object }
            .flatMap(ObjectState.init(json:))
    }

    /// Whether the remote may have an object. A class that was pulled whole has brought all of them.
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

    // MARK: Effects

    /// Performs the effects, and saves the object.
    private func perform(_ effects: [LifeEffect], on object: inout LocalObject) throws {
        var pointer = Pointer(className: object.life.className, objectId: object.storedId)
        for effect in effects {
            switch effect {
            case .conflictFound(let record): try insertConflict(record, of: pointer)
            case .conflictChanged(let fields, let remote):
                try updateConflict(of: pointer, fields: fields, remote: remote)
            case .conflictClosed(let resolution): try closeConflict(of: pointer, resolution)
            case .candidateChanged(let record): try updateConflicts(about: record)
            case .absorbed(let objectId): try absorb(objectId, into: &object, storedAs: pointer.objectId)
            case .renamed(_, let new):
                try rename(pointer, to: new)
                pointer = Pointer(className: pointer.className, objectId: new)
            case .copyHidden(let objectId): try setSecondCopy(pointer.className, objectId, isShown: false)
            case .copyShown(let objectId): try setSecondCopy(pointer.className, objectId, isShown: true)
            case .candidateTaken: try reopenConflicts(about: pointer)
            case .rowChanged(let record): try noteChange(of: record)
            case .membersChanged(let operations): try changeBaseMembers(of: pointer, by: operations)
            case .unanswered(let since): try noteUnanswered(pointer, at: since)
            case .mayReappear: try expectReturn(in: pointer.className)
            case .mayMatchNoPull: try expectStrays(in: pointer.className)
            case .marksSeen, .markLeft, .fieldsIgnored: break
            }
        }
        try object.save(in: self)
    }

    /// Effects on rows that are there under the object's present id only after it is saved.
    private func performAfterSaving(_ effects: [LifeEffect], on object: LocalObject) throws {
        let (className, objectId) = (object.life.className, object.life.objectId)
        for effect in effects {
            switch effect {
            case .marksSeen(let marks): try noteMarks(marks, of: className, objectId)
            case .markLeft(let mark):
                let known = try ownMarks(of: className, objectId)
                try noteMarks((known + [mark]).map(JSONValue.string), of: className, objectId)
            case .renamed(let old, let new):
                try rewritePointers(
                    from: Pointer(className: className, objectId: old), to: Pointer(className: className, objectId: new)
                )
            default: break
            }
        }
    }
}
