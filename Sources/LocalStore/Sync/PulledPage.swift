import GRDB
import ParseModel
import StoreService
import SyncModel

/// Applies remote rows of one class: a page of a pull, or rows that were read outside of pulls.
struct PulledPage {
    private let transaction: StoreTransaction
    private let className: String
    /// The pull that read the rows; nil if the rows were not read by a pull.
    private let scope: PullScope?
    private let kept: KeptFields
    /// Whether objects of the class have aliases (earlier ids). It is read once per page, because a read per row is
    /// slower.
    private let hasAliases: Bool
    /// The ids of candidates in open conflicts. A candidate is a remote object that may be the result of a local
    /// create. A candidate that is not stored yet is stored without being visible to clients.
    private var candidates: Set<String>
    /// The number of newly stored objects that are not yet included in the class's counts in `class_counts`.
    private var newCount = 0

    private var db: Database { transaction.db }

    init(of className: String, by scope: PullScope? = nil, in transaction: StoreTransaction) throws {
        self.transaction = transaction
        self.className = className
        self.scope = scope
        let db = transaction.db
        kept = try KeptFields(of: className, in: db)
        hasAliases = try Aliases(db: db).exist(in: className)
        candidates = try ConflictTable(db: db).candidates(of: className)
    }

    /// Applies changes. A row also takes its object out of held removals (which wait for a decision), because the
    /// remote shows the object again.
    mutating func apply(_ changes: [RemoteChange]) throws -> PullTally {
        var tally = PullTally()
        try RemovalTable(db: db).release(changes, of: className)
        if scope == nil, !changes.isEmpty { try ClassTable(db: db).expectStrays(in: className) }
        for change in changes {
            switch change {
            case .upsert(let record):
                let row = try kept.merged(record, from: scope)
                tally += try apply(row)
                if kept.opField != nil {
                    try OperationMarks(db: db).set(row.operationMarks, of: className, row.objectId)
                }
                if let scope, !scope.isWholeClass {
                    try PullTable(db: db, author: transaction.author).join([record.objectId], scope.id)
                }
            case .tombstone(_, let objectId): tally += try transaction.receive(.absent, className, objectId)
            }
        }
        try ClassCounts(db: db).add(className, bases: newCount, views: newCount)
        newCount = 0
        try SkippedRows(db: db, author: transaction.author).forget(among: changes, of: className)
        return tally
    }

    private static let byId = """
        SELECT pk, view, base_standing, state, base_kind, version, created_at, acl, \(ContentMark.column) FROM objects
        WHERE class = ? AND id = ?
        """

    /// Applies one row. If the object has pending changes, it receives the row as an event. Otherwise the row is
    /// written directly.
    private mutating func apply(_ record: RemoteRecord) throws -> PullTally {
        let known = try db.firstRow(
            Self.byId, [record.className, record.objectId]
        ) { row in
            Known(
                key: row.integer(0), view: row.textIfAny(1), isProvisional: row.bool(2),
                isSynced: row.integer(3) == SyncState.synced.rawValue && row.integer(4) == 1,
                version: row.textIfAny(5), createdAtMs: row.integer(6), acl: row.integer(7),
                contentNumber: row.integer(8))
        }
        let record = record.keepingCreationTime(known.map { ParseDate(milliseconds: $0.createdAtMs) })
        let text = record.jsonText
        guard let known else {
            if candidates.contains(record.objectId) {
                try insertHidden(record)
            } else {
                try insert(record, text)
            }
            return PullTally(upserted: 1)
        }
        guard known.isSynced else {
            let tally = try transaction.receive(.row(record), record.className, record.objectId)
            // The event may have closed a conflict about a candidate, or replaced the candidate.
            if !candidates.isEmpty { candidates = try ConflictTable(db: db).candidates(of: record.className) }
            return tally
        }
        guard known.view != text else {
            try confirm(known, by: record)
            return PullTally(unchanged: 1)
        }
        try replace(known, by: record, text)
        return PullTally(upserted: 1)
    }

