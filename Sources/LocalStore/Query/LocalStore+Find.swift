import GRDB
import ParseModel
import StoreService

extension LocalStore {
    package func find(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout,
        each: (StoredObject) throws -> Void
    ) throws -> Int? {
        let now = environment.now()
        let hidden = AccessRules.hiddenFields(of: className, from: principal)
        return try readers.query(timeout: timeout) { db, prepare in
            var given = 0
            return try leavingOutDamaged(of: query.predicate.innerClassNames.union([className]), in: db) { excluded in
                var preparation = QueryPreparation(db: db, now: now, principal: principal, excluded: excluded)
                var query = query
                query.predicate = try preparation.prepared(query, of: className)
                let index = try index(for: query, of: className, in: db, isNoted: given == 0)
                // The snapshot is the same: objects that were given already come again.
                var toSkip = given
                return try run(query, of: className, as: principal, by: index, excluding: excluded, in: db, prepare) {
                    object in
                    guard toSkip == 0 else {
                        toSkip -= 1
                        return
                    }
                    try each(object.without(hidden, of: className))
                    given += 1
                }
            }
        }
    }

    /// Reads rows that have to be readable. If it meets a damaged row that no check has found yet, the classes are
    /// checked, and the reading begins again without the row.
    /// - Parameter read: gets the keys in `objects` of the rows that are to be left out, by class.
    private func leavingOutDamaged<Value>(
        of classNames: Set<String>, in db: Database, _ read: (_ excluded: [String: [Int64]]) throws -> Value
    ) throws -> Value {
        do {
            return try read(try damaged.keys(of: classNames, in: db))
        } catch  where Self.isDamage(error) {
            try damaged.look(for: classNames, in: db)
            return try read(try damaged.keys(of: classNames, in: db))
        }
    }

    private static func isDamage(_ error: any Error) -> Bool {
        switch error {
        case StoreError.damaged: true
        case let error as DatabaseError: error.message == "malformed JSON"
        default: false
        }
    }

    /// Carries out a query that is prepared.
    /// - Parameter excluded: keys in `objects` of rows that are left out, by class.
    private func run(
        _ query: ParseQuery, of className: String, as principal: Principal, by index: FieldIndex?,
        excluding excluded: [String: [Int64]],
        in db: Database, _ prepare: ReaderPool.Prepare, each: (StoredObject) throws -> Void
    ) throws -> Int? {
        let holdsDeleted = configuration.identity.isReplica
        let relations = try QueryPreparation.relations(in: query.predicate, of: className, db)
        var compiled = try CompiledQuery(
            className, query, as: principal, holdsDeleted: holdsDeleted, excluding: excluded, by: index,
            relations: relations)
        // SQLite refuses an index that it cannot use; which one it can use depends on its version.
        if index != nil, (try? prepare(compiled.sql)) == nil || (try? prepare(compiled.countSQL)) == nil {
            compiled = try CompiledQuery(
                className, query, as: principal, holdsDeleted: holdsDeleted, excluding: excluded, relations: relations)
        }
        if query.limit > 0 {
            let statement = try prepare(compiled.sql)
            try statement.setArguments(compiled.arguments)
            try statement.forEachObject(each)
        }
        guard query.wantsCount else { return nil }
        return try Int.fetchOne(try prepare(compiled.countSQL), arguments: compiled.countArguments)
    }

    package func explain(
        _ className: String, _ query: ParseQuery, as principal: Principal, timeout: ReadTimeout
    ) throws -> [ExplainedStatement] {
        let now = environment.now()
        return try readers.query(timeout: timeout) { db, _ in
            try leavingOutDamaged(of: query.predicate.innerClassNames.union([className]), in: db) { excluded in
                var preparation = QueryPreparation(db: db, now: now, principal: principal, excluded: excluded)
                var query = query
                query.predicate = try preparation.prepared(query, of: className)
                let index = try index(for: query, of: className, in: db, isNoted: false)
                let last = try CompiledQuery(
                    className, query, as: principal, holdsDeleted: configuration.identity.isReplica,
                    excluding: excluded, by: index,
                    relations: QueryPreparation.relations(in: query.predicate, of: className, db))
                return try (preparation.statements + [last]).map { compiled in
                    let steps = try Row.fetchAll(
                        db, sql: "EXPLAIN QUERY PLAN " + compiled.sql, arguments: compiled.arguments)
                    return ExplainedStatement(sql: compiled.sql, plan: Self.plan(steps))
                }
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
    ///   - excluded: keys in `objects` of rows that are left out, by class.
    ///   - index: one that serves the query.
    ///   - relations: fields of the class that are known to be relations.
    /// - Throws: 102 for one that holds too many values.
    init(
        _ className: String, _ query: ParseQuery, as principal: Principal, holdsDeleted: Bool = true,
        excluding excluded: [String: [Int64]] = [:],
        by index: FieldIndex? = nil, relations: Set<String> = []
    ) throws {
        var compiler = QueryCompiler(className: className, as: principal, relations: relations, excluded: excluded)
        var terms = [
            index?.condition ?? "class = \(compiler.bind(className))\(holdsDeleted ? " AND view IS NOT NULL" : "")"
        ]
        let sought = index.map { compiler.sought(query.predicate, by: $0) } ?? []
        terms += sought + [compiler.conditionOnReadable(query.predicate)]
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
    /// - Parameters:
    ///   - idsMax: how many it lists at most.
    ///   - excluded: keys in `objects` of rows that are left out, by class.
    /// - Throws: 102 for one that holds too many values.
    init(
        listing query: Subquery, as principal: Principal, idsMax: Int, excluding excluded: [String: [Int64]]
    ) throws {
        var compiler = QueryCompiler(className: query.className, as: principal, excluded: excluded)
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
