import GRDB
import ParseModel
import StoreService

/// Runs one query on behalf of a principal.
struct QueryRunner {
    let db: Database
    let principal: Principal
    /// Returns the principal's rights on a class.
    let rules: (_ className: String) throws -> AccessRules
    let damaged: DamagedObjects
    let indexes: IndexKeeper
    let environment: Environment
    /// Whether rows can lack a view because the object was deleted here and not on the remote yet.
    let holdsDeleted: Bool
    /// Whether the store enforces ACLs.
    let isEnforced: Bool
    /// The present time, for relative dates in the query.
    let now: ParseDate

    /// Runs a query, and passes each result to `each`.
    /// - Returns: the number of matching objects, regardless of limit and skip; nil if the query does not ask for it.
    func find(
        _ className: String, _ query: ParseQuery, _ prepare: ReaderPool.Prepare,
        each: (StoredObject) throws -> Void
    ) throws -> Int? {
        let classNames = query.predicate.classNames.union([className])
        let access = try access(to: classNames)
        let rules = access.rules(of: className)
        var given = 0
        return try leavingOutDamaged(of: classNames, in: db) { excluded in
            var preparation = QueryPreparation(db: db, now: now, access: access, excluded: excluded)
            var query = query
            query.predicate = try preparation.prepared(query, of: className)
            let (index, missing) = try index(for: query, of: className, in: db)
            // If a query runs a second time, the second run does not count for the statistics of indexes.
            let isNoted = given == 0
            let began = environment.uptime()
            if isNoted, let index { indexes.noteUse(index, at: began) }
            defer {
                let now = environment.uptime()
                if isNoted, let missing, missing.order == nil || given >= indexes.limits.orderObjectsMin {
                    indexes.noteMiss(missing, lasting: now - began, at: now)
                }
            }
            // If the first run finds damage, the query runs again on the same snapshot. The second run skips the
            // objects that the first run has already returned.
            var toSkip = given
            let checksRows = !damaged.areAllKnown
            let count = try run(query, of: className, access, by: index, excluding: excluded, in: db, prepare) {
                object in
                if checksRows { _ = try object.fields(of: className) }
                guard toSkip == 0 else {
                    toSkip -= 1
                    return
                }
                try each(object.shown(by: rules))
                given += 1
            }
            if checksRows { try noteMissing(given, query, of: className, access, excluding: excluded) }
            return count
        }
    }

    /// Compares the number of listed objects with the stored count of the class, for a query without conditions. A
    /// damaged index can hide objects from lists.
    private func noteMissing(
        _ given: Int, _ query: ParseQuery, of className: String, _ access: QueryAccess,
        excluding excluded: [String: [Int64]]
    ) throws {
        guard given < query.limit,
            let whole = try WholeCount(db: db, access: access, excluded: [:]).count(query, of: className)
        else { return }
        let expected = whole - excluded[className, default: []].count - query.skip
        damaged.noteMissing(max(0, min(query.limit, expected) - given), of: className)
    }

    /// The statements of the query, with their plans. Statements whose results a later statement needs are also run.
    func explain(_ className: String, _ query: ParseQuery) throws -> [ExplainedStatement] {
        let classNames = query.predicate.classNames.union([className])
        let access = try access(to: classNames)
        return try leavingOutDamaged(of: classNames, in: db) { excluded in
            var preparation = QueryPreparation(db: db, now: now, access: access, excluded: excluded)
            var query = query
            query.predicate = try preparation.prepared(query, of: className)
            let (index, _) = try index(for: query, of: className, in: db)
            let last = try CompiledQuery(
                className, query, by: access, holdsDeleted: holdsDeleted, excluding: excluded, using: index,
                relations: QueryPreparation.relations(in: query.predicate, of: className, db))
            return try (preparation.statements + [last]).map { compiled in
                let statement = try db.makeStatement(sql: "EXPLAIN QUERY PLAN " + compiled.sql)
                let steps = try statement.rows(compiled.arguments) { row in
                    PlanStep(id: row.int(0), parent: row.int(1), detail: row.text(3))
                }
                return ExplainedStatement(sql: compiled.sql, plan: Self.plan(steps))
            }
        }
    }