    /// The row of a known object in the table `objects`.
    private struct Known {
        let key: Int64
        let view: String?
        let isProvisional: Bool
        /// Whether the object has no pending change, and clients see its last known remote state.
        let isSynced: Bool
        let version: String?
        let createdAtMs: Int64
        let acl: Int64
        let contentNumber: Int64

        func hasContent(_ fields: JSONObject, by content: StableContent) throws -> Bool {
            let known = view.flatMap { try? JSONReader.read($0, depthMax: JSONReader.storedDepthMax).object }
            guard let known = known.flatMap(ObjectState.init(json:)) else { return false }
            return try content.isSame(known.fields, fields)
        }
    }

    private func confirm(_ known: Known, by record: RemoteRecord) throws {
        guard known.isProvisional || known.version != record.version else { return }
        try db.run(
            "UPDATE objects SET base_standing = 0, provisional_as = 0, version = ? WHERE pk = ?",
            [record.version, known.key])
        try transaction.noteChange(of: record)
    }

    private func replace(_ known: Known, by record: RemoteRecord, _ text: String) throws {
        let acl = try acl(of: record)
        let rights = EntryRights(
            acls: known.acl, acl, views: known.view, text, pointers: try transaction.pointersOfReads(of: className))
        let entry = try ChangeFeed(db: db)
            .append(record.className, record.objectId, .update, now: transaction.now, rights, before: known.view)
        let isSame = try known.hasContent(
            record.fields, by: StableContent(className: className, in: transaction))
        try db.run(
            """
            UPDATE objects SET view = ?, updated_at = ?, base_standing = 0, provisional_as = 0, version = ?, content_mark = ?
            WHERE pk = ?
            """,
            [
                text, record.updatedAt.milliseconds, record.version,
                isSame ? known.contentNumber : ContentMark.number(ofEntry: entry, at: transaction.now), known.key,
            ])
        // The creation time and the ACL rarely change and are part of indexes, so they are written only if they differ.
        if known.createdAtMs != record.createdAt.milliseconds {
            try db.run("UPDATE objects SET created_at = ? WHERE pk = ?", [record.createdAt.milliseconds, known.key])
        }
        if known.acl != acl { try db.run("UPDATE objects SET acl = ? WHERE pk = ?", [acl, known.key]) }
        if let view = known.view { transaction.past.note(record.className, record.objectId, view) }
        try transaction.noteChange(of: record)
    }

    private mutating func insert(_ record: RemoteRecord, _ text: String) throws {
        // The row's id can be an alias of another object, if that object was created again under a new id. The alias is dropped,
        // because the remote now has a separate object with this id.
        if hasAliases { try Aliases(db: db).drop(record.className, record.objectId) }
        let acl = try acl(of: record)
        let rights = EntryRights(
            acls: 0, acl, views: nil, text, pointers: try transaction.pointersOfReads(of: className))
        let entry = try ChangeFeed(db: db)
            .append(record.className, record.objectId, .create, now: transaction.now, rights, before: nil)
        try db.run(
            """
            INSERT INTO objects (class, id, view, created_at, updated_at, base_kind, version, acl, content_mark)
            VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?)
            """,
            [
                record.className, record.objectId, text, record.createdAt.milliseconds,
                record.updatedAt.milliseconds, record.version, acl,
                ContentMark.number(ofEntry: entry, at: transaction.now),
            ])
        newCount += 1
        try transaction.noteChange(of: record, isNew: true)
    }

    private func acl(of record: RemoteRecord) throws -> Int64 {
        try transaction.access.acls.key(of: record.fields["ACL"], in: db)
    }

    private func insertHidden(_ record: RemoteRecord) throws {
        var copy = LocalObject(className: record.className, objectId: record.objectId)
        copy.life.base = record.state
        copy.life.isSecondCopy = true
        copy.life.replay()
        try copy.save(in: transaction)
        try transaction.noteChange(of: record, isNew: true)
    }
}
