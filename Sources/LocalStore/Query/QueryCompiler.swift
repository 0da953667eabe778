import GRDB
import ParseModel
import StoreService

/// Compiles a Parse query to the SQL of a query on the table `objects`. Reads no data.
///
/// Values are always bound. Field names are safe in SQL, because `FieldPath` admits only letters, digits and `_`.
/// Comparisons stay within one type, as in MongoDB: a number never equals a string. An array matches if one of its
/// elements does.
struct QueryCompiler {
    /// The class of the queried objects.
    let className: String
    let access: QueryAccess
    var values = BoundValues()
    /// The subqueries, each as a named `WITH` table with the column `id`. A table can use earlier tables.
    private(set) var inner: [(name: String, sql: String)] = []
    private(set) var innerArguments: SQLiteBindings = []
    private var innerValueCount = 0
    private var tables: [Subquery: String] = [:]

    /// Whether the query selects objects by a relation. SQLite then finds the objects by the ids in `relation_members`.
    private var asksForMembers = false
    private let innerBefore: Int
    /// The relation fields that the query compares with pointers. Such a comparison reads the table `relation_members`,
    /// because an object's JSON does not contain the members of a relation.
    private let relations: Set<String>
    /// The primary keys of the rows of `objects` to leave out, by class.
    private let excluded: [String: [Int64]]

    /// A condition that is false for each object that clients see. With a constant instead, SQLite would refuse
    /// `INDEXED BY`.
    static let never = "view IS NULL"

    init(
        className: String, by access: QueryAccess, relations: Set<String> = [], excluded: [String: [Int64]] = [:]
    ) {
        self.init(className: className, by: access, innerBefore: 0, relations: relations, excluded: excluded)
    }

    /// - Parameter innerBefore: the number of subqueries that already have a table. It makes the names of further
    ///   tables unique.
    private init(
        className: String, by access: QueryAccess, innerBefore: Int, relations: Set<String> = [],
        excluded: [String: [Int64]]
    ) {
        self.excluded = excluded
        self.className = className
        self.access = access
        self.innerBefore = innerBefore
        self.relations = relations
    }

    /// The `WITH` clause with the tables of the subqueries, for the start of a statement; empty without subqueries.
    var prefix: String {
        inner.isEmpty ? "" : "WITH " + inner.map { "\($0.name) AS (\($0.sql))" }.joined(separator: ", ") + " "
    }

    /// The SQL condition for the objects that match the predicate and that the principal may read. Damaged rows are left out.
    /// - Parameter operation: the operation for which the principal needs the right. Without the right, no object meets
    ///   the condition.
    mutating func conditionOnReadable(_ predicate: Predicate, for operation: AccessRules.Operation) -> String {
        var readable = predicate
        switch access.rules(of: className).verdict(on: operation) {
        case .allowed: break
        case .refused: return Self.never
        case .limited(let limit): readable = .and([limit, predicate])
        }
        let acl = isReadableByACL()
        let matching = conditionOnSound(readable)
        return acl.map { "\($0) AND \(matching)" } ?? matching
    }

    /// The SQL condition for the objects that match the predicate and are not damaged.
    private mutating func conditionOnSound(_ predicate: Predicate) -> String {
        let condition = condition(predicate)
        guard let keys = excluded[className], !keys.isEmpty else { return condition }
        // `condition` fails on damaged rows, and SQLite evaluates the terms of AND in any order. So CASE compares the key first.
        return "CASE WHEN pk NOT IN (\(keys.map(String.init).joined(separator: ", "))) THEN \(condition) ELSE 0 END"
    }

    /// The SQL condition of a predicate, without `WHERE`.
    mutating func condition(_ predicate: Predicate) -> String {
        switch predicate {
        case .and(let parts): all(parts)
        case .or(let parts): any(parts)
        case .nor(let parts): "NOT coalesce(\(any(parts)), 0)"
        case .field(let path, let constraint): self.constraint(constraint, FieldColumn(path))
        case .relatedTo(let owner, let field): isMember(of: owner, field)
        }
    }

