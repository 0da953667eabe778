import GRDB
import ParseModel
import StoreService

/// Puts into a query what only the store knows: the present names of objects, the time, and the values that queries
/// inside of it select.
struct QueryPreparation {
    let db: Database
    let now: ParseDate
    let principal: Principal
    /// Keys in `objects` of rows that are left out, by class.
    private let excluded: [String: [Int64]]

    /// How many values all the `$select` of a query may yield: they are kept in memory.
    private static let selectedMax = 100_000
    private var selectedCount = 0
    /// How many objects a query may find that stands inside of a query which itself stands inside of one.
    private static let foundMax = 1_000_000
    private var found: [Subquery: String] = [:]
    /// The statements for the values of `$select`, and for queries inside of queries.
    private(set) var statements: [CompiledQuery] = []

    init(db: Database, now: ParseDate, principal: Principal, excluded: [String: [Int64]]) {
        self.db = db
        self.now = now
        self.principal = principal
        self.excluded = excluded
    }

    /// - Throws: the errors of `AccessRules.check`; 102 for an invalid regular expression; 107 for a relative time beside a
    ///   field of another type than Date.
    mutating func prepared(_ query: ParseQuery, of className: String) throws -> Predicate {
        try AccessRules.check(query, of: className, as: principal)
        try checkTimes(query.predicate, of: className)
        let predicate = try readingTexts(query.predicate, of: className, isPipeline: query.isPipeline)
        return try withValues(try resolvingAliases(predicate, of: className).resolvingTimes(now: now), isInside: false)
    }

    /// A query may name an object by an id that the remote has replaced.
    private func resolvingAliases(_ predicate: Predicate, of className: String) throws -> Predicate {
        let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM aliases)")
        guard try Bool.fetchOne(statement) == true else { return predicate }
        let byAlias = try db.cachedStatement(sql: "SELECT id FROM aliases WHERE class = ? AND alias = ?")
        var failure: (any Error)?
        let resolved = predicate.replacingIds(of: className) { named in
            do {
                let id = try String.fetchOne(byAlias, arguments: [named.className, named.objectId])
                return id.map { Pointer(className: named.className, objectId: $0) } ?? named
            } catch {
                failure = error
                return named
            }
        }
        if let failure { throw failure }
        return resolved
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

    /// Fields that the query compares with pointers and that are known to be relations.
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
        let statement = try db.cachedStatement(sql: "SELECT type FROM fields WHERE class = ? AND name = ?")
        return try compared.filter { name in
            guard let text = try String.fetchOne(statement, arguments: [className, name]),
                case .relation? = try JSONReader.read(text).object.flatMap(FieldType.init(json:))
            else { return false }
            return true
        }
    }

    /// Whether nothing is known of a field that speaks against its being a date.
    private func mayBeDate(_ path: FieldPath, of className: String) throws -> Bool {
        guard path.segments.count == 1 else { return true }
        return [nil, .date].contains(try type(of: path.segments[0], in: className))
    }

    /// - Parameter isInside: the predicate is of a query inside the query. A query that is still deeper is carried out here, by a
    ///   statement of its own: in one statement SQLite would read each level once for each place where the level around it
    ///   names it, three times as much with every level, and nothing interrupts its reading.
    private mutating func withValues(_ predicate: Predicate, isInside: Bool) throws -> Predicate {
        try predicate.mapConstraints { _, constraint in
            switch constraint {
            case .regex(let pattern, let options): _ = try RegularExpression.compiled(pattern, options: options)
            case .allMatching(let patterns):
                for pattern in patterns { _ = try RegularExpression.compiled(pattern, options: "") }
            case .select(let query, let key): return .in(try values(query, key))
            case .dontSelect(let query, let key): return .notIn(try values(query, key))
            case .inQuery(let query): return .inQuery(try withValues(query, isInside: isInside))
            case .notInQuery(let query): return .notInQuery(try withValues(query, isInside: isInside))
            default: break
            }
            return constraint
        }
    }

    private mutating func withValues(_ query: Subquery, isInside: Bool) throws -> Subquery {
        var query = query
        query.predicate = try withValues(query.predicate, isInside: true)
        return isInside ? try found(query) : query
    }

    /// The query by the ids that it finds.
    /// - Throws: 102 for too many of them.
    private mutating func found(_ query: Subquery) throws -> Subquery {
        let ids: String
        if let known = found[query] {
            ids = known
        } else {
            let compiled = try CompiledQuery(
                listing: query, as: principal, idsMax: Self.foundMax + 1, excluding: excluded)
            statements.append(compiled)
            let row = try Row.fetchOne(try db.makeStatement(sql: compiled.sql), arguments: compiled.arguments)
            let count: Int = row?[1] ?? 0
            guard count <= Self.foundMax else {
                throw ParseError(
                    .invalidQuery, "a query inside of queries finds more than \(Self.foundMax) objects")
            }
            ids = row?[0] ?? "[]"
            found[query] = ids
        }
        var answered = Subquery(className: query.className)
        answered.foundIds = ids
        return answered
    }

    private mutating func values(_ query: Subquery, _ key: FieldPath) throws -> [JSONValue] {
        let found = ParseQuery(
            predicate: try withValues(query.predicate, isInside: true), order: query.order, limit: query.limit ?? .max,
            skip: query.skip)
        let compiled = try CompiledQuery(query.className, found, as: principal, excluding: excluded)
        statements.append(compiled)
        var values: [JSONValue] = []
        var known: Set<JSONValue> = []
        let rows = try Row.fetchCursor(try db.makeStatement(sql: compiled.sql), arguments: compiled.arguments)
        while let row = try rows.next() {
            guard let object = try? JSONReader.read(row[1] as String, depthMax: JSONReader.storedDepthMax).object else {
                throw StoreError.damaged(className: query.className, objectId: row[0])
            }
            for value in key.selected(from: object) where known.insert(value).inserted {
                values.append(value)
                selectedCount += 1
                guard selectedCount <= Self.selectedMax else {
                    throw ParseError(.invalidQuery, "$select yields more than \(Self.selectedMax) values")
                }
            }
        }
        return values
    }
}
