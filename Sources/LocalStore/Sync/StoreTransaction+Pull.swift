import GRDB
import ParseModel
import StoreService
import SyncModel

/// Taking in what the remote has.
extension StoreTransaction {
    /// - Parameter scope: the pull that has brought the changes; nil where they were read for another reason.
    func apply(_ changes: [RemoteChange], of className: String, by scope: PullScope? = nil) throws -> PullTally {
        var tally = PullTally()
        let kept = try keptFields(of: className)
        if scope == nil, !changes.isEmpty { try expectStrays(in: className) }
        var page = Page(
            hasAliases: try hasAliases(of: className), secondCopies: try secondCopies(of: className))
        for change in changes {
            switch change {
            case .upsert(let record):
                let row = try kept.merged(record, from: scope, in: db)
                tally += try take(row, in: &page)
                if kept.opField != nil { try noteMarks(of: row) }
                if let scope, !scope.isWholeClass { try join([record.objectId], scope.id) }
            case .tombstone(_, let objectId): tally += try receive(.absent, className, objectId)
            }
        }
        try count(className, bases: page.newCount, views: page.newCount)
        if !changes.isEmpty { try forgetSkipped(among: changes, of: className) }
        return tally
    }

    /// Moves the pull's cursor, in the same transaction as the rows that it speaks of.
    func moveCursor(of pull: PullId, to cursor: PullCursor?, began: ParseDate, isLast: Bool) throws {
        let times =
            isLast
            ? """
            audited_at = coalesce(audited_at, ?2), recently_audited_at = coalesce(recently_audited_at, ?2),
            complete_since = ?2, began = NULL
            """ : "began = coalesce(began, ?2)"
        try execute(
            "UPDATE pulls SET cursor = coalesce(?1, cursor), refusal = NULL, \(times) WHERE class = ?3 AND name = ?4",
            [cursor?.text, began.milliseconds, pull.className, pull.name])
    }

    /// What is known of rows that come together.
    private struct Page {
        /// Whether there are aliases for objects of the class: asking that for each row took longer.
        let hasAliases: Bool
        /// Objects that are hidden, because a question is open whether they were made here.
        let secondCopies: Set<String>
        /// Objects that were not here before, and are still to be added to the class's count.
        var newCount = 0
    }

    /// A row as the remote has it now. Most objects have no pending work: for them the row is the view.
    private func take(_ record: RemoteRecord, in page: inout Page) throws -> PullTally {
        var tally = PullTally()
        let text = record.jsonText
        let find = try db.cachedStatement(
            sql: """
                SELECT pk, view, is_provisional, state, base_kind, version, created_at FROM objects
                WHERE class = ? AND id = ?
                """)
        let known = try find.firstRow([record.className, record.objectId]) { row in
            (
                key: row.integer(0), view: row.textIfAny(1), isProvisional: row.bool(2),
                isSynced: row.integer(3) == SyncState.synced.rawValue && row.integer(4) == 1,
                version: row.textIfAny(5), createdAt: row.integer(6)
            )
        }
        guard let known else {
            if page.secondCopies.contains(record.objectId) {
                try insertSecondCopy(record)
                tally.upserted = 1
                return tally
            }
            try insert(record, text, in: &page)
            tally.upserted = 1
            return tally
        }
        guard known.isSynced else {
            return try receive(.row(record), record.className, record.objectId)
        }
        if known.view == text {
            if known.isProvisional || known.version != record.version {
                try execute(
                    "UPDATE objects SET is_provisional = 0, version = ? WHERE pk = ?",
                    [record.version, known.key])
                try noteChange(of: record)
            }
            tally.unchanged = 1
            return tally
        }
        try execute(
            "UPDATE objects SET view = ?, updated_at = ?, is_provisional = 0, version = ? WHERE pk = ?",
            [text, record.updatedAt.milliseconds, record.version, known.key])
        // Hardly ever; and an index is made of it.
        if known.createdAt != record.createdAt.milliseconds {
            try execute("UPDATE objects SET created_at = ? WHERE pk = ?", [record.createdAt.milliseconds, known.key])
        }
        if let view = known.view { past.note(record.className, record.objectId, view) }
        try noteChange(of: record)
        try appendChange(record.className, record.objectId, .update)
        tally.upserted = 1
        return tally
    }

    /// The object was not here before.
    private func insert(_ record: RemoteRecord, _ text: String, in page: inout Page) throws {
        // An object that was made again under another id has not taken this one over for good.
        if page.hasAliases {
            try execute("DELETE FROM aliases WHERE class = ? AND alias = ?", [record.className, record.objectId])
        }
        try execute(
            """
            INSERT INTO objects (class, id, view, created_at, updated_at, base_kind, version)
            VALUES (?, ?, ?, ?, ?, 1, ?)
            """,
            [
                record.className, record.objectId, text, record.createdAt.milliseconds,
                record.updatedAt.milliseconds, record.version,
            ])
        page.newCount += 1
        try noteChange(of: record, isNew: true)
        try appendChange(record.className, record.objectId, .create)
    }

    /// The object was not here before, and is kept without being shown.
    private func insertSecondCopy(_ record: RemoteRecord) throws {
        var copy = LocalObject(className: record.className, objectId: record.objectId)
        copy.life.base = record.state
        copy.life.isSecondCopy = true
        copy.life.replay()
        try copy.save(in: self)
        try noteChange(of: record, isNew: true)
    }

    /// The row is news: so may be who belongs to its relations, and which files it carries.
    func noteChange(of record: RemoteRecord, isNew: Bool = false) throws {
        try expectMembers(of: record, isNew: isNew)
        try noteFiles(of: record)
    }
}
