import GRDB
import ParseModel
import StoreService
import SyncModel

/// The objects of one pull of an identity that the remote is known to have, in a range of their creation times on the remote.
struct PullRows {
    /// A condition for objects whose base has an ACL without public read access.
    static let isPrivate = """
        (json_type(coalesce(base, view), '$.ACL') IS NOT NULL
            AND coalesce(json_extract(coalesce(base, view), '$.ACL."*".read'), 0) = 0)
        """
    /// A condition for objects that the remote has never shown, or whose latest acknowledged change set an ACL without public
    /// read access. Their absence from a list of the remote is not a deletion.
    static let mayBeInvisible = """
        base_standing AND (base_standing >= \(BaseStanding.unshown.rawValue) OR \(isPrivate))
        """

    private let db: Database
    private let pull: PullId
    private let identity: SyncIdentity
    private let range: CreatedRange
    private let isWholeClass: Bool

    init(_ pull: PullId, by identity: SyncIdentity, created range: CreatedRange = .all, in db: Database) throws {
        self.db = db
        self.pull = pull
        self.identity = identity
        self.range = range
        let conditions = try db.text(
            "SELECT conditions FROM pulls WHERE class = ? AND identity = ? AND name = ?",
            [pull.className, identity.key, pull.name])
        isWholeClass = conditions ?? "{}" == "{}"
    }

    /// The number of objects that the remote is expected to show.
    func count() throws -> Int {
        let all =
            isWholeClass
            ? try db.count("SELECT bases FROM class_counts WHERE class = ?", [pull.className])
            : try db.count("SELECT count(*) \(rows)", values)
        return try all - db.count("SELECT count(*) \(hiddenRows)", values)
    }

    /// The ids of all objects, and of those that may be invisible in lists (`hidden`). Two queries on indexes alone are faster
    /// than one that reads each row.
    func ids() throws -> (all: Set<String>, hidden: Set<String>) {
        (
            Set(try db.texts("SELECT id \(rows)", values)), Set(try db.texts("SELECT id \(hiddenRows)", values))
        )
    }

    /// The creation times of all objects, and of those that may be invisible in lists (`hidden`), each in ascending order.
    func times() throws -> (all: [Int64], hidden: [Int64]) {
        let times = { (rows: String) in
            try db.rows("SELECT created_at \(rows) ORDER BY created_at", values) { $0.integer(0) }
        }
        return (try times(rows), try times(hiddenRows))
    }

    private var rows: String { rows("base_kind > 0") }

    /// The rows of the objects that may be invisible. The unary plus makes SQLite use the index `objects_provisional`.
    private var hiddenRows: String { rows("+base_kind > 0") + " AND \(Self.mayBeInvisible)" }

    private func rows(_ isBase: String) -> String {
        var rows = "FROM objects WHERE class = ? AND \(isBase)"
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
        if !isWholeClass { values += [identity.key, pull.name] }
        if let from = range.from { values.append(from.milliseconds) }
        if let to = range.to { values.append(to.milliseconds) }
        return values
    }
}
