import ParseModel

/// Evaluates expressions on the rows of one table.
///
/// In the Azure dialect the results are those of the Node server on SQLite: a comparison with null is null, and a search for a
/// text finds nothing. In the Community dialect they are those of .NET.
struct FilterEvaluator {
    private enum Place {
        case id, createdAt, updatedAt, version, deleted
        case field(String)
    }

    private let rows: TableRows
    private var places: [String: Place] = [:]
    private var isAzure: Bool { rows.dialect == .azure }

    /// The number of nested `and` and `or` that SQLite accepts (measured: 80 pass, 90 fail).
    private static let logicalDepthMax = 85

    /// - Throws: `QueryError` if the table lacks a column of the expressions, or if the database would refuse an expression.
    init(_ rows: TableRows, for expressions: [FilterExpression]) throws(QueryError) {
        self.rows = rows
        for expression in expressions {
            guard !isAzure || expression.logicalDepth <= Self.logicalDepthMax else {
                throw .engine("SQLITE_ERROR: parser stack overflow")
            }
            try check(expression)
        }
    }

    /// Whether the filter accepts the row.
    func accepts(_ row: Row, _ filter: FilterExpression) -> Bool { value(of: filter, row).truth == true }

    /// The value of an expression for a row.
    func value(of expression: FilterExpression, _ row: Row) -> Cell {
        switch expression {
        case .literal(let cell): return cell
        case .column(let name): return cell(name, row)
        case .not(let part): return value(of: part, row).truth.map { .bool(!$0) } ?? .null
        case .negative(let part): return value(of: part, row).double.map { .number(-$0) } ?? .null
        case .and(let a, let b):
            let first = value(of: a, row).truth
            if first == false { return .bool(false) }
            let second = value(of: b, row).truth
            return second == false ? .bool(false) : first == nil || second == nil ? .null : .bool(true)
        case .or(let a, let b):
            let first = value(of: a, row).truth
            if first == true { return .bool(true) }
            let second = value(of: b, row).truth
            return second == true ? .bool(true) : first == nil || second == nil ? .null : .bool(false)
        case .comparison(let operation, let a, let b): return compare(operation, a, b, row)
        case .arithmetic(let operation, let a, let b):
            guard let a = value(of: a, row).double, let b = value(of: b, row).double else { return .null }
            return calculate(operation, a, b)
        case .call(let function, let arguments):
            return FilterFunctions(isAzure: isAzure).call(function, arguments.map { value(of: $0, row) })
        case .membership(let part, let list):
            let sought = value(of: part, row)
            return .bool(list.contains { Cell.compare(sought, value(of: $0, row)) == 0 })
        }
    }

    private func compare(
        _ operation: FilterExpression.Comparison, _ a: FilterExpression, _ b: FilterExpression, _ row: Row
    ) -> Cell {
        let left = value(of: a, row)
        let right = value(of: b, row)
        // The Node server writes `IS NULL` for a null on the right side only. .NET compares null as any value.
        let isNullTest = if case .literal(.null) = b { true } else { false }
        if operation == .eq || operation == .ne, isNullTest || !isAzure, left.isNull || right.isNull {
            return .bool((left.isNull && right.isNull) == (operation == .eq))
        }
        guard let order = Cell.compare(left, right) else { return isAzure ? .null : .bool(false) }
        return switch operation {
        case .eq: .bool(order == 0)
        case .ne: .bool(order != 0)
        case .gt: .bool(order > 0)
        case .ge: .bool(order >= 0)
        case .lt: .bool(order < 0)
        case .le: .bool(order <= 0)
        }
    }

    private func calculate(_ operation: FilterExpression.Arithmetic, _ a: Double, _ b: Double) -> Cell {
        switch operation {
        case .add: .number(a + b)
        case .sub: .number(a - b)
        case .mul: .number(a * b)
        case .div: b == 0 ? .null : .number(a / b)
        case .mod: b == 0 ? .null : .number(a.truncatingRemainder(dividingBy: b))
        }
    }

    private func cell(_ name: String, _ row: Row) -> Cell {
        switch places[name] {
        case .id: rows.table.numbersIds ? .number(Double(row.id) ?? 0) : .text(row.id)
        case .createdAt: .time(row.createdAt)
        case .updatedAt: .time(row.updatedAt)
        case .version: .text(isAzure ? row.version : rows.wireVersion(row))
        case .deleted: .bool(row.isDeleted)
        case .field(let field): Cell(row.fields[field])
        case nil: .null
        }
    }
}

// MARK: Checks

extension FilterEvaluator {
    private mutating func check(_ expression: FilterExpression) throws(QueryError) {
        switch expression {
        case .column(let name): places[name] = try place(of: name)
        case .arithmetic(.mod, _, _) where isAzure: throw .unknownColumn("mod")
        case .call(let function, let arguments) where isAzure: try checkOnSQLite(function, arguments.count)
        default: break
        }
        for part in expression.parts { try check(part) }
    }

    /// The functions that the Node server translates into functions of SQL Server.
    private func checkOnSQLite(_ function: FilterFunction, _ count: Int) throws(QueryError) {
        switch function {
        case .length: throw .engine("SQLITE_ERROR: no such function: LEN")
        case .substring where count < 3: throw .engine("SQLITE_ERROR: no such function: LEN")
        case .year, .month, .day:
            throw .engine("SQLITE_ERROR: no such function: \(function.rawValue.uppercased())")
        case .hour, .minute, .second: throw .unknownColumn(function.rawValue)
        default: break
        }
    }

    private func place(of name: String) throws(QueryError) -> Place {
        var system: [(name: String, place: Place)] = [
            ("id", .id), ("updatedAt", .updatedAt), ("version", .version), ("deleted", .deleted),
        ]
        if isAzure { system.append(("createdAt", .createdAt)) }
        let known = system.first { isAzure ? $0.name.lowercased() == name.lowercased() : $0.name == name }
        if let known { return known.place }
        if let column = rows.column(name) { return .field(column.name) }
        // A table without declared columns has every column in the Community dialect.
        guard !isAzure, rows.isDynamic, !name.contains("/") else { throw .unknownColumn(name) }
        return .field(name)
    }
}
