/// An expression in an aggregate pipeline, evaluated for each document: a field, a part of a date, a constant, or an object
/// or array of expressions.
package indirect enum AggregateExpression: Sendable, Hashable {
    case field(FieldPath)
    case constant(JSONValue)
    case datePart(DatePart, AggregateExpression)
    case object([Member])
    case array([AggregateExpression])

    /// A member of an object expression: a name, and the expression of the member's value.
    package struct Member: Sendable, Hashable {
        let name: String
        let value: AggregateExpression
    }

    /// The maximum nesting of expressions.
    private static let depthMax = 16

    /// Reads the JSON of an expression.
    /// - Throws: Parse error 102 (invalid query) for an invalid or unsupported expression, 105 (invalid field name).
    package init(json: JSONValue, depth: Int = 0) throws(ParseError) {
        guard depth < Self.depthMax else {
            throw ParseError(.invalidQuery, "An expression nests deeper than \(Self.depthMax) levels.")
        }
        switch json {
        case .string(let text):
            guard text.hasPrefix("$") else {
                self = .constant(json)
                return
            }
            guard !text.hasPrefix("$$") else {
                throw ParseError(.invalidQuery, "Variables are not supported: \(text)")
            }
            guard text.count > 1 else {
                throw ParseError(.invalidQuery, "'$' by itself is not a valid FieldPath")
            }
            self = .field(try AggregatePath.read(String(text.dropFirst())))
        case .array(let elements):
            var parts: [AggregateExpression] = []
            for element in elements { parts.append(try AggregateExpression(json: element, depth: depth + 1)) }
            self = .array(parts)
        case .object(let object) where object["__type"] == nil: self = try Self.read(object, depth: depth)
        default: self = .constant(json)
        }
    }

    private static func read(_ object: JSONObject, depth: Int) throws(ParseError) -> AggregateExpression {
        guard let name = object.keys.first(where: { $0.hasPrefix("$") }), let value = object[name] else {
            var members: [Member] = []
            for (name, value) in object {
                members.append(
                    Member(
                        name: try AggregatePath.field(name),
                        value: try AggregateExpression(json: value, depth: depth + 1)))
            }
            return .object(members)
        }
        guard object.count == 1 else {
            throw ParseError(
                .invalidQuery,
                "An object representing an expression must have exactly one field: \(JSONValue.object(object).jsonText)"
            )
        }
        if name == "$literal" { return .constant(value) }
        guard let part = DatePart(rawValue: name) else {
            throw ParseError(.invalidQuery, "Unrecognized expression '\(name)'")
        }
        // The operand is a date expression, a list with one date expression, or an object with a member `date`.
        var date = value
        if let list = value.array, list.count == 1 { date = list[0] }
        if let named = value.object, named["date"] != nil {
            guard let inner = named["date"], named.count == 1 else {
                throw ParseError(.invalidQuery, "\(name) supports only the argument 'date'; the time zone is UTC.")
            }
            date = inner
        }
        return .datePart(part, try AggregateExpression(json: date, depth: depth + 1))
    }

    /// Evaluates the expression for a document.
    /// - Returns: nil for a field that the document lacks.
    func value(in document: JSONObject) -> JSONValue? {
        switch self {
        case .constant(let value): return value
        case .field(let path):
            guard let value = path.collected(from: document) else { return nil }
            // Objects hold `createdAt` and `updatedAt` as plain strings. A pipeline treats them as dates.
            guard ["createdAt", "updatedAt"].contains(path.dotted), let text = value.string,
                let date = ParseDate(iso: text)
            else { return value }
            return date.json
        case .datePart(let part, let expression):
            return expression.value(in: document).flatMap { ParseDate($0) }.map { .int(part.value(of: $0)) } ?? .null
        case .array(let parts): return .array(parts.map { $0.value(in: document) ?? .null })
        case .object(let members):
            return .object(
                JSONObject(members.compactMap { member in member.value.value(in: document).map { (member.name, $0) } }))
        }
    }
}

/// A component of a date in UTC.
package enum DatePart: String, Sendable, Hashable, CaseIterable {
    case year = "$year"
    case month = "$month"
    case dayOfMonth = "$dayOfMonth"
    /// The day of the year; 1 January is 1.
    case dayOfYear = "$dayOfYear"
    /// The day of the week; Sunday is 1.
    case dayOfWeek = "$dayOfWeek"
    case hour = "$hour"
    case minute = "$minute"
    case second = "$second"
    case millisecond = "$millisecond"

    func value(of date: ParseDate) -> Int64 {
        let days = date.milliseconds.flooredDivision(by: 86_400_000)
        let inDay = date.milliseconds &- days &* 86_400_000
        let day = CivilDay(daysSinceEpoch: days)
        return switch self {
        case .year: day.year
        case .month: day.month
        case .dayOfMonth: day.day
        case .dayOfYear: days - (CivilDay(year: day.year, month: 1, day: 1)?.daysSinceEpoch ?? days) + 1
        // 1 January 1970 was a Thursday.
        case .dayOfWeek: days + 4 - (days + 4).flooredDivision(by: 7) * 7 + 1
        case .hour: inDay / 3_600_000
        case .minute: inDay / 60_000 % 60
        case .second: inDay / 1000 % 60
        case .millisecond: inDay % 1000
        }
    }
}
