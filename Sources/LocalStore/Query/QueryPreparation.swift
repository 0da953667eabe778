import GRDB
import ParseModel
import StoreService

/// Prepares a query for the compiler: replaces earlier ids of objects, relative times, and subqueries whose results the
/// compiler needs as values.
struct QueryPreparation {
    let db: Database
    let now: ParseDate
    let access: QueryAccess
    /// The primary keys of the rows of `objects` to leave out, by class.
    private let excluded: [String: [Int64]]

    /// The maximum number of values of all `$select` and `$dontSelect` in a query, because they are kept in memory.
    private static let selectedMax = 100_000
    private var selectedCount = 0
    private static let selectedBytesMax = 32 << 20
    private var selectedBytes = 0
    /// The maximum number of results of a subquery inside another subquery.
    private static let foundMax = 1_000_000
    private var found: [Subquery: String] = [:]
    /// The statements that were run to get the values of `$select`, and the results of subqueries inside subqueries.
    private(set) var statements: [CompiledQuery] = []

    init(db: Database, now: ParseDate, access: QueryAccess, excluded: [String: [Int64]]) {
        self.db = db
        self.now = now
        self.access = access
        self.excluded = excluded
    }

    /// - Throws: the errors of `QueryRules.check`; `ParseError` 102 (invalid query) for an invalid regular expression;
    ///   107 (invalid JSON) if a relative time is compared with a field that is not a Date.
    mutating func prepared(_ query: ParseQuery, of className: String) throws -> Predicate {
        try QueryRules(access.rules).check(query, of: className)
        let predicate = try TokenConditions(db: db).resolved(query.predicate, of: className)
        try checkTimes(predicate, of: className)
        let texts = try readingTexts(predicate, of: className, isPipeline: query.isPipeline)
        return try withValues(
            try AliasedPredicate(db: db).resolved(texts, of: className).resolvingTimes(now: now), of: className,
            isInside: false)
    }

    private func checkTimes(_ predicate: Predicate, of className: String) throws {
        _ = try predicate.mapConstraints { path, constraint in
            switch constraint {
            case .less(let value), .lessOrEqual(let value), .greater(let value), .greaterOrEqual(let value):
                guard RelativeTime(value) != nil, try !mayBeDate(path, of: className) else { break }
                throw ParseError(.invalidJSON, "$relativeTime can only be used with Date field")
            case .inQuery(let query), .notInQuery(let query), .select(let query, _), .dontSelect(let query, _):
                try checkTimes(query.predicate, of: query.className)
            default: break
            }
            return constraint
        }
    }

    /// The fields that the query compares with pointers and that are known to be relations.
    static func relations(in predicate: Predicate, of className: String, _ db: Database) throws -> Set<String> {
        var compared: Set<String> = []
        _ = predicate.mapConstraints { path, constraint in
            let values: [JSONValue] =
                switch constraint {
                case .equal(let value), .notEqual(let value): [value]
                case .in(let values), .notIn(let values): values
                default: []
                }
            if path.segments.count == 1, values.contains(where: { Pointer($0) != nil }) {
                compared.formUnion(path.segments)
            }
            return constraint
        }
        return try compared.filter { name in
            guard let text = try db.text("SELECT type FROM fields WHERE class = ? AND name = ?", [className, name]),
                case .relation? = try JSONReader.read(text).object.flatMap(FieldType.init(json:))
            else { return false }
            return true
        }
    }

    /// Whether the field may be a date: its type is Date or unknown, or the path leads into the field.
    private func mayBeDate(_ path: FieldPath, of className: String) throws -> Bool {
        guard path.segments.count == 1 else { return true }
        return [nil, .date].contains(try type(of: path.segments[0], in: className))
    }

    /// Replaces `$select`, `$dontSelect` and the subqueries inside subqueries by their results, and checks the regular
    /// expressions. In a single statement, each level of nested queries would triple the time.
    /// - Parameter isInside: whether the predicate belongs to a subquery. Then the subqueries in the predicate are
    ///   replaced, too.
    private mutating func withValues(
        _ predicate: Predicate, of className: String, isInside: Bool
    ) throws -> Predicate {
        try predicate.mapFields { path, constraint in
            switch constraint {
            case .regex(let pattern, let options): _ = try RegularExpression.compiled(pattern, options: options)
            case .allMatching(let patterns):
                for pattern in patterns { _ = try RegularExpression.compiled(pattern, options: "") }
            case .select(let query, let key):
                return try readingTexts(path, .in(try values(query, key)), of: className, isPipeline: false)
            case .dontSelect(let query, let key):
                return try readingTexts(path, .notIn(try values(query, key)), of: className, isPipeline: false)
            case .inQuery(let query): return .field(path, .inQuery(try withValues(query, isInside: isInside)))
            case .notInQuery(let query): return .field(path, .notInQuery(try withValues(query, isInside: isInside)))
            default: break
            }
            return .field(path, constraint)
        }
    }

    private mutating func withValues(_ query: Subquery, isInside: Bool) throws -> Subquery {
        var query = query
        query.predicate = try withValues(query.predicate, of: query.className, isInside: true)
        return isInside ? try found(query) : query
    }

    /// The subquery with its conditions replaced by the ids of its results.
    /// - Throws: `ParseError` 102 (invalid query) for too many results.
    private mutating func found(_ query: Subquery) throws -> Subquery {
        let ids: String
        if let known = found[query] {
            ids = known
        } else {
            let compiled = try CompiledQuery(
                listing: query, by: access, idsMax: Self.foundMax + 1, excluding: excluded)
            statements.append(compiled)
            let row = try db.makeStatement(sql: compiled.sql).firstRow(compiled.arguments) { ($0.text(0), $0.int(1)) }
            let (listed, count) = row ?? ("[]", 0)
            guard count <= Self.foundMax else {
                throw ParseError(
                    .invalidQuery, "a query inside of queries finds more than \(Self.foundMax) objects")
            }
            ids = listed
            found[query] = ids
        }
        var answered = Subquery(className: query.className)
        answered.foundIds = ids
        return answered
    }

    private mutating func values(_ query: Subquery, _ key: FieldPath) throws -> [JSONValue] {
        let found = ParseQuery(
            predicate: try withValues(query.predicate, of: query.className, isInside: true), limit: .max)
        let compiled = try CompiledQuery(query.className, found, by: access, excluding: excluded)
        statements.append(compiled)
        var values: [JSONValue] = []
        var known: Set<JSONValue> = []
        try db.makeStatement(sql: compiled.sql).forEachRow(compiled.arguments) { row in
            guard let object = try? row.object(1) else {
                throw StoreError.damaged(className: query.className, objectId: row.text(0))
            }
            for value in key.selected(from: object) where known.insert(value).inserted {
                values.append(value)
                selectedCount += 1
                guard selectedCount <= Self.selectedMax else {
                    throw ParseError(.invalidQuery, "$select yields more than \(Self.selectedMax) values")
                }
                selectedBytes += value.memoryBytes
                guard selectedBytes <= Self.selectedBytesMax else {
                    throw ParseError(.inefficientQuery, "the values of $select take too much memory")
                }
            }
        }
        return values
    }
}
