import GRDB
import ParseModel
import StoreService

/// The SQL statements of a query, with their bound values.
struct CompiledQuery {
    /// The SQL of the matching rows, with the columns `StoredObject.columns`. If the value was made by
    /// `init(listing:)`, the SQL of one row: the ids of the matching objects as a JSON array, and their number.
    let sql: String
    let arguments: SQLiteBindings
    /// The part of `sql` that begins with `FROM`, and the part with the `WITH` clause (`prefix`).
    private let selection: String
    private let prefix: String
    let countSQL: String
    let countArguments: SQLiteBindings

    /// The maximum number of values that are bound to a statement, below SQLite's limit of 32,766. A long `$in` of strings or
    /// numbers counts as one.
    private static let valuesMax = 30_000
    /// The maximum length of a statement in bytes. SQLite cannot be interrupted while it parses a statement.
    private static let sqlBytesMax = 2 << 20

    /// - Parameters:
    ///   - query: a query that `QueryPreparation` has prepared.
    ///   - holdsDeleted: whether rows of locally deleted objects stay in the file, with NULL as `view`. If not, a query
    ///     without `index` has no condition on `view`, so that a count reads only indexes.
    ///   - excluded: the primary keys of damaged rows of `objects`, by class. They are left out.
    ///   - index: an index that serves the query; nil for none.
    ///   - relations: the relations of the class that the query compares with pointers.
    /// - Throws: `ParseError` 102 (invalid query) for a query with too many values, and for a statement that is too long.
    init(
        _ className: String, _ query: ParseQuery, by access: QueryAccess, holdsDeleted: Bool = true,
        excluding excluded: [String: [Int64]] = [:],
        using index: FieldIndex? = nil, relations: Set<String> = []
    ) throws {
        var compiler = QueryCompiler(className: className, by: access, relations: relations, excluded: excluded)
        let operation = query.reading
        let (condition, finding) = compiler.whole(query, for: operation, holdsDeleted: holdsDeleted, by: index)
        let count = { (compiler: QueryCompiler, finding: String?, condition: String) in
            "\(compiler.prefix)SELECT count(*) FROM \(finding ?? "objects") WHERE \(condition)"
        }
        if query.wantsCount, access.countsDifferently(className, than: operation) {
            var counting = QueryCompiler(className: className, by: access, relations: relations, excluded: excluded)
            let (condition, finding) = counting.whole(query, for: .count, holdsDeleted: holdsDeleted, by: index)
            countSQL = count(counting, finding, condition)
            countArguments = counting.innerArguments + counting.arguments
        } else {
            countSQL = count(compiler, finding, condition)
            countArguments = compiler.innerArguments + compiler.arguments
        }
        let order = compiler.order(of: query)
        let ordering = index.flatMap { order.hasPrefix($0.key) ? "objects INDEXED BY \"\($0.name)\"" : nil }
        prefix = compiler.prefix
        selection = """
            FROM \(finding ?? ordering ?? "objects") WHERE \(condition)
            ORDER BY \(order) LIMIT \(compiler.bind(query.limit)) OFFSET \(compiler.bind(query.skip))
            """
        sql = "\(prefix)SELECT \(StoredObject.columns) \(selection)"
        arguments = compiler.innerArguments + compiler.arguments
        try Self.check(sql, valueCount: compiler.valueCount)
    }

    /// Compiles a statement that returns one row: the ids of the objects that match a subquery as a JSON array, and
    /// their number.
    /// - Parameters:
    ///   - idsMax: the maximum number of ids.
    ///   - excluded: the primary keys of damaged rows of `objects`, by class. They are left out.
    /// - Throws: `ParseError` 102 (invalid query) for a query with too many values, and for a statement that is too long.
    init(
        listing query: Subquery, by access: QueryAccess, idsMax: Int, excluding excluded: [String: [Int64]]
    ) throws {
        var compiler = QueryCompiler(className: query.className, by: access, excluded: excluded)
        sql = compiler.list(of: query, max: idsMax)
        (prefix, selection) = ("", "")
        arguments = compiler.innerArguments + compiler.arguments
        (countSQL, countArguments) = (sql, arguments)
        try Self.check(sql, valueCount: compiler.valueCount)
    }

    /// A statement with the same result as `sql` that needs less memory for large rows, because it sorts only the keys
    /// of the rows. It takes longer, because it reads each row of the result twice.
    var sparingSQL: String {
        "\(prefix)SELECT \(StoredObject.columns) FROM (SELECT pk AS place \(selection)) CROSS JOIN objects ON pk = place"
    }

    private static func check(_ sql: String, valueCount: Int) throws(ParseError) {
        guard valueCount <= valuesMax else {
            throw ParseError(.invalidQuery, "the query holds more than \(valuesMax) values")
        }
        guard sql.utf8.count <= sqlBytesMax else {
            throw ParseError(.invalidQuery, "the query is too long: ask with fewer conditions, or shorter names")
        }
    }
}
