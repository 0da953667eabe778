import GRDB
import ParseModel
import StoreService
import SyncModel

/// The objects of a pull that the remote is known to have, within a range of creation times. The dates of an object with a base are
/// the remote's.
struct PullRows {
    /// The ACL that was sent keeps the object from the public.
    static let isPrivate = """
        (json_type(coalesce(base, view), '$.ACL') IS NOT NULL
            AND coalesce(json_extract(coalesce(base, view), '$.ACL."*".read'), 0) = 0)
        """
    /// The remote has acknowledged the object and never shown it, or the latest acknowledged change hides it. Lists are not
    /// expected to have it, so a list without it does not mean that it is gone.
    static let isHidden = """
        is_provisional AND (is_provisional >= \(BaseStanding.unshown.rawValue) OR \(isPrivate))
        """

    private let db: Database
    private let pull: PullId
    private let range: CreatedRange
    private let isWholeClass: Bool

    init(_ pull: PullId, created range: CreatedRange = .all, in db: Database) throws {
        self.db = db
        self.pull = pull
        self.range = range
        let row = try Row.fetchOne(
            db.cachedStatement(sql: "SELECT conditions FROM pulls WHERE class = ? AND name = ?"),
            arguments: [pull.className, pull.name])
        isWholeClass = row.map { $0[0] as String == "{}" } ?? true
    }

    /// How many objects the remote is expected to show.
    func count() throws -> Int {
        let all =
            isWholeClass
            ? "coalesce((SELECT bases FROM class_counts WHERE class = :class), 0)" : "(SELECT count(*) \(rows()))"
        return try Int.fetchOne(
            db, sql: "SELECT \(all) - (SELECT count(*) \(hiddenRows))", arguments: arguments) ?? 0
    }

    /// The ids of the objects, and of the hidden ones among them. Two queries by indexes alone are faster than a look at each
    /// row.
    func ids() throws -> (all: Set<String>, hidden: Set<String>) {
        let ids = { (rows: String) in Set(try values("id", rows) { $0.text(0) }) }
        return (try ids(rows()), try ids(hiddenRows))
    }

    /// The creation times of the objects in ascending order, and those of the hidden ones among them.
    func times() throws -> (all: [Int64], hidden: [Int64]) {
        let times = { (rows: String) in try values("created_at", rows + " ORDER BY created_at") { $0.integer(0) } }
        return (try times(rows()), try times(hiddenRows))
    }

    private var hiddenRows: String { rows(areFew: true) + " AND \(Self.isHidden)" }

    /// - Parameter areFew: a condition with an index of its own follows.
    private func rows(areFew: Bool = false) -> String {
        var rows = "FROM objects WHERE class = :class AND \(areFew ? "+" : "")base_kind > 0"
        if !isWholeClass {
            rows +=
                " AND EXISTS (SELECT 1 FROM pull_members m WHERE m.class = :class AND m.pull = :pull AND m.id = objects.id)"
        }
        if range.from != nil { rows += " AND created_at >= :from" }
        if range.to != nil { rows += " AND created_at < :to" }
        return rows
    }

    private var arguments: StatementArguments {
        [
            "class": pull.className, "pull": pull.name, "from": range.from?.milliseconds, "to": range.to?.milliseconds,
        ]
    }

    private func values<Value>(_ column: String, _ rows: String, _ read: (SQLiteRow) -> Value) throws -> [Value] {
        var values: [Value] = []
        let statement = try db.cachedStatement(sql: "SELECT \(column) \(rows)")
        try statement.setArguments(arguments)
        try statement.forEachBoundRow { values.append(read($0)) }
        return values
    }
}
