import GRDB
import ParseModel
import StoreService
import SyncModel

/// A stored object in memory. `life` is its present state, which events change. The other properties describe its last
/// saved state, and `save` writes the difference.
struct LocalObject {
    var life: ObjectLife
    private var stored: Row?
    private var storedText: String?
    /// The last saved state, possibly with an earlier id; nil for a new or damaged object.
    private var saved: ObjectLife?
    /// The id under which the object is stored. It differs from `life.objectId` after a change of the id, until `save`.
    private(set) var storedId: String
    private var storedSteps: [ObjectLife.Step] = []
    /// The version number of the last content that clients saw (`ContentMark`); 0 if clients never saw the object.
    private var contentNumber: Int64 = 0
    /// For a role: a comparison of users' roles before and after the change, which `save` finishes. Nil before
    /// `watchRoles` was called, and for objects of other classes.
    private var recordRoles: RoleChange?

    /// The columns of the object's row that `save` needs, except the text of the view.
    private struct Row {
        let key: Int64
        let lasting: Lasting
        let isShown: Bool
    }

    /// The value of the row's column `acl`; 0 for an object without a row.
    var storedACL: Int64 { stored?.lasting.acl ?? 0 }

    /// The version of the content that clients see, from which the entity tag of the object is made.
    var contentMark: ContentMark { ContentMark(key: stored?.key ?? 0, number: contentNumber) }

    /// The numbers that the row adds to its class's counts of objects on the remote (`bases`) and of visible objects
    /// (`views`).
    private var counts: (bases: Int, views: Int) {
        stored.map { ($0.lasting.baseKind > 0 ? 1 : 0, $0.isShown ? 1 : 0) } ?? (0, 0)
    }

    /// Columns that rarely change and are part of indexes.
    private struct Lasting: Equatable {
        let objectId: String
        let createdAt: Int64
        let baseKind: Int64
        let acl: Int64
    }

    /// Makes a new object that is not in the file.
    init(className: String, objectId: String) {
        life = ObjectLife(className: className, objectId: objectId)
        storedId = objectId
    }

    // MARK: Loading

    private static let byId = """
        SELECT pk, view, base_kind, base, base_standing, version, created_at, is_ours, provisional_as, acl, withheld,
            \(ContentMark.column)
        FROM objects WHERE class = ? AND id = ?
        """

    init?(_ className: String, _ objectId: String, in db: Database) throws {
        var damaged: Set<String> = []
        let object: Self? = try db.firstRow(
            Self.byId, [className, objectId]
        ) { row in
            let state = { (text: String, column: String) in
                let state = Self.state(text)
                if state == nil { damaged.insert(column) }
                return state
            }
            var object = Self(className: className, objectId: objectId)
            object.storedText = row.textIfAny(1)
            object.stored = Row(
                key: row.integer(0),
                lasting: Lasting(
                    objectId: objectId, createdAt: row.integer(6), baseKind: row.integer(2), acl: row.integer(9)),
                isShown: object.storedText != nil)
            object.life.view = object.storedText.flatMap { state($0, "view") }
            switch row.integer(2) {
            case 1: object.life.base = object.life.view
            case 2: object.life.base = row.textIfAny(3).flatMap { state($0, "base") }
            default: object.life.base = nil
            }
            object.life.baseStanding = try .stored(row.integer(4), as: "the standing of a base")
            object.life.wasAcknowledged = row.bool(7)
            object.life.isWithheld = row.bool(10)
            object.contentNumber = row.integer(11)
            if object.life.baseStanding != .shown { object.life.provisionalAs = AuthorKey(key: row.integer(8)) }
            if object.life.base != nil {
                object.life.base?.version = row.textIfAny(5)
                object.life.view?.version = object.life.base?.version
            }
            return object
        }
        guard let object else { return nil }
        self = object
        life.steps = try ObjectLife.Step.load(className, objectId, in: db)
        storedSteps = life.steps
        if !damaged.isEmpty { try mend(damaged) }
        life.isSecondCopy = storedText == nil && life.base != nil && life.steps.isEmpty && !life.isWithheld
        if life.state == .conflict { life.conflict = try ConflictTable(db: db).open(of: life.pointer) }
        if damaged.isEmpty { saved = life }
    }

