import GRDB
import ParseModel
import SyncModel

/// One object with all that is kept of it: view, base, and the pending steps between them.
struct LocalObject {
    let className: String
    var objectId: String
    /// The remote's last known state; always nil in a standalone store.
    var base: ObjectState?
    var baseStanding = BaseStanding.shown
    /// The remote has acknowledged a request of this gateway on the object.
    var isOurs = false
    var steps: [Step] = []
    /// A question is open whether the object is another one, which was made here: it is kept and not shown.
    var isSecondCopy = false
    var view: ObjectState?
    private var stored: Row?
    private var storedText: String?
    /// The view that clients know, under the present id or an earlier one.
    private var knownText: String?

    /// What lies in the file besides the texts.
    private struct Row {
        let key: Int64
        let lasting: Lasting
        let isShown: Bool
    }

    /// The row's share in the counts of its class.
    private var counts: (bases: Int, views: Int) {
        stored.map { ($0.lasting.baseKind > 0 ? 1 : 0, $0.isShown ? 1 : 0) } ?? (0, 0)
    }

    /// What most changes of an object leave as it is, and indexes are made of.
    private struct Lasting: Equatable {
        let objectId: String
        let createdAt: Int64
        let baseKind: Int64
    }

    /// A pending step as it lies in the outbox.
    struct Step {
        /// Nil until it is saved.
        var seq: Int64?
        var step: PendingStep
        var requestId: String
        var attempts = 0
        /// Server time of the first attempt.
        var attemptedAt: ParseDate?
        /// The field in which the latest request left an id behind.
        var markedIn: String?
        var code: Int?
        var error: String?
    }

    init(className: String, objectId: String) {
        self.className = className
        self.objectId = objectId
    }

    /// The state that the page and the `_sync` member show.
    var state: SyncState {
        if steps.contains(where: { $0.step.phase == .held }) { return .conflict }
        if steps.contains(where: { $0.step.phase == .rejected }) { return .rejected }
        guard let last = steps.last else { return .synced }
        if last.step.kind == .delete { return .deleted }
        return steps.contains { $0.step.kind == .create } ? .created : .updated
    }

    /// The base comes from an acknowledgement; the next pulled row replaces it.
    var baseIsProvisional: Bool {
        get { baseStanding != .shown }
        set {
            if !newValue { baseStanding = .shown } else if baseStanding == .shown { baseStanding = .acknowledged }
        }
    }

    /// The remote has acknowledged the create and has never shown the object.
    var isUnshown: Bool { baseStanding.rawValue >= BaseStanding.unshown.rawValue }

    /// The remote is not expected to show the object: it never has, or the latest acknowledged change sent an ACL that keeps
    /// the object from the public.
    var isHidden: Bool {
        if isUnshown { return true }
        guard baseIsProvisional, let acl = base?.fields["ACL"]?.object else { return false }
        return acl["*"]?.object?["read"] != true
    }

    /// Restores the law of every object: the view is the pending steps replayed over the base. A second copy has none.
    mutating func replay() {
        let isHidden = isSecondCopy && steps.isEmpty
        view = isHidden ? nil : Replay.view(base: base, steps: steps.map(\.step), className: className)
    }

    // MARK: Loading

