import GRDB
import ParseModel

extension LocalStore {
    package func find(
        _ className: String, _ query: ParseQuery, patience: Duration?, each: (StoredObject) throws -> Void
    ) throws -> Int? {
        try readers.query(patience: patience) { db, prepare in
            let predicate = try Self.resolvingAliases(query.predicate, of: className, in: db)
            try Self.checkExpressions(predicate)
            var compiler = QueryCompiler(className: className)
            let condition = "class = ? AND view IS NOT NULL AND " + compiler.condition(predicate)
            guard compiler.valueCount <= Self.queryValuesMax else {
                throw ParseError(.invalidQuery, "the query holds more than \(Self.queryValuesMax) values")
            }
            let arguments = StatementArguments([className]) + compiler.arguments
            if query.limit > 0 {
                let statement = try prepare(
                    """
                    SELECT id, view, state FROM objects WHERE \(condition)
                    ORDER BY \(compiler.order(query.order)) LIMIT ? OFFSET ?
                    """)
                let rows = try Row.fetchCursor(statement, arguments: arguments + [query.limit, query.skip])
                while let row = try rows.next() {
                    try each(
                        StoredObject(objectId: row[0], json: row[1], state: SyncState(rawValue: row[2]) ?? .synced))
                }
            }
            guard query.wantsCount else { return nil }
            let count = try prepare("SELECT count(*) FROM objects WHERE \(condition)")
            return try Int.fetchOne(count, arguments: arguments)
        }
    }
    /// SQLite binds up to 32,766 values to a statement. Those of a long `$in` of texts or numbers are one.
    private static let queryValuesMax = 30_000

    /// A query may name an object by an id that the remote has replaced.
    private static func resolvingAliases(
        _ predicate: Predicate, of className: String, in db: Database
    ) throws -> Predicate {
        let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM aliases)")
        guard try Bool.fetchOne(statement) == true else { return predicate }
        let byAlias = try db.cachedStatement(sql: "SELECT id FROM aliases WHERE class = ? AND alias = ?")
        let resolved = { (className: String, id: String) in
            (try? String.fetchOne(byAlias, arguments: [className, id])) ?? id
        }
        return predicate.replacingIds(
            objectId: { resolved(className, $0) },
            pointer: { Pointer(className: $0.className, objectId: resolved($0.className, $0.objectId)) })
    }

    /// A bad regular expression is an error also where no row would come to be tested.
    private static func checkExpressions(_ predicate: Predicate) throws {
        switch predicate {
        case .and(let parts), .or(let parts): try parts.forEach(checkExpressions)
        case .field(_, .regex(let pattern, let options)): _ = try QueryFunctions.expression(pattern, options: options)
        case .field, .relatedTo: break
        }
    }
}