    /// Rebuilds an unreadable view: applies the pending changes to the last known remote state.
    /// - Parameter damaged: the names of the unreadable columns.
    /// - Throws: `StoreError.damaged` if the view cannot be rebuilt.
    private mutating func mend(_ damaged: Set<String>) throws {
        let isBase = stored?.lasting.baseKind == 1
        if damaged == ["view"], !isBase, !life.steps.isEmpty { life.replay() }
        guard damaged == ["view"], life.view != nil else {
            throw StoreError.damaged(className: life.className, objectId: life.objectId)
        }
    }

    /// Loads a damaged object in order to delete it, without its states and pending changes.
    /// - Returns: nil if no row has the id.
    init?(damaged className: String, _ objectId: String, in db: Database) throws {
        let object: Self? = try db.firstRow(
            "SELECT pk, view, base_kind, created_at, acl FROM objects WHERE class = ? AND id = ?",
            [className, objectId]
        ) { row in
            var object = Self(className: className, objectId: objectId)
            object.storedText = row.textIfAny(1)
            object.stored = Row(
                key: row.integer(0),
                lasting: Lasting(
                    objectId: objectId, createdAt: row.integer(3), baseKind: row.integer(2), acl: row.integer(4)),
                isShown: object.storedText != nil)
            return object
        }
        guard let object else { return nil }
        self = object
    }

    /// The state in a JSON text; nil if the text is not the JSON of an object.
    private static func state(_ text: String) -> ObjectState? {
        (try? JSONReader.read(text, depthMax: JSONReader.storedDepthMax).object).flatMap { ObjectState(json: $0) }
    }

    // MARK: Saving

    /// Writes the object, and adds an entry to the change feed if clients see a change. Deletes the row of an object
    /// that has no view, no remote state and no pending change.
    mutating func save(in transaction: StoreTransaction) throws {
        if life.objectId != storedId { try leaveStoredId(in: transaction) }
        distinguishUpdate(now: transaction.now)
        try saveSteps(in: transaction.db, idFields: life.steps.isEmpty ? nil : transaction.idFields(of: life.className))
        let text = life.view.map { $0.jsonText(objectId: life.objectId) }
        let db = transaction.db
        let members = RelationMembers(db: db)
        try watchRoles(in: transaction)
        let membersChanged = try members.replay(life)
        let countsBefore = counts
        let isGone = life.view == nil && life.isOver
        let acl = isGone ? 0 : try acl(in: transaction)
        try noteChange(to: text, acl: acl, membersChanged: membersChanged, in: transaction)
        if isGone {
            try members.drop(life.className, life.objectId)
            if let stored {
                try db.run("DELETE FROM objects WHERE pk = ?", [stored.key])
                try db.run("DELETE FROM pull_members WHERE class = ? AND id = ?", [life.className, life.objectId])
                if life.className == "_User", transaction.access.isEnforced {
                    try KnownUserTable(db: db).noteRemoval(of: life.objectId)
                }
            }
            stored = nil
        } else {
            try saveRow(text: text, acl: acl, in: db)
        }
        try ClassCounts(db: db).add(
            life.className, bases: counts.bases - countsBefore.bases, views: counts.views - countsBefore.views)
        // Users can also gain or lose roles if the role appears or disappears, here or on the remote, or if a change of
        // the role is rejected or gets into a conflict.
        let isOther =
            (storedText == nil) != (text == nil) || counts.bases != countsBefore.bases || saved?.state != life.state
        try recordRoles?.finish(isCertain: membersChanged || isOther)
        recordRoles = nil
        transaction.sessions.note(life.className, life.objectId)
        transaction.objects.removeAtCommit(life.className, storedId)
        if life.objectId != storedId { transaction.objects.removeAtCommit(life.className, life.objectId) }
        if let storedText, storedText != text { transaction.past.note(life.className, life.objectId, storedText) }
        storedText = text
        saved = life
        storedId = life.objectId
    }

