/// An expression of `$filter` or `$orderby`.
indirect enum FilterExpression: Sendable {
    enum Comparison: String, Sendable {
        case eq, ne, gt, ge, lt, le
    }

    enum Arithmetic: String, Sendable {
        case add, sub, mul, div, mod
    }

    case literal(Cell)
    /// A column by its name in the request.
    case column(String)
    case not(FilterExpression)
    case negative(FilterExpression)
    case and(FilterExpression, FilterExpression)
    case or(FilterExpression, FilterExpression)
    case comparison(Comparison, FilterExpression, FilterExpression)
    case arithmetic(Arithmetic, FilterExpression, FilterExpression)
    case call(FilterFunction, [FilterExpression])
    /// The operator `in` with its list.
    case membership(FilterExpression, [FilterExpression])

    /// The direct parts of the expression.
    var parts: [FilterExpression] {
        switch self {
        case .literal, .column: []
        case .not(let part), .negative(let part): [part]
        case .and(let a, let b), .or(let a, let b), .comparison(_, let a, let b), .arithmetic(_, let a, let b): [a, b]
        case .call(_, let arguments): arguments
        case .membership(let part, let list): [part] + list
        }
    }

    /// The nesting of `and` and `or`.
    var logicalDepth: Int {
        switch self {
        case .and(let a, let b), .or(let a, let b): max(a.logicalDepth, b.logicalDepth) + 1
        case .not(let part): part.logicalDepth + 1
        default: 0
        }
    }
}

extension TablesServer {
    /// Whether all known servers evaluate a filter alike: it compares columns with literals, and joins comparisons by `and` and
    /// `or`.
    package static func isPortable(_ filter: String, _ dialect: Dialect) -> Bool {
        (try? FilterParser.filter(filter, dialect: dialect))?.isPortable == true
    }
}

extension FilterExpression {
    fileprivate var isPortable: Bool {
        switch self {
        case .literal(.bool), .comparison(_, .column, .negative(.literal(.number))): true
        case .comparison(let operation, .column, .literal(let cell)): !cell.isNull || [.eq, .ne].contains(operation)
        case .and(let a, let b), .or(let a, let b): a.isPortable && b.isPortable
        default: false
        }
    }
}

/// A function of a filter.
enum FilterFunction: String, Sendable, CaseIterable {
    case tolower, toupper, trim, concat, replace, substring, length, indexof
    case startswith, endswith, substringof, contains
    case round, floor, ceiling
    case year, month, day, hour, minute, second

    /// The functions that a dialect knows.
    static func known(in dialect: TablesServer.Dialect) -> Set<FilterFunction> {
        // OData 3 and 4 differ in the search for a text; `replace` belongs to OData 2 and 3.
        switch dialect {
        case .azure: Set(allCases).subtracting([.contains])
        case .community: Set(allCases).subtracting([.substringof, .replace])
        }
    }
}

/// The reason why a query cannot be answered.
enum QueryError: Error {
    /// The text of an option is wrong.
    case malformed(String)
    /// The query names a column that the table does not have, or contains a function that the database reports in the same way.
    case unknownColumn(String)
    /// The database refuses the query.
    case engine(String)
    /// A value of an option is outside its limits.
    case outOfBounds(String)
}
