import GRDB
import ParseModel

/// Turns a Parse query into SQL over the `objects` table. Pure: it reads nothing.
///
/// Values are always bound; field names are safe by `FieldPath`'s rule. Comparisons keep to one type, as MongoDB's do:
/// a number never equals a string, and a field that holds an array matches where one of its elements does.
struct QueryCompiler {
    /// The class of the objects that are looked for.
    let className: String
    private let principal: Principal
    private(set) var arguments = StatementArguments()
    /// How many values the SQL binds, also in the queries inside of it.
    private(set) var valueCount = 0
    /// Queries inside the query, each as a table of one column, `id`. Later ones may ask the ones before them.
    private(set) var inner: [(name: String, sql: String)] = []
    private(set) var innerArguments = StatementArguments()
    private var tables: [Subquery: String] = [:]

    /// Whether the members of one relation are looked for, by whose ids SQLite finds them.
    private var asksForMembers = false
    private let innerBefore: Int
    /// Fields of the class that are known to be relations: no object has a value of them that a pointer could equal.
    private let relations: Set<String>
    /// Keys in `objects` of rows that no part of the query reads, by class.
    private let excluded: [String: [Int64]]

    /// A condition that holds for no object. To SQLite it is none that it could tell without looking: told to take an index
    /// for a condition that is false by itself, it has no solution.
    static let never = "view IS NULL"

    init(
        className: String, as principal: Principal, relations: Set<String> = [], excluded: [String: [Int64]] = [:]
    ) {
        self.init(className: className, as: principal, innerBefore: 0, relations: relations, excluded: excluded)
    }

    /// - Parameter innerBefore: how many queries inside the whole query have names already.
    private init(
        className: String, as principal: Principal, innerBefore: Int, relations: Set<String> = [],
        excluded: [String: [Int64]]
    ) {
        self.excluded = excluded
        self.className = className
        self.principal = principal
        self.innerBefore = innerBefore
        self.relations = relations
    }

    /// What goes before `SELECT`.
    var prefix: String {
        inner.isEmpty ? "" : "WITH " + inner.map { "\($0.name) AS (\($0.sql))" }.joined(separator: ", ") + " "
    }

    /// The condition for the rows that the principal may read and whose JSON is not damaged.
    mutating func conditionOnReadable(_ predicate: Predicate) -> String {
        guard AccessRules.refusal(of: .list, className, to: principal) == nil else { return Self.never }
        let condition = condition(predicate)
        guard let keys = excluded[className], !keys.isEmpty else { return condition }
        // A term of AND may be looked at in any order; CASE keeps the others from a row that they would fail on.
        return "CASE WHEN pk NOT IN (\(keys.map(String.init).joined(separator: ", "))) THEN \(condition) ELSE 0 END"
    }

    /// A condition without `WHERE`.
    mutating func condition(_ predicate: Predicate) -> String {
        switch predicate {
        case .and(let parts): Self.joined(parts.map { condition($0) }, "AND") ?? "1"
        case .or(let parts): Self.joined(parts.map { condition($0) }, "OR") ?? Self.never
        case .nor(let parts): "NOT coalesce(\(Self.joined(parts.map { condition($0) }, "OR") ?? Self.never), 0)"
        case .field(let path, let constraint): self.constraint(constraint, FieldColumn(path))
        case .relatedTo(let owner, let field): isMember(of: owner, field)
        }
    }

    private mutating func constraint(_ constraint: Constraint, _ column: FieldColumn) -> String {
        switch constraint {
        case .equal(let value): matches(column, value)
        case .notEqual(let value): "NOT \(matches(column, value))"
        case .in(let values): anyOf(column, values)
        case .notIn(let values): "NOT \(anyOf(column, values))"
        case .all(let values): Self.joined(values.map { matches(column, $0) }, "AND") ?? Self.never
        case .containedBy(let values): isContained(column, in: values)
        case .exists(let exists): column.exists(exists)
        case .less(let value): compares(column, "<", value)
        case .lessOrEqual(let value): compares(column, "<=", value)
        case .greater(let value): compares(column, ">", value)
        case .greaterOrEqual(let value): compares(column, ">=", value)
        case .regex(let pattern, let options): fits(column, pattern, options)
        case .allMatching(let patterns): Self.joined(patterns.map { fits(column, $0, "") }, "AND") ?? Self.never
        case .text(let search): isFound(column, search)
        case .near(let point, let max): isNear(column, point, maxDistanceRadians: max)
        case .within(let area): isWithin(column, area)
        case .surrounds(let point): isAround(column, point)
        case .inQuery(let query): pointsInto(column, query)
        case .notInQuery(let query): "NOT \(pointsInto(column, query))"
        // A store puts the values in before it has this compiled.
        case .select: Self.never
        case .dontSelect: "1"
        }
    }

    private mutating func fits(_ column: FieldColumn, _ pattern: String, _ options: String) -> String {
        column.orElement {
            "\($0.type) = 'text' AND \(QueryFunctions.regex)(\(bind(pattern)), \(bind(options)), \($0.value))"
        }
    }