    private mutating func constraint(_ constraint: Constraint, _ column: FieldColumn) -> String {
        switch constraint {
        case .equal(let value): matches(column, value)
        case .notEqual(let value): "NOT \(matchesOrHolds(column, value))"
        case .in(let values): anyOf(column, values)
        case .notIn(let values): "NOT \(anyOf(column, values))"
        case .all(let values): allOf(column, values)
        case .containedBy(let values): isContained(column, in: values)
        case .exists(let exists): column.exists(exists)
        case .existsUnlessRelation(let exists):
            isRelation(column)
                ? "1" : "(\(column.exists(exists)) OR coalesce(\(column.own.member("__type")) = 'Relation', 0))"
        case .less(let value): compares(column, "<", value)
        case .lessOrEqual(let value): compares(column, "<=", value)
        case .greater(let value): compares(column, ">", value)
        case .greaterOrEqual(let value): compares(column, ">=", value)
        case .regex(let pattern, let options): fits(oneOf: [column], pattern, options)
        case .allMatching(let patterns):
            Self.joined(patterns.map { fits(oneOf: [column], $0, "") }, "AND") ?? Self.never
        case .text(let search): isFound(column, search)
        case .near(let point, let max): FieldColumn.stoppable(isNear(column, point, maxDistanceRadians: max))
        case .within(let area): FieldColumn.stoppable(isWithin(column, area))
        case .surrounds(let point): FieldColumn.stoppable(isAround(column, point))
        case .inQuery(let query): pointsInto(column, query)
        case .notInQuery(let query): "NOT \(pointsInto(column, query))"
        // These cases do not occur: `QueryPreparation` has replaced `$select` and `$dontSelect` by the selected values.
        case .select: Self.never
        case .dontSelect: "1"
        }
    }

    /// The SQL condition that at least one of the parts is true.
    private mutating func any(_ parts: [Predicate]) -> String {
        let (shared, others) = SharedField.ofAlternatives(parts)
        let (patterns, rest) = SharedPattern.ofAlternatives(others)
        let terms =
            rest.map { condition($0) } + patterns.map { fits(oneOf: $0.columns, $0.pattern, $0.options) }
            + shared.map { anyOf(FieldColumn($0.path), $0.values, or: $0.others) }
        return Self.joined(terms, "OR") ?? Self.never
    }

    /// The SQL condition that all parts are true.
    private mutating func all(_ parts: [Predicate]) -> String {
        let (equal, unequal, rest) = SharedField.ofRequired(parts)
        let terms =
            rest.map { condition($0) } + equal.map { allOf(FieldColumn($0.path), $0.values) }
            + unequal.map { "NOT \(anyOf(FieldColumn($0.path), $0.values))" }
        return Self.joined(terms, "AND") ?? "1"
    }

    /// The SQL condition that the text of at least one of the columns matches the pattern.
    private mutating func fits(oneOf columns: [FieldColumn], _ pattern: String, _ options: String) -> String {
        let test = columns.allSatisfy { $0.storedColumn == nil } ? mentions(pattern, options) : nil
        let fits = columns.map { column in column.orElement { values.fits($0, pattern, options) } }
        let condition = Self.joined(fits, "OR") ?? Self.never
        return test.map { "(\($0) AND \(condition))" } ?? condition
    }

    /// An SQL condition that every object with a text that matches the pattern meets; nil if there is none.
    private mutating func mentions(_ pattern: String, _ options: String) -> String? {
        guard let literal = LiteralPattern(pattern, options: options) else { return nil }
        return "\(QueryFunctions.mentions)(view, \(bind(literal.text)), \(literal.ignoresCase ? 1 : 0))"
    }

    /// Joins SQL terms by the operator `sign` as a balanced tree, because SQLite limits the depth of expressions. Nil
    /// without terms.
    static func joined(_ terms: [String], _ sign: String) -> String? {
        guard terms.count > 1 else { return terms.first }
        let middle = terms.count / 2
        guard let first = joined(Array(terms[..<middle]), sign), let second = joined(Array(terms[middle...]), sign)
        else { return nil }
        return "(\(first) \(sign) \(second))"
    }

    var arguments: SQLiteBindings { values.bindings }
    /// The number of bound values, including those of subqueries.
    var valueCount: Int { arguments.count + innerValueCount }

    mutating func bind(_ value: any SQLiteBindable) -> String { values.bind(value) }
    mutating func list(_ listed: [JSONValue]) -> String { values.list(listed) }

    // MARK: Order

    /// The `ORDER BY` list of a query. Call this after the condition is compiled, because the list's bound values come later in
    /// the SQL.
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

    /// An `ORDER BY` list. Objects with equal keys are sorted in the order in which they were first stored.
    func order(_ keys: [SortKey]) -> String {
        // The unary plus keeps SQLite from using the index for the order: if a relation selects only a few objects,
        // SQLite must not scan the whole class.
        let sign = asksForMembers ? "+" : ""
        let terms = keys.map { sign + FieldColumn($0.path).sortExpression + ($0.descending ? " DESC" : "") }
        // With `objectId` as a key, the order is already unique, so `pk` is left out. With `pk` after `id`, SQLite
        // would not use the index of update times for the order, and would read the whole index of ids.
        let isTotal = keys.contains { FieldColumn($0.path).storedColumn == .id }
        return (terms + (isTotal ? [] : ["pk"])).joined(separator: ", ")
    }

