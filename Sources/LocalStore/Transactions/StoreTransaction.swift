import GRDB
import ParseModel
import StoreService
import SyncModel

/// One caller's part of a write transaction. All writes of the caller have the same timestamp.
///
/// In a replica, an event changes an object: the transaction loads the `LocalObject`, applies the event to its `life`,
/// performs the effects, and saves the object. Pulled rows of objects without pending changes are written directly.
struct StoreTransaction {
    let db: Database
    /// The timestamp of the caller's writes.
    let now: ParseDate
    let store: StoreConfiguration
    let environment: Environment
    /// The client, or the gateway, on whose behalf the transaction reads and writes.
    let principal: Principal
    /// The author whose key is stored with new changes, conflicts and pulls. In a sync it is the author of the sync, in
    /// a decision the author of the change, otherwise the author of the principal.
    private(set) var author: AuthorKey
    let authorship: Authorship
    let schemas: SchemaCache
    let access: StoreAccess
    /// The cache of recently read objects. A write removes objects that it changes.
    let objects: ObjectCache
    /// The earlier states of recently changed objects.
    let past: PastStates
    let ways: Ways
    /// The cached sessions. A change of a user, a session or a role removes entries.
    let sessions: SessionCache

    /// The same transaction on behalf of another author.
    func acting(as author: AuthorKey) -> Self {
        var transaction = self
        transaction.author = author
        return transaction
    }

    /// Runs `body`. If `body` throws, its changes are rolled back, and the earlier changes of the transaction stay.
    func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try db.inPreparedSavepoint(body)
        } catch {
            schemas.forget()
            access.acls.forgetKeys()
            throw error
        }
    }

    /// The sync options of a class; the defaults for a class without syncs.
    func options(of className: String) throws -> ClassOptions {
        try schemas.options(of: className) { try ways.readOptions(className, db) }
    }

    /// The fields of a class whose strings are ids of other objects.
    func idFields(of className: String) throws -> IdFields { try options(of: className).idFields }

    /// The operations of a transaction that differ between the kinds of store.
    struct Ways: Sendable {
        /// Reads the roles of users before a sync changes the stored row of a role.
        /// - Parameters:
        ///   - role: the role after the change.
        ///   - storedId: its id before the change.
        ///   - members: the new members of a relation of the role; nil for another change.
        /// - Returns: nil if there is nothing to record in the change feed.
        let watchRoles:
            @Sendable (
                _ changes: RightsChanges, _ role: ObjectLife, _ storedId: String, _ members: BaseMembers?
            ) throws -> RoleChange?
        /// Reads the sync options of a class; the defaults for a class without syncs.
        let readOptions: @Sendable (_ className: String, _ db: Database) throws -> ClassOptions
    }

    // MARK: Rights

    /// The principal's rights on a class, including changes of permissions in this transaction.
    func rules(of className: String) throws -> AccessRules {
        AccessRules(principal, try access.rights.rights(of: className, from: access.permissions(in: db)))
    }

    /// The pointer fields by which permissions decide which objects of a class a user may list. The change feed stores
    /// the values of these fields. Empty in a store that does not enforce rights.
    func pointersOfReads(of className: String) throws -> [String] {
        guard access.isEnforced else { return [] }
        return AccessRules.pointersOfReads(try access.rights.rights(of: className, from: access.permissions(in: db)))
    }

    /// The ACL for a value of the column `acl`; nil for 0.
    func acl(_ key: Int64) throws -> AccessControlList? { key == 0 ? nil : try ACLTable(db: db).acl(key) }

    // MARK: Events

    /// Applies an event to an object, performs the effects, and saves the object.
    /// - Throws: `LifeError` or `ParseError` if the event is not possible for the object; `StoreError`.
    @discardableResult
    func receive(_ event: LifeEvent, _ object: inout LocalObject) throws -> LifeOutcome {
        let before = object.life
        let outcome = try object.life.receive(event, context(of: event, for: before))
        store.audit?(before, object.life, event)
        guard !outcome.effects.isEmpty || object.life != before else { return outcome }
        try object.watchRoles(in: self)
        try perform(outcome.effects, on: &object)
        try performAfterSaving(outcome.effects, on: object)
        return outcome
    }

    /// Loads an object, and applies an event to it. Does nothing if the object is missing.
    /// - Returns: the counts of rows that the event adds to the result of a pull; zeros if the object is missing.
    @discardableResult
    func receive(_ event: LifeEvent, _ className: String, _ objectId: String) throws -> PullTally {
        guard var object = try LocalObject(className, objectId, in: db) else { return PullTally() }
        return try receive(event, &object).tally
    }

    @discardableResult
    func receive(_ event: LifeEvent, _ object: Pointer) throws -> PullTally {
        try receive(event, object.className, object.objectId)
    }

    // MARK: Context

    private func context(of event: LifeEvent, for life: ObjectLife) throws -> LifeContext {
        let environment = environment
        var context = LifeContext(now: now, author: author) { environment.requestId() }
        context.rebase = store.rebase
        context.reader = store.identity.remote?.subject
        switch event {
        case .created, .edited(_, stale: nil), .begunOnce, .chosen, .split, .fileAdopted, .secondCopy, .candidateTaken,
            .purged,
            .authorForgotten:
            return context
        case .pointerAdopted:
            context.options.idFields = try idFields(of: life.className)
            return context
        default: break
        }
        if let first = life.steps.first?.step, first.kind == .create {
            context.isUnanswered = try Unanswered(db: db, author: first.author).contains(life.pointer)
        }
        if case .deleted(stale: nil) = event { return context }
        context.options = try ClassTable(db: db).options(of: life.className)
        if life.steps.contains(where: { $0.markedIn != nil }) {
            context.replicaId = try Meta.value(of: "replica_id", in: db)
        }
        try loadRowContext(&context, event, life)
        return context
    }

    /// Adds the facts that only decisions and the events of a sync need.
    private func loadRowContext(_ context: inout LifeContext, _ event: LifeEvent, _ life: ObjectLife) throws {
        let otherId = life.otherId(in: event)
        if let otherId { context.other = try LocalObject(life.className, otherId, in: db)?.life }
        switch event {
        case .settled(_, .proven), .settled(_, .moot), .settled(_, .conflict), .settled(_, .recreatedElsewhere),
            .decided,
            .row, .setAgain:
            context.keptFields = try KeptFields(of: life.className, in: db).keys(of: otherId ?? life.objectId)
        default: break
        }
        switch event {
        case .settled(_, .recreatedElsewhere): context.ancestor = try ConflictTable(db: db).ancestor(of: life.pointer)
        case .decided where life.conflict?.kind == .ambiguousCreate:
            context.ancestor = try ConflictTable(db: db).ancestor(of: life.pointer)
            context.acceptsChosenIds = try Meta.value(of: "accepts_chosen_ids", in: db).map { $0 == "1" }
            if let otherId { context.otherIsUnknown = try isKnownToBeMissing(otherId, of: life.className) }
        case .absent, .decided, .createdAgain, .setAgain:
            context.members = try RelationMembers(db: db).addition(to: life)
        default: break
        }
    }

    /// Whether a complete pull has fetched all objects of the class, and this object is not stored.
    private func isKnownToBeMissing(_ objectId: String, of className: String) throws -> Bool {
        try PullTable(db: db, author: author).isAllKnown(of: className)
            && !ClassTable(db: db).holds(className, objectId)
    }
}

extension RightsChanges {
    init(_ transaction: StoreTransaction) {
        self.init(db: transaction.db, now: transaction.now, access: transaction.access)
    }
}
