import GRDB
import ParseModel

extension LocalStore {
    package func find(
        _ className: String, _ query: ParseQuery, patience: Patience, each: (StoredObject) throws -> Void
    ) throws -> Int? {
        let now = environment.now()
        return try readers.query(patience: patience) { db, prepare in
            var preparation = QueryPreparation(db: db, now: now)
            var query = query
            query.predicate = try preparation.prepared(query, of: className)
            let index = try index(for: query, of: className, in: db, isNoted: true)
            var given = 0
            do {
                return try run(query, of: className, by: index, in: db, prepare, skipping: 0) {
                    given += 1
                    try each($0)
                }
            } catch let error as DatabaseError where error.message == "malformed JSON" {
                // A condition has come upon a damaged row that no check has found yet. The snapshot is the same, so the rows that were
                // given already come again.
                try damaged.look(for: className, in: db)
                return try run(query, of: className, by: index, in: db, prepare, skipping: given, each: each)
            }
        }
    }

    /// Carries out a query that is prepared, on all objects but those that are known to be damaged.
    /// - Parameter skipping: how many rows `each` has been given already.
    private func run(
        _ query: ParseQuery, of className: String, by index: FieldIndex?, in db: Database,
        _ prepare: ReaderPool.Prepare,
        skipping: Int, each: (StoredObject) throws -> Void
    ) throws -> Int? {
        let excluded = try damaged.all(of: className, in: db).map(\.key)
        let holdsDeleted = configuration.identity.isReplica
        let relations = try QueryPreparation.relations(in: query.predicate, of: className, db)
        var compiled = try CompiledQuery(
            className, query, holdsDeleted: holdsDeleted, excluding: excluded, by: index, relations: relations)
        // SQLite refuses an index that it cannot use; which one it can use depends on its version.
        if index != nil, (try? prepare(compiled.sql)) == nil || (try? prepare(compiled.countSQL)) == nil {
            compiled = try CompiledQuery(
                className, query, holdsDeleted: holdsDeleted, excluding: excluded, relations: relations)
        }
        if query.limit > 0 {
            var toSkip = skipping
            let statement = try prepare(compiled.sql)
            try statement.setArguments(compiled.arguments)
            try statement.forEachObject { object in
                if toSkip > 0 { toSkip -= 1 } else { try each(object) }
            }
        }
        guard query.wantsCount else { return nil }
        return try Int.fetchOne(try prepare(compiled.countSQL), arguments: compiled.countArguments)
    }

    package func explain(
        _ className: String, _ query: ParseQuery, patience: Patience
    ) throws -> [ExplainedStatement] {
        let now = environment.now()
        return try readers.query(patience: patience) { db, _ in
            var preparation = QueryPreparation(db: db, now: now)
            var query = query
            query.predicate = try preparation.prepared(query, of: className)
            let index = try index(for: query, of: className, in: db, isNoted: false)
            let last = try CompiledQuery(
                className, query, holdsDeleted: configuration.identity.isReplica, by: index,
                relations: QueryPreparation.relations(in: query.predicate, of: className, db))
            return try (preparation.statements + [last]).map { compiled in
                let steps = try Row.fetchAll(
                    db, sql: "EXPLAIN QUERY PLAN " + compiled.sql, arguments: compiled.arguments)
                return ExplainedStatement(sql: compiled.sql, plan: Self.plan(steps))
            }
        }
    }

    /// - Parameter steps: rows of id, parent, something that is not used, and what is done.
    private static func plan(_ steps: [Row]) -> [String] {
        var depths: [Int: Int] = [0: -1]
        return steps.map { step in
            let depth = (depths[step[1]] ?? -1) + 1
            depths[step[0]] = depth
            return String(repeating: "  ", count: depth) + step[3]
        }
    }
}

/// The statements that answer a query.
struct CompiledQuery {
    /// Rows of id, view, state and standing of the base.
    let sql: String
    let arguments: StatementArguments
    let countSQL: String
    let countArguments: StatementArguments

    /// SQLite binds up to 32,766 values to a statement. Those of a long `$in` of texts or numbers are one.
    private static let valuesMax = 30_000
    /// How long a statement may be: reading a longer one would keep a thread that nothing interrupts.
    private static let sqlBytesMax = 2 << 20

    /// - Parameters:
    ///   - query: one that is prepared.
    ///   - holdsDeleted: whether the store keeps rows of objects that are deleted here. Where not, indexes alone tell how
    ///     many match: looking each row up was half of what counting a range of creation times took.
    ///   - excluded: keys in `objects` of rows that are left out.
    ///   - index: one that serves the query.
    ///   - relations: fields of the class that are known to be relations.
    /// - Throws: 102 for one that holds too many values.
    init(
        _ className: String, _ query: ParseQuery, holdsDeleted: Bool = true, excluding excluded: [Int64] = [],
        by index: FieldIndex? = nil, relations: Set<String> = []
    ) throws {
        var compiler = QueryCompiler(className: className, relations: relations)
        var terms = [
            index?.condition ?? "class = \(compiler.bind(className))\(holdsDeleted ? " AND view IS NOT NULL" : "")"
        ]
        // A term of AND may be looked at in any order; CASE keeps the others from a row that they would fail on.
        let isRead = excluded.isEmpty ? nil : "pk NOT IN (\(excluded.map(String.init).joined(separator: ", ")))"
        let sought = index.map { compiler.sought(query.predicate, by: $0) } ?? []
        let predicate = compiler.condition(query.predicate)
        terms += sought + [isRead.map { "CASE WHEN \($0) THEN \(predicate) ELSE 0 END" } ?? predicate]
        let condition = terms.joined(separator: " AND ")
        // SQLite refuses to take an index that it is told to take, where the index neither finds nor orders.
        let finding = index.flatMap { sought.isEmpty ? nil : "objects INDEXED BY \"\($0.name)\"" }
        countSQL = "\(compiler.prefix)SELECT count(*) FROM \(finding ?? "objects") WHERE \(condition)"
        countArguments = compiler.innerArguments + compiler.arguments
        let order = compiler.order(of: query)
        let ordering = index.flatMap { order.hasPrefix($0.key) ? "objects INDEXED BY \"\($0.name)\"" : nil }
        sql = """
            \(compiler.prefix)SELECT id, view, state, is_provisional FROM \(finding ?? ordering ?? "objects") WHERE \(condition)
            ORDER BY \(order) LIMIT \(compiler.bind(query.limit)) OFFSET \(compiler.bind(query.skip))
            """
        arguments = compiler.innerArguments + compiler.arguments
        try Self.check(sql, valueCount: compiler.valueCount)
    }

    /// The ids that a query inside of a query finds, as one row: a JSON array, and their number.
    /// - Parameter idsMax: how many it lists at most.
    /// - Throws: 102 for one that holds too many values.
    init(listing query: Subquery, idsMax: Int) throws {
        var compiler = QueryCompiler(className: query.className)
        sql = compiler.list(of: query, max: idsMax)
        arguments = compiler.innerArguments + compiler.arguments
        (countSQL, countArguments) = (sql, arguments)
        try Self.check(sql, valueCount: compiler.valueCount)
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
