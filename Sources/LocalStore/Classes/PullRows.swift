import GRDB
import ParseModel
import StoreService
import SyncModel

/// Queries on the objects of one pull that the remote is known to have, optionally only those created in a range of
/// times.
struct PullRows {
    /// A condition for objects whose ACL in the last known remote state gives no public read access.
    static let isPrivate = """
        (json_type(coalesce(base, view), '$.ACL') IS NOT NULL
            AND coalesce(json_extract(coalesce(base, view), '$.ACL."*".read'), 0) = 0)
        """
    /// A condition for objects that can be missing in the remote's lists although the remote has them: objects that the
    /// remote has never shown. If this gateway reads without the master key, also objects whose present ACL gives no
    /// public read access and was never shown.
    static func mayBeInvisible(seesEverything: Bool) -> String {
        let isUnshown = "base_standing >= \(BaseStanding.unshown.rawValue)"
        let (edited, gone) = (BaseStanding.edited.rawValue, BaseStanding.gone.rawValue)
        let isPrivate = "(base_standing NOT IN (\(edited), \(gone)) AND \(isPrivate))"
        return "base_standing AND \(seesEverything ? isUnshown : "(\(isUnshown) OR \(isPrivate))")"
    }

    private let db: Database
    private let pull: PullId
    private let author: AuthorKey
    private let range: CreatedRange
    private let isWholeClass: Bool
    private let seesEverything: Bool

    init(
        _ pull: PullId, by author: AuthorKey, created range: CreatedRange = .all, seesEverything: Bool,
        in db: Database
    ) throws {
        self.seesEverything = seesEverything
        self.db = db
        self.pull = pull
        self.author = author
        self.range = range
        let conditions = try db.text(
            "SELECT conditions FROM pulls WHERE class = ? AND identity = ? AND name = ?",
            [pull.className, author.key, pull.name])
        isWholeClass = conditions ?? "{}" == "{}"
    }

    /// The number of objects that the remote should list.
    func count() throws -> Int {
        let all =
            isWholeClass
            ? try db.count("SELECT bases FROM class_counts WHERE class = ?", [pull.className])
            : try db.count("SELECT count(*) \(rows)", values)
        return try all - db.count("SELECT count(*) \(hiddenRows)", values)
    }

    /// The number of objects in `count()` that are withheld: clients do not see them, because the remote no longer
    /// shows them.
    func withheldCount() throws -> Int {
        try db.count("SELECT count(*) \(withheldRows)", values)
    }

    /// The ids of all objects (`all`), and of the objects that can be missing in the remote's lists (`hidden`). Two
    /// queries that read only indexes are faster than one query that reads each row.
    func ids() throws -> (all: Set<String>, hidden: Set<String>) {
        (
            Set(try db.texts("SELECT id \(rows)", values)), Set(try db.texts("SELECT id \(hiddenRows)", values))
        )
    }

    /// The ids among `objectIds` that the remote should list.
    /// - Parameter besidesWithheld: whether to leave out withheld objects, which clients do not see because the remote
    ///   no longer shows them.
    func seenIds(among objectIds: [String], besidesWithheld: Bool = false) throws -> [String] {
        let isAmong = " AND id IN (SELECT value FROM json_each(?))"
        let values = values + [JSONValue.array(objectIds.map(JSONValue.string)).jsonText]
        // Without the index name, SQLite would scan the index of creation times, which has all ids of the class.
        let all = try db.texts(
            "SELECT id \(rows(in: "objects INDEXED BY sqlite_autoindex_objects_1"))\(isAmong)", values)
        var hidden = Set(try db.texts("SELECT id \(hiddenRows)\(isAmong)", values))
        if besidesWithheld { hidden.formUnion(try db.texts("SELECT id \(withheldRows)\(isAmong)", values)) }
        return all.filter { !hidden.contains($0) }
    }

    /// The creation times in milliseconds, ascending: of all objects (`all`), and of the objects that can be missing in
    /// the remote's lists (`hidden`).
    /// - Parameter besidesWithheld: whether `hidden` includes withheld objects, which clients do not see because the
    ///   remote no longer shows them.
    func times(besidesWithheld: Bool) throws -> (all: [Int64], hidden: [Int64]) {
        let times = { (rows: String) in
            try db.rows("SELECT created_at \(rows) ORDER BY created_at", values) { $0.integer(0) }
        }
        var hidden = try times(hiddenRows)
        if besidesWithheld { hidden = (hidden + (try times(withheldRows))).sorted() }
        return (try times(rows), hidden)
    }

    private var rows: String { rows(in: "objects") }

    /// The SQL, from `FROM` on, for the objects that can be missing in the remote's lists.
    private var hiddenRows: String {
        rows(in: "objects INDEXED BY objects_provisional")
            + " AND \(Self.mayBeInvisible(seesEverything: seesEverything))"
    }

    /// The SQL, from `FROM` on, for withheld objects (not shown to clients) that are not in `hiddenRows`.
    private var withheldRows: String {
        rows(in: "objects INDEXED BY objects_withheld")
            + " AND withheld AND NOT (\(Self.mayBeInvisible(seesEverything: seesEverything)))"
    }

    private func rows(in table: String) -> String {
        var rows = "FROM \(table) WHERE class = ? AND base_kind > 0"
        if !isWholeClass {
            rows += """
                 AND EXISTS (SELECT 1 FROM pull_members m
                    WHERE m.class = objects.class AND m.identity = ? AND m.pull = ? AND m.id = objects.id)
                """
        }
        if range.from != nil { rows += " AND created_at >= ?" }
        if range.to != nil { rows += " AND created_at < ?" }
        return rows
    }

    private var values: SQLiteBindings {
        var values: SQLiteBindings = [pull.className]
        if !isWholeClass { values += [author.key, pull.name] }
        if let from = range.from { values.append(from.milliseconds) }
        if let to = range.to { values.append(to.milliseconds) }
        return values
    }
}
