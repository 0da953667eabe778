import ParseModel
import RemoteService
import SyncModel

/// Builds `$filter` expressions (OData) from the conditions of a pull. Uses only expressions that every known server
/// evaluates correctly. Has no side effects.
struct TableFilter {
    let dialect: any DialectRules
    let values: TableValues

    /// The operators that the conditions of a pull may use.
    static let operators: Set<String> = [
        "$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$exists", "$in", "$nin", "$and", "$or",
    ]

    /// The expression for a `where`; nil if it has no conditions.
    /// - Throws: `RemoteError.refused` with code 102 (invalid query) for a condition that has no correct expression.
    func expression(_ conditions: JSONObject) throws(RemoteError) -> String? {
        var parts: [String] = []
        for (name, condition) in conditions {
            switch name {
            case "$and": parts.append(try alternatives(condition, joinedBy: "and"))
            case "$or": parts.append(try alternatives(condition, joinedBy: "or"))
            default: parts += try comparisons(of: name, with: condition)
            }
        }
        return Self.joined(parts, by: "and")
    }

    private func alternatives(_ value: JSONValue, joinedBy word: String) throws(RemoteError) -> String {
        guard let all = value.array, !all.isEmpty else { throw Self.refusal("$\(word) needs a list of conditions") }
        var parts: [String] = []
        for conditions in all {
            guard let conditions = conditions.object else { throw Self.refusal("$\(word) needs a list of conditions") }
            parts.append(try expression(conditions) ?? "true")
        }
        return Self.joined(parts, by: word) ?? "true"
    }

    private func comparisons(of field: String, with condition: JSONValue) throws(RemoteError) -> [String] {
        let column = try column(field)
        guard let operators = condition.object, operators.keys.contains(where: { $0.hasPrefix("$") }) else {
            return [try comparison(column, "eq", condition, of: field)]
        }
        var parts: [String] = []
        for (name, operand) in operators { parts.append(try comparison(column, of: field, name, operand)) }
        return parts
    }

    private func comparison(
        _ column: String, of field: String, _ name: String, _ operand: JSONValue
    ) throws(RemoteError) -> String {
        switch name {
        case "$eq": return try comparison(column, "eq", operand, of: field)
        // In SQL, a comparison with null is never true. In Parse, a missing value differs from every value.
        case "$ne" where !operand.isNull:
            return "(\(try comparison(column, "ne", operand, of: field)) or \(column) eq null)"
        case "$ne": return "\(column) ne null"
        case "$gt": return try comparison(column, "gt", operand, of: field)
        case "$gte": return try comparison(column, "ge", operand, of: field)
        case "$lt": return try comparison(column, "lt", operand, of: field)
        case "$lte": return try comparison(column, "le", operand, of: field)
        case "$exists":
            guard let exists = operand.bool else { throw Self.refusal("$exists needs true or false") }
            return "\(column) \(exists ? "ne" : "eq") null"
        case "$in":
            return try list(operand, of: name) { member throws(RemoteError) in
                try comparison(column, "eq", member, of: field)
            } ?? "false"
        case "$nin":
            return try list(operand, of: name, joinedBy: "and") { member throws(RemoteError) in
                try comparison(column, of: field, "$ne", member)
            } ?? "true"
        default: throw Self.refusal("the operator \(name) has no expression that tables evaluate correctly")
        }
    }

    private func list(
        _ operand: JSONValue, of name: String, joinedBy word: String = "or",
        _ expression: (JSONValue) throws(RemoteError) -> String
    ) throws(RemoteError) -> String? {
        guard let members = operand.array else { throw Self.refusal("\(name) needs a list") }
        var parts: [String] = []
        for member in members { parts.append(try expression(member)) }
        return Self.joined(parts, by: word)
    }

    private func comparison(
        _ column: String, _ word: String, _ value: JSONValue, of field: String
    ) throws(RemoteError) -> String {
        "\(column) \(word) \(try literal(value, of: field))"
    }

    private func column(_ field: String) throws(RemoteError) -> String {
        switch field {
        case "objectId": return "id"
        case "createdAt" where !dialect.hasCreationTimes:
            throw Self.refusal("the remote's tables have no createdAt")
        case "createdAt", "updatedAt": return field
        default:
            guard Columns.isField(field) else { throw Self.refusal("\(field) cannot be a column") }
            return field
        }
    }

    /// A value as a literal. Dates are compared as times in a column of dates, and as texts in a column of texts. Both
    /// give the correct order, because this gateway writes dates in one form only.
    private func literal(_ value: JSONValue, of field: String) throws(RemoteError) -> String {
        if let date = ParseDate(value) { return dialect.literal(date) }
        if let pointer = value.object?["objectId"]?.string, case .pointer? = values.mapping.fields[field] {
            return Self.text(pointer)
        }
        switch value {
        case .null: return "null"
        case .bool(let flag): return flag ? "true" : "false"
        case .number(let number): return number.text
        case .string(let text): return Self.text(text)
        case .array, .object: throw Self.refusal("\(field) is compared with an array or an object")
        }
    }

    /// The distinct names of the columns in a `where`.
    static func columns(in conditions: JSONObject) -> Set<String> {
        var names: Set<String> = []
        for (name, condition) in conditions {
            if name.hasPrefix("$") {
                for part in condition.array ?? [] { names.formUnion(columns(in: part.object ?? [:])) }
            } else {
                names.insert(name == "objectId" ? "id" : name)
            }
        }
        return names
    }

    /// A text as a literal of a `$filter`.
    static func text(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

    /// Joins expressions, nested in pairs. Servers accept about 80 expressions in a row, but about 300 if they are
    /// nested in pairs.
    static func joined(_ parts: [String], by word: String) -> String? {
        guard parts.count > 1 else { return parts.first }
        let half = parts.count / 2
        guard let left = joined(Array(parts[..<half]), by: word), let right = joined(Array(parts[half...]), by: word)
        else { return nil }
        return "(\(left) \(word) \(right))"
    }

    private static func refusal(_ reason: String) -> RemoteError {
        .refused(code: ParseError.Code.invalidQuery.rawValue, message: "The conditions cannot be sent: \(reason).")
    }
}

extension KeysetPosition {
    /// The `$filter` expression for the rows from this position on.
    func expression(_ dialect: any DialectRules) -> String? {
        let column = TimeField.updatedAt.rawValue
        switch self {
        case .start: return nil
        case .from(let time): return "\(column) ge \(dialect.literal(time))"
        case .after(let time, let id):
            let time = dialect.literal(time)
            return "(\(column) gt \(time) or (\(column) eq \(time) and id gt \(TableFilter.text(id))))"
        case .within(let time, let id):
            let millisecond =
                "(\(column) ge \(dialect.literal(time)) and \(column) lt \(dialect.literal(time.next)))"
            return id.map { "(\(millisecond) and id gt \(TableFilter.text($0)))" } ?? millisecond
        }
    }

    /// The `$orderby` for the rows from this position on.
    var order: String {
        if case .within = self { "id" } else { "updatedAt,id" }
    }
}

extension CreatedRange {
    /// The `$filter` expression for the rows of the range; nil for all rows.
    func expression(_ dialect: any DialectRules) -> String? {
        var parts: [String] = []
        if let from { parts.append("createdAt ge \(dialect.literal(from))") }
        if let to { parts.append("createdAt lt \(dialect.literal(to))") }
        return TableFilter.joined(parts, by: "and")
    }
}
