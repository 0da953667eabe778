import GRDB
import ParseModel
import StoreService
import SyncModel

/// The tables `pulls` and `pull_members`: the pulls of one author, with their cursors, the times of their audits, and the
/// objects that belong to each pull. An author is the gateway or a user, as whom a sync reads the remote.
struct PullTable {
    let db: Database
    let author: AuthorKey

    func pulls(of className: String) throws -> [NamedPull] {
        try db.rows(
            "SELECT name, conditions, keys FROM pulls WHERE class = ? AND identity = ? ORDER BY name",
            [className, author.key]
        ) { try NamedPull($0, at: 0) }
    }

    /// All pulls of the author with their states, sorted by class and name.
    func states() throws -> [(className: String, state: PullState)] {
        try db.rows(
            """
            SELECT class, name, conditions, keys, cursor, complete_since, began, audited_at, recently_audited_at, refusal,
                deletions_since
            FROM pulls WHERE identity = ? ORDER BY class, name
            """, [author.key]
        ) { row in
            let state = PullState(
                pull: try NamedPull(row, at: 1), cursor: row.textIfAny(4).map(PullCursor.init(text:)),
                completeSince: row.dateIfAny(5), began: row.dateIfAny(6), auditedAt: row.dateIfAny(7),
                recentlyAuditedAt: row.dateIfAny(8), refusal: row.textIfAny(9), deletionsSince: row.textIfAny(10))
            return (row.text(0), state)
        }
    }

    /// The settings of a pull that matter when its rows are stored.
    /// - Returns: nil if the class has no pull of this name, or if `pull.asking` is not nil and differs from the pull's present query.
    func scope(of pull: PullId) throws -> PullScope? {
        guard let set = try pulls(of: pull.className).first(where: { $0.name == pull.name }) else { return nil }
        let options = try ClassTable(db: db).options(of: pull.className)
        let syncClass = SyncClass(name: pull.className, options: options, pulls: [], mapping: pull.mapping)
        guard pull.asking == nil || pull == syncClass.id(of: set) else { return nil }
        return PullScope(set, of: pull.className, by: author, options: options)
    }

    /// Whether a complete pull has fetched all objects of the class that the author may read.
    func isAllKnown(of className: String) throws -> Bool {
        try pulls(of: className).contains { $0.isWholeClass }
            && db.isTrue(
                "SELECT max(complete_since) IS NOT NULL FROM pulls WHERE class = ? AND identity = ?",
                [className, author.key])
    }

    func insert(_ pull: NamedPull, of className: String) throws {
        try db.run(
            "INSERT INTO pulls (class, identity, name, conditions, keys) VALUES (?, ?, ?, ?, ?)",
            [className, author.key, pull.name, pull.conditions.jsonText, pull.storedKeys])
        // Some stored objects may now belong to no pull of the class. A later sync looks for such objects (strays) and
        // drops them.
        try ClassTable(db: db).expectStrays(in: className)
    }

    func drop(_ pull: NamedPull, of className: String) throws {
        let key: SQLiteBindings = [className, author.key, pull.name]
        try db.run("DELETE FROM pull_members WHERE class = ? AND identity = ? AND pull = ?", key)
        try db.run("DELETE FROM skipped_rows WHERE class = ? AND identity = ? AND pull = ?", key)
        try db.run("DELETE FROM pulls WHERE class = ? AND identity = ? AND name = ?", key)
        try ClassTable(db: db).expectStrays(in: className)
    }

    // MARK: Cursors

    /// Moves the cursor of the pull after a page or a part of a page, and deletes the recorded refusal of the remote.
    /// The last page completes the pull. Called in the transaction that stores the rows.
    /// - Parameter cursor: the new cursor; nil to leave the cursor where it is.
    func moveCursor(of pull: PullId, to cursor: PullCursor?, began: ParseDate, isLast: Bool) throws {
        // The time of the first audit depends on the start of the first complete pull. This pull may have been
        // interrupted for a long time. Rows that the server committed late during that time can have an `updatedAt`
        // before the cursor, so only an audit finds them.
        let times =
            isLast
            ? """
            audited_at = coalesce(audited_at, began, ?2),
            recently_audited_at = coalesce(recently_audited_at, began, ?2), complete_since = ?2, began = NULL
            """ : "began = coalesce(began, ?2)"
        try db.run(
            """
            UPDATE pulls SET cursor = coalesce(?1, cursor), refusal = NULL, \(times)
            WHERE class = ?3 AND identity = ?4 AND name = ?5
            """, [cursor?.text, began.milliseconds] + key(pull))
    }

    /// Resets the class's pulls of all authors to their initial state, so that each pull starts from the beginning.
    func beginAnew(_ className: String) throws {
        try db.run(
            """
            UPDATE pulls SET cursor = NULL, complete_since = NULL, began = NULL, audited_at = NULL,
                recently_audited_at = NULL, refusal = NULL, deletions_since = NULL WHERE class = ?
            """, [className])
    }