    /// The number of the ACL that decides about the rights on the object, for the column `acl`.
    private func acl(in transaction: StoreTransaction) throws -> Int64 {
        let shown = life.isWithheld ? life.base : life.view
        let rights = transaction.access.isEnforced ? life.rightsState : shown
        return try transaction.access.acls.key(of: rights?.fields["ACL"], in: transaction.db)
    }

    /// Adds an entry to the change feed if clients see the change. If the content has changed, the number of this entry
    /// becomes a part of the content's version number.
    /// - Parameters:
    ///   - text: the text of the view.
    ///   - acl: the number of the ACL that decides about the rights on the object.
    private mutating func noteChange(
        to text: String?, acl: Int64, membersChanged: Bool, in transaction: StoreTransaction
    ) throws {
        // A change of relation members or of the ACL can leave the text of the view unchanged. The change feed then
        // gets an update, too.
        let isSame = !membersChanged && acl == storedACL
        guard let kind = Self.change(from: storedText, to: text) ?? (isSame || text == nil ? nil : .update) else {
            return
        }
        let rights = EntryRights(
            acls: storedACL, acl, views: storedText, text, pointers: try transaction.pointersOfReads(of: life.className)
        )
        let entry = try ChangeFeed(db: transaction.db)
            .append(life.className, life.objectId, kind, now: transaction.now, rights, before: storedText)
        if try storedText != text && changesContent(in: transaction) {
            contentNumber = ContentMark.number(ofEntry: entry, at: transaction.now)
        }
    }

    /// Whether the content that clients see differs from the content that they saw last. If the object was withheld
    /// from clients, they last saw the content from before.
    private func changesContent(in transaction: StoreTransaction) throws -> Bool {
        guard let view = life.view else { return false }
        guard contentNumber != 0, var last = saved else { return true }
        if last.isWithheld {
            last.isWithheld = false
            last.replay()
        }
        guard let before = last.view else { return true }
        let content = StableContent(className: life.className, in: transaction)
        return try !content.isSame(before.fields, view.fields)
    }

    /// For a role: reads the roles of the users whom a change may affect. `save` reads them again, and records the
    /// difference in the change feed. `save` also calls this method, so an earlier call is needed only before a change
    /// of the role's members or of its open conflict.
    /// - Parameter list: the new members of a relation of the role; nil for another change.
    mutating func watchRoles(in transaction: StoreTransaction, replacing list: BaseMembers? = nil) throws {
        guard recordRoles == nil else { return }
        recordRoles = try transaction.ways.watchRoles(RightsChanges(transaction), life, storedId, list)
    }

    /// Writes only the pending changes of the object, if just the state of their requests has changed. Clients do not
    /// see this state, so the row and the change feed stay unchanged. This saves an eighth of the time of a push.
    /// - Returns: whether the object is saved; false if more has changed.
    mutating func saveRequests(in db: Database) throws -> Bool {
        guard changesOnlyRequests else { return false }
        try saveSteps(in: db, idFields: nil)
        saved = life
        return true
    }

    private var changesOnlyRequests: Bool {
        // A rejection or a conflict also changes the rights on the object, so the row must be written.
        guard let saved, stored != nil, life.steps.count == saved.steps.count, life.state == saved.state,
            life.state != .conflict, life.state != .rejected
        else { return false }
        var unsent = life
        for (place, before) in saved.steps.enumerated() {
            unsent.steps[place].step.phase = before.step.phase
            unsent.steps[place].step.wasAttempted = before.step.wasAttempted
            guard unsent.steps[place].step == before.step else { return false }
            unsent.steps[place] = before
        }
        return unsent == saved
    }

    /// Records in the change feed that an object has a new id: adds a deletion of the object with its earlier id.
    /// `save` then adds a creation of the object with the new id.
    private mutating func leaveStoredId(in transaction: StoreTransaction) throws {
        guard let storedText else { return }
        let rights = EntryRights(
            acls: storedACL, 0, views: storedText, nil, pointers: try transaction.pointersOfReads(of: life.className))
        try ChangeFeed(db: transaction.db)
            .append(life.className, storedId, .delete, now: transaction.now, rights, before: storedText)
        transaction.past.note(life.className, life.objectId, storedText)
        self.storedText = nil
    }