    private func access(to classNames: Set<String>) throws -> QueryAccess {
        try QueryAccess(principal, to: classNames, isEnforced: isEnforced, in: db, rules: rules)
    }

    /// A row of `EXPLAIN QUERY PLAN`.
    private struct PlanStep {
        let id: Int
        let parent: Int
        let detail: String
    }

    private static func plan(_ steps: [PlanStep]) -> [String] {
        var depths: [Int: Int] = [0: -1]
        return steps.map { step in
            let depth = (depths[step.parent] ?? -1) + 1
            depths[step.id] = depth
            return String(repeating: "  ", count: depth) + step.detail
        }
    }

    /// Runs `read` without the known damaged rows. If `read` fails because of another damaged row, searches the classes
    /// for damage and runs `read` once more.
    /// - Parameter read: receives the primary keys of the damaged rows of `objects`, by class.
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

    /// Runs a prepared query.
    /// - Parameter excluded: the primary keys of damaged rows of `objects`, by class. They are left out.
    private func run(
        _ query: ParseQuery, of className: String, _ access: QueryAccess, by index: FieldIndex?,
        excluding excluded: [String: [Int64]],
        in db: Database, _ prepare: ReaderPool.Prepare, each: (StoredObject) throws -> Void
    ) throws -> Int? {
        let relations = try QueryPreparation.relations(in: query.predicate, of: className, db)
        var compiled = try CompiledQuery(
            className, query, by: access, holdsDeleted: holdsDeleted, excluding: excluded, using: index,
            relations: relations)
        // Some versions of SQLite refuse an index that the statement cannot use. The query then runs without the index.
        if index != nil, (try? prepare(compiled.sql)) == nil || (try? prepare(compiled.countSQL)) == nil {
            compiled = try CompiledQuery(
                className, query, by: access, holdsDeleted: holdsDeleted, excluding: excluded, relations: relations)
        }
        if query.limit > 0 {
            var hasRow = false
            func read(_ row: SQLiteRow) throws {
                hasRow = true
                try each(StoredObject(row))
            }
            try QueryMemory.bounded {
                try prepare(compiled.sql).forEachRow(compiled.arguments, read)
            } orIf: {
                // A statement that sorts returns its first row only after it has read all rows.
                !hasRow && (query.ordersByScore || !query.order.isEmpty || query.predicate.center != nil)
            } _: {
                try db.makeStatement(sql: compiled.sparingSQL).forEachRow(compiled.arguments, read)
            }
        }
        guard query.wantsCount else { return nil }
        let whole = try WholeCount(db: db, access: access, excluded: excluded).count(query, of: className)
        if let whole { return whole }
        return try prepare(compiled.countSQL).firstRow(compiled.countArguments) { $0.int(0) }
    }

    /// Chooses the index for a query.
    /// - Returns: the best existing index (`best`), nil if the query can use none; and an index that does not exist and
    ///   would be better (`missing`), nil if there is none.
    private func index(
        for query: ParseQuery, of className: String, in db: Database
    ) throws -> (best: FieldIndex?, missing: FieldIndex?) {
        let wanted = query.indexablePaths.filter { FieldIndex(className: className, path: $0) != nil }
        guard let first = wanted.first else { return (nil, nil) }
        let present = try indexes.present(in: db).filter { $0.className == className }
        var best: FieldIndex?
        for path in wanted where best == nil {
            let order = query.order(behind: path)
            let onPath = present.filter { $0.path == path }
            best = onPath.first { $0.order == order } ?? onPath.first
            if let found = best, try db.isTrue(found.hasListsSQL) { best = nil }
        }
        let onFirst = present.filter { $0.path == first }
        guard !onFirst.isEmpty else { return (best, FieldIndex(className: className, path: first)) }
        guard let order = query.order(behind: first), !onFirst.contains(where: { $0.order == order }) else {
            return (best, nil)
        }
        return (best, FieldIndex(className: className, path: first, order: order))
    }
}