    /// Resets the author's cursors of the class, so that the author's next pulls of the class read all rows again. The
    /// stored objects stay.
    func readAllAgain(_ className: String) throws {
        try db.run("UPDATE pulls SET cursor = NULL WHERE class = ? AND identity = ?", [className, author.key])
    }

    /// Resets the cursors of the class for all authors, so that the next pulls read all rows again.
    static func readAllAgain(_ className: String, in db: Database) throws {
        try db.run("UPDATE pulls SET cursor = NULL WHERE class = ?", [className])
    }

    /// Makes the next sync of each author audit the class, which means that it compares all objects with the remote.
    /// Objects that were removed here as deleted may still exist on the remote. No pull fetches them again, and a
    /// comparison of counts can miss them.
    func expectReturn(in className: String) throws {
        try db.run("UPDATE pulls SET audited_at = 0 WHERE class = ? AND audited_at IS NOT NULL", [className])
    }

    func setAudited(_ pull: PullId, at serverTime: ParseDate) throws {
        try db.run(
            """
            UPDATE pulls SET audited_at = ?1, recently_audited_at = ?1 WHERE class = ?2 AND identity = ?3 AND name = ?4
            """, [serverTime.milliseconds] + key(pull))
    }

    func setRecentlyAudited(_ pull: PullId, at serverTime: ParseDate) throws {
        try db.run(
            "UPDATE pulls SET recently_audited_at = ? WHERE class = ? AND identity = ? AND name = ?",
            [serverTime.milliseconds] + key(pull))
    }

    func isRefused(_ pull: PullId) throws -> Bool {
        try db.isTrue(
            "SELECT EXISTS (SELECT 1 FROM pulls WHERE class = ? AND identity = ? AND name = ? AND refusal IS NOT NULL)",
            key(pull))
    }

    func setRefusal(_ refusal: String, of pull: PullId) throws {
        try db.run(
            "UPDATE pulls SET refusal = ? WHERE class = ? AND identity = ? AND name = ?", [refusal] + key(pull))
    }

    func setDeletionsSince(_ position: String?, of pull: PullId) throws {
        try db.run(
            "UPDATE pulls SET deletions_since = ? WHERE class = ? AND identity = ? AND name = ?", [position] + key(pull)
        )
    }

    private func key(_ pull: PullId) -> SQLiteBindings { [pull.className, author.key, pull.name] }

    // MARK: Members

    /// Records that objects belong to a pull.
    func join(_ objectIds: [String], _ pull: PullId) throws {
        for id in objectIds {
            try db.run(
                "INSERT OR IGNORE INTO pull_members (class, identity, pull, id) VALUES (?, ?, ?, ?)", key(pull) + [id])
        }
    }

    /// Records that objects no longer belong to a pull. If they belong to no other pull, they are now strays.
    func leave(_ objectIds: [String], _ pull: PullId) throws {
        for id in objectIds {
            try db.run(
                "DELETE FROM pull_members WHERE class = ? AND identity = ? AND pull = ? AND id = ?", key(pull) + [id])
        }
        try ClassTable(db: db).expectStrays(in: pull.className)
    }

    /// Records that no object of the class belongs to any pull of any author. The objects stay in the file.
    func dropMembers(of className: String) throws {
        try db.run("DELETE FROM pull_members WHERE class = ?", [className])
    }

    /// The number of objects that belong to a pull of the author with conditions, which reads a subset of the class.
    func memberCount(of className: String) throws -> Int {
        try db.count(
            "SELECT count(*) FROM (SELECT DISTINCT id FROM pull_members WHERE class = ? AND identity = ?)",
            [className, author.key])
    }
}

/// The fact that an object belongs to a pull with conditions, which reads a subset of the class.
struct PullMembership {
    let className: String
    let objectId: String
    let author: AuthorKey
    /// The name of the pull.
    let pull: String

    /// All pulls of all authors to which an object belongs.
    static func all(of className: String, _ objectId: String, in db: Database) throws -> [PullMembership] {
        try db.rows("SELECT identity, pull FROM pull_members WHERE class = ? AND id = ?", [className, objectId]) {
            PullMembership(
                className: className, objectId: objectId, author: AuthorKey(key: $0.integer(0)), pull: $0.text(1))
        }
    }

    /// Records again that the object belongs to the pull.
    func restore(in db: Database) throws {
        try db.run(
            "INSERT OR IGNORE INTO pull_members (class, identity, pull, id) VALUES (?, ?, ?, ?)",
            [className, author.key, pull, objectId])
    }
}

extension NamedPull {
    /// - Parameter column: the column with the name of the pull. The next two columns contain its conditions and keys.
    init(_ row: SQLiteRow, at column: Int32) throws {
        self.init(
            name: row.text(column), conditions: try JSONReader.read(row.text(column + 1)).object ?? [:],
            keys: try row.textIfAny(column + 2).flatMap { try JSONReader.read($0).array?.compactMap(\.string) })
    }

    fileprivate var storedKeys: String? { keys.map { JSONValue.array($0.map(JSONValue.string)).jsonText } }
}