    /// SQLite bounds how deep an expression nests, and of operators in a row each counts; so the tree is a balanced one.
    static func joined(_ terms: [String], _ sign: String) -> String? {
        guard terms.count > 1 else { return terms.first }
        let middle = terms.count / 2
        guard let first = joined(Array(terms[..<middle]), sign), let second = joined(Array(terms[middle...]), sign)
        else { return nil }
        return "(\(first) \(sign) \(second))"
    }

    mutating func bind(_ value: some DatabaseValueConvertible) -> String {
        arguments += [value]
        valueCount += 1
        return "?"
    }

    // MARK: Order

    /// An `ORDER BY` list. Its values go after those of the condition.
    mutating func order(of query: ParseQuery) -> String {
        var terms: [String] = []
        if query.ordersByScore, let (path, search) = query.predicate.textSearch {
            terms.append(score(FieldColumn(path), search) + " DESC")
        }
        if query.ordersByDistance, let (path, point) = query.predicate.center {
            terms.append(distance(FieldColumn(path), point))
        }
        return (terms + [order(query.order)]).joined(separator: ", ")
    }

    /// An `ORDER BY` list. Objects that no key tells apart come in the order of their making.
    func order(_ keys: [SortKey]) -> String {
        // A plus keeps SQLite from walking through the whole class in this order to look for a few members on the way.
        let sign = asksForMembers ? "+" : ""
        return (keys.map { sign + FieldColumn($0.path).sortExpression + ($0.descending ? " DESC" : "") } + ["pk"])
            .joined(separator: ", ")
    }

    // MARK: Relations

    /// A relation holds objects of one class; asked about another one it has no members.
    private mutating func isMember(of owner: Pointer, _ field: String) -> String {
        asksForMembers = true
        return """
            id IN (SELECT member_id FROM relation_members WHERE class = \(bind(owner.className)) \
            AND id = \(bind(owner.objectId)) AND field = \(bind(field)) AND member_class = \(bind(className)) AND in_view)
            """
    }

    /// A relation equals a pointer where the object is one of its members.
    /// - Parameter ids: a list of ids in SQL, as it goes after `IN`, with its values bound.
    mutating func hasMember(
        _ column: FieldColumn, _ memberClass: String, _ ids: (inout QueryCompiler) -> String
    ) -> String? {
        guard let field = column.relationName else { return nil }
        if isRelation(column) { asksForMembers = true }
        return """
            id IN (SELECT id FROM relation_members INDEXED BY relation_members_by_member \
            WHERE class = \(bind(className)) AND field = \(bind(field)) \
            AND member_class = \(bind(memberClass)) AND member_id IN \(ids(&self)) AND in_view)
            """
    }

    func isRelation(_ column: FieldColumn) -> Bool { column.relationName.map(relations.contains) ?? false }

    // MARK: Queries inside the query

    private mutating func pointsInto(_ column: FieldColumn, _ query: Subquery) -> String {
        guard column.storedColumn == nil else { return Self.never }
        let ids = "(SELECT id FROM \(table(of: query)))"
        let points = column.orElement {
            "\($0.type) = 'object' AND \($0.member("__type")) = 'Pointer' "
                + "AND \($0.member("className")) = \(bind(query.className)) AND \($0.member("objectId")) IN \(ids)"
        }
        guard let hasMember = hasMember(column, query.className, { _ in ids }) else { return points }
        return "(\(points) OR \(hasMember))"
    }

    /// - Returns: the name of the table that holds what the query finds.
    mutating func table(of query: Subquery) -> String {
        if let table = tables[query] { return table }
        var compiler = QueryCompiler(
            className: query.className, as: principal, innerBefore: innerBefore + inner.count, excluded: excluded)
        let selection: String
        if let ids = query.foundIds {
            selection = "SELECT value AS id FROM json_each(\(compiler.bind(ids)))"
        } else {
            selection = compiler.selection(of: query)
        }
        inner += compiler.inner
        innerArguments += compiler.innerArguments
        let name = "inner_\(innerBefore + inner.count + 1)"
        tables[query] = name
        inner.append((name, selection))
        innerArguments += compiler.arguments
        valueCount += compiler.valueCount
        return name
    }

    /// The statement that finds the ids of a query inside the query.
    private mutating func selection(of query: Subquery) -> String {
        var condition = "class = \(bind(query.className)) AND view IS NOT NULL"
        condition += " AND " + conditionOnReadable(query.predicate)
        if query.limit != nil || query.skip > 0 {
            let found = ParseQuery(predicate: query.predicate, order: query.order)
            condition += " ORDER BY \(order(of: found)) LIMIT \(bind(query.limit ?? -1)) OFFSET \(bind(query.skip))"
        }
        return "SELECT id FROM objects WHERE \(condition)"
    }

    /// The statement that finds the ids of a query, as one JSON array in one row, beside their number.
    /// - Parameter max: how many ids are listed at most.
    mutating func list(of query: Subquery, max: Int) -> String {
        let selection = selection(of: query)
        return "\(prefix)SELECT json_group_array(id), count(*) FROM (SELECT id FROM (\(selection)) LIMIT \(bind(max)))"
    }
}