    init?(_ className: String, _ objectId: String, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT pk, view, base_kind, base, is_provisional, version, created_at, is_ours FROM objects
                WHERE class = ? AND id = ?
                """)
        var damaged: Set<String> = []
        let object: Self? = try statement.firstRow([className, objectId]) { row in
            let state = { (text: String, column: String) in
                let state = Self.state(text)
                if state == nil { damaged.insert(column) }
                return state
            }
            var object = Self(className: className, objectId: objectId)
            object.storedText = row.textIfAny(1)
            object.knownText = object.storedText
            object.stored = Row(
                key: row.integer(0),
                lasting: Lasting(objectId: objectId, createdAt: row.integer(6), baseKind: row.integer(2)),
                isShown: object.storedText != nil)
            object.view = object.storedText.flatMap { state($0, "view") }
            switch row.integer(2) {
            case 1: object.base = object.view
            case 2: object.base = row.textIfAny(3).flatMap { state($0, "base") }
            default: object.base = nil
            }
            object.baseStanding = BaseStanding(rawValue: row.integer(4)) ?? .acknowledged
            object.isOurs = row.bool(7)
            if object.base != nil {
                object.base?.version = row.textIfAny(5)
                object.view?.version = object.base?.version
            }
            return object
        }
        guard let object else { return nil }
        self = object
        steps = try Step.load(className, objectId, in: db)
        if !damaged.isEmpty { try mend(damaged) }
        isSecondCopy = storedText == nil && base != nil && steps.isEmpty
    }

    /// Makes a view anew that cannot be read: it is the pending steps replayed over the base.
    /// - Parameter damaged: the columns that cannot be read.
    private mutating func mend(_ damaged: Set<String>) throws {
        let isBase = stored?.lasting.baseKind == 1
        if damaged == ["view"], !isBase, !steps.isEmpty { replay() }
        guard damaged == ["view"], view != nil else {
            throw StoreError.damaged(className: className, objectId: objectId)
        }
    }

    /// A damaged object as one that is to be deleted: without view, base and steps.
    /// - Returns: nil where there is no such row.
    init?(damaged className: String, _ objectId: String, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: "SELECT pk, view, base_kind, created_at FROM objects WHERE class = ? AND id = ?")
        let object: Self? = try statement.firstRow([className, objectId]) { row in
            var object = Self(className: className, objectId: objectId)
            object.storedText = row.textIfAny(1)
            object.stored = Row(
                key: row.integer(0),
                lasting: Lasting(objectId: objectId, createdAt: row.integer(3), baseKind: row.integer(2)),
                isShown: object.storedText != nil)
            return object
        }
        guard let object else { return nil }
        self = object
    }

    /// - Returns: nil where the text is not an object's JSON.
    private static func state(_ text: String) -> ObjectState? {
        (try? JSONReader.read(text, depthMax: JSONReader.storedDepthMax).object).flatMap { ObjectState(json: $0) }
    }

    // MARK: Saving

    /// Writes the object as it is now and tells the change feed where its view has changed. An object with
    /// neither view, base nor steps leaves no row.
    mutating func save(in transaction: StoreTransaction) throws {
        try tellApart(in: transaction)
        let text = view.map { $0.jsonText(objectId: objectId) }
        let membersChanged = try transaction.replayMembers(of: self)
        let countsBefore = counts
        if view == nil, base == nil, steps.isEmpty {
            try transaction.dropRelations(of: className, objectId)
            if let stored {
                try transaction.execute("DELETE FROM objects WHERE pk = ?", [stored.key])
                try transaction.execute("DELETE FROM pull_members WHERE class = ? AND id = ?", [className, objectId])
            }
            stored = nil
        } else {
            try saveRow(text: text, in: transaction)
        }
        try transaction.count(
            className, bases: counts.bases - countsBefore.bases, views: counts.views - countsBefore.views)
        // What changed may be no more than who belongs to a relation.
        if let kind = Self.change(from: storedText, to: text) ?? (membersChanged && text != nil ? .update : nil) {
            try transaction.appendChange(className, objectId, kind)
        }
        if let storedText, storedText != text { transaction.past.note(className, objectId, storedText) }
        storedText = text
        knownText = text
    }

    /// The view has the time of the work that waits, also where a row or an answer has changed it since: no two states of an
    /// object have one time, so that a write which names a time names a state.
    private mutating func tellApart(in transaction: StoreTransaction) throws {
        guard let view, let knownText, let last = steps.lastIndex(where: { $0.step.kind != .delete }),
            steps[last].step.editedAt == view.updatedAt,
            knownText.utf8.firstRange(of: "\"updatedAt\":\"\(view.updatedAt.iso)\"".utf8) != nil,
            let known = Self.state(knownText), known.updatedAt == view.updatedAt, known.fields != view.fields
        else { return }
        steps[last].step.editedAt = max(transaction.now, view.updatedAt + .milliseconds(1))
        try saveStep(at: last, in: transaction)
        replay()
    }

    private mutating func saveRow(text: String?, in transaction: StoreTransaction) throws {
        let baseKind: Int64 = base == nil ? 0 : base == view ? 1 : 2
        let baseText = baseKind == 2 ? base?.jsonText(objectId: objectId) : nil
        let dates = view ?? base
        let lasting = Lasting(
            objectId: objectId, createdAt: dates?.createdAt.milliseconds ?? 0, baseKind: baseKind)
        let values: SQLiteBindings = [
            text, dates?.updatedAt.milliseconds ?? 0, baseText, baseStanding.rawValue, state.rawValue, base?.version,
            isOurs,
        ]
        let lastingValues: SQLiteBindings = [lasting.objectId, lasting.createdAt, lasting.baseKind]
        guard let stored else {
            try transaction.execute(
                """
                INSERT INTO objects (view, updated_at, base, is_provisional, state, version, is_ours, id, created_at, base_kind,
                    class)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, values + lastingValues + [className])
            self.stored = Row(key: transaction.db.lastInsertedRowID, lasting: lasting, isShown: text != nil)
            return
        }
        let changes = "view = ?, updated_at = ?, base = ?, is_provisional = ?, state = ?, version = ?, is_ours = ?"
        // SQLite takes the entry of an index out and in again where a column of it is set, be it to what it is: an eighth of
        // an update.
        if lasting == stored.lasting {
            try transaction.execute("UPDATE objects SET \(changes) WHERE pk = ?", values + [stored.key])
        } else {
            try transaction.execute(
                "UPDATE objects SET \(changes), id = ?, created_at = ?, base_kind = ? WHERE pk = ?",
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

    /// Gives the object the remote's id in place of its local one. Call `save` afterwards.
    mutating func adopt(_ remoteId: String, in transaction: StoreTransaction) throws {
        if let storedText {
            try transaction.appendChange(className, objectId, .delete)
            transaction.past.note(className, remoteId, storedText)
        }
        storedText = nil
        objectId = remoteId
    }
}
