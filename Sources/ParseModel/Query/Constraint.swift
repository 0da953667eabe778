/// What a query asks of one field. Null stands for an absent field.
package enum Constraint: Sendable, Hashable {
    case equal(JSONValue)
    case notEqual(JSONValue)
    /// Comparisons are with a number, a string or a date, and hold between values of one type only.
    case less(JSONValue)
    case lessOrEqual(JSONValue)
    case greater(JSONValue)
    case greaterOrEqual(JSONValue)
    case `in`([JSONValue])
    case notIn([JSONValue])
    case exists(Bool)
    /// - Parameter options: any of the letters `i`, `m`, `s`, `x`.
    case regex(pattern: String, options: String)

    /// How many characters a regular expression may have.
    package static let patternMax = 1000
}

extension Constraint {
    /// The constraint with each value that it holds replaced; patterns stay.
    func mapValues(_ transform: (JSONValue) -> JSONValue) -> Constraint {
        switch self {
        case .equal(let value): .equal(transform(value))
        case .notEqual(let value): .notEqual(transform(value))
        case .less(let value): .less(transform(value))
        case .lessOrEqual(let value): .lessOrEqual(transform(value))
        case .greater(let value): .greater(transform(value))
        case .greaterOrEqual(let value): .greaterOrEqual(transform(value))
        case .in(let values): .in(values.map(transform))
        case .notIn(let values): .notIn(values.map(transform))
        case .exists, .regex: self
        }
    }

    /// Whether the constraint asks for whole values, not for their order or form.
    var comparesIdentity: Bool {
        switch self {
        case .equal, .notEqual, .in, .notIn: true
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .exists, .regex: false
        }
    }
}