    /// Gives an unsent create or update a later timestamp, if the view has changed since it was last saved but its
    /// `updatedAt` has not.
    private mutating func distinguishUpdate(now: ParseDate) {
        guard let known = saved?.view else { return }
        life.distinguish(from: known, now: now)
    }

    /// Writes the row of the object.
    /// - Parameter acl: the value for the column `acl`.
    private mutating func saveRow(text: String?, acl: Int64, in db: Database) throws {
        let (base, view) = (life.base, life.view)
        // `PulledPage` writes rows of synced objects whose base is their view without looking for pending changes. A change that is
        // sent once does not show in the state, so the base of its object is stored separately.
        let hasUnshownSteps = life.state == .synced && !life.steps.isEmpty
        let baseKind: Int64 = base == nil ? 0 : base == view && !hasUnshownSteps ? 1 : 2
        let baseText = baseKind == 2 ? base?.jsonText(objectId: life.objectId) : nil
        let dates = view ?? base
        let lasting = Lasting(
            objectId: life.objectId, createdAt: dates?.createdAt.milliseconds ?? 0, baseKind: baseKind,
            acl: acl)
        let values: SQLiteBindings = [
            text, dates?.updatedAt.milliseconds ?? 0, baseText, life.baseStanding.rawValue, life.state.rawValue,
            base?.version, life.wasAcknowledged, life.provisionalAs?.key ?? 0, life.isWithheld, contentNumber,
        ]
        let lastingValues: SQLiteBindings = [
            lasting.objectId, lasting.createdAt, lasting.baseKind, lasting.acl,
        ]
        guard let stored else {
            try db.run(
                """
                INSERT INTO objects (view, updated_at, base, base_standing, state, version, is_ours, provisional_as,
                    withheld, content_mark, id, created_at, base_kind, acl, class)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, values + lastingValues + [life.className])
            self.stored = Row(key: db.lastInsertedRowID, lasting: lasting, isShown: text != nil)
            return
        }
        let changes =
            """
            view = ?, updated_at = ?, base = ?, base_standing = ?, state = ?, version = ?, is_ours = ?, provisional_as = ?, \
            withheld = ?, content_mark = ?
            """
        // If a statement sets an indexed column, even to its present value, SQLite rewrites the index entries. That took an
        // eighth of the time of an update.
        if lasting == stored.lasting {
            try db.run("UPDATE objects SET \(changes) WHERE pk = ?", values + [stored.key])
        } else {
            try db.run(
                "UPDATE objects SET \(changes), id = ?, created_at = ?, base_kind = ?, acl = ? WHERE pk = ?",
                values + lastingValues + [stored.key])
        }
        self.stored = Row(key: stored.key, lasting: lasting, isShown: text != nil)
    }

    private static func change(from old: String?, to new: String?) -> ChangeEntry.Kind? {
        switch (old, new) {
        case (nil, nil): nil
        case (nil, _): .create
        case (_, nil): .delete
        default: old == new ? nil : .update
        }
    }

    // MARK: Steps

    /// Writes new and changed steps (local changes that the remote has not acknowledged), and deletes the rows of
    /// dropped steps.
    /// - Parameter idFields: the fields of the class whose strings are ids of objects; nil if no operation of a step
    ///   has changed.
    private mutating func saveSteps(in db: Database, idFields: IdFields?) throws {
        let isRenamed = life.objectId != storedId
        if storedSteps.isEmpty, life.steps.isEmpty { return }
        let kept = Set(life.steps.compactMap(\.seq))
        for case let seq? in storedSteps.map(\.seq) where !kept.contains(seq) {
            try db.run("DELETE FROM outbox WHERE seq = ?", [seq])
        }
        for index in life.steps.indices {
            let step = life.steps[index]
            let isStored = step.seq != nil && storedSteps.contains(step)
            if isStored, !isRenamed { continue }
            life.steps[index].seq = try step.save(of: life.pointer, idFields: idFields, in: db)
        }
        storedSteps = life.steps
    }

    /// Takes over the stored pending changes of another object that was merged into this one.
    mutating func takeSteps(from other: inout LocalObject) {
        storedSteps += other.storedSteps
        other.storedSteps = []
        other.life.steps = []
    }
}