    // MARK: Relations

    /// The SQL condition for members of a relation of `owner`. All members of a relation belong to one class. No object
    /// meets the condition if the principal may not read the owner or the relation field.
    private mutating func isMember(of owner: Pointer, _ field: String) -> String {
        asksForMembers = true
        var isReadable = ""
        if !access.principal.readsEverything {
            guard access.rules(of: owner.className).showsRelation(field, of: owner.objectId) else { return Self.never }
            // If the path cannot be made, no object counts as a member.
            let owners = (try? FieldPath("objectId")).map { path in
                Subquery(className: owner.className, predicate: .field(path, .equal(.string(owner.objectId))))
            }
            isReadable = owners.map { " AND EXISTS (SELECT 1 FROM \(table(of: $0)))" } ?? " AND \(Self.never)"
        }
        return """
            id IN (SELECT member_id FROM relation_members WHERE class = \(bind(owner.className)) \
            AND id = \(bind(owner.objectId)) AND field = \(bind(field)) AND member_class = \(bind(className)) AND in_view\
            \(isReadable))
            """
    }

    /// The SQL condition for objects with one of the ids as a member of their relation; nil if the column cannot be a
    /// relation.
    /// - Parameter ids: makes the list of ids for SQL's `IN`, with bound values.
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

    /// Adds a subquery as a named table of the `WITH` clause, unless the statement already has it.
    /// - Returns: the name of the table, which contains the ids of the subquery's results.
    mutating func table(of query: Subquery) -> String {
        if let table = tables[query] { return table }
        var compiler = QueryCompiler(
            className: query.className, by: access, innerBefore: innerBefore + inner.count, excluded: excluded)
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
        innerValueCount += compiler.valueCount
        return name
    }

    /// The SQL of the ids that a subquery finds.
    private mutating func selection(of query: Subquery) -> String {
        var condition = "class = \(bind(query.className)) AND view IS NOT NULL"
        condition += " AND " + conditionOnReadable(query.predicate, for: query.reading)
        return "SELECT id FROM objects WHERE \(condition)"
    }

    /// A statement that returns one row: the ids that a query finds as a JSON array, and their number.
    /// - Parameter max: the maximum number of ids.
    mutating func list(of query: Subquery, max: Int) -> String {
        let selection = selection(of: query)
        return "\(prefix)SELECT json_group_array(id), count(*) FROM (SELECT id FROM (\(selection)) LIMIT \(bind(max)))"
    }

    /// The SQL condition of a query, and the SQL for `FROM` if SQLite must search in an index (otherwise nil).
    /// - Parameter operation: the operation for which the principal needs the right.
    mutating func whole(
        _ query: ParseQuery, for operation: AccessRules.Operation, holdsDeleted: Bool, by index: FieldIndex?
    ) -> (condition: String, finding: String?) {
        var terms = [index?.condition ?? "class = \(bind(className))\(holdsDeleted ? " AND view IS NOT NULL" : "")"]
        let (sought, rest) = index.map { divide(query.predicate, by: $0) } ?? ([], query.predicate)
        terms += sought + [conditionOnReadable(rest, for: operation)]
        // SQLite refuses `INDEXED BY` for an index that it can use neither to search nor to sort.
        let finding = index.flatMap { sought.isEmpty ? nil : "objects INDEXED BY \"\($0.name)\"" }
        return (terms.joined(separator: " AND "), finding)
    }

    /// The SQL condition for the objects whose ACL lets the principal read; nil if the ACLs need no test.
    mutating func isReadableByACL() -> String? {
        switch access.aclTest {
        case .none: nil
        case .ofPublic: "acl <= 0"
        case .byNumbers(let entities):
            "(acl <= 0 OR acl IN (SELECT acl FROM acl_readers WHERE entity IN (SELECT value FROM json_each(\(bind(entities))))))"
        case .byReaders(let entities):
            // The unary plus makes SQLite search by the ACL, which has few readers, instead of searching by each of the
            // principal's entities.
            """
            (acl <= 0 OR EXISTS (SELECT 1 FROM acl_readers r INDEXED BY acl_readers_by_acl WHERE r.acl = objects.acl \
            AND +r.entity IN (SELECT value FROM json_each(\(bind(entities))))))
            """
        }
    }
}
