/// What a query asks of one field. Null stands for an absent field.
package enum Constraint: Sendable, Hashable {
    case equal(JSONValue)
    case notEqual(JSONValue)
    /// Comparisons are with a number, a string, a date, a boolean or a pointer, and hold between values of one type only.
    /// A date may be a `RelativeTime`, which is one once it is known what time it is.
    case less(JSONValue)
    case lessOrEqual(JSONValue)
    case greater(JSONValue)
    case greaterOrEqual(JSONValue)
    case `in`([JSONValue])
    case notIn([JSONValue])
    case exists(Bool)
    /// - Parameter options: any of the letters `i`, `m`, `s`, `x`.
    case regex(pattern: String, options: String)
    /// Equals each of these; no field equals each of none.
    case all([JSONValue])
    /// Each of these patterns fits the value, or one of the array's elements.
    case allMatching([String])
    /// An array of nothing but these.
    case containedBy([JSONValue])
    case text(TextSearch)
    /// A point, at most so far away. A query by one of these is ordered by the distance, unless it says otherwise.
    case near(GeoPoint, maxDistanceRadians: Double?)
    /// A point inside of an area.
    case within(GeoArea)
    /// A polygon around a point.
    case surrounds(GeoPoint)
    /// A pointer to an object that a query finds.
    case inQuery(Subquery)
    case notInQuery(Subquery)
    /// Equals the value that an object has here, which a query finds.
    case select(Subquery, FieldPath)
    case dontSelect(Subquery, FieldPath)

    /// How many characters a regular expression may have.
    package static let patternMax = 1000
}

extension Constraint {
    /// The constraint with each value that it holds replaced; patterns, places and queries stay.
    package func mapValues(_ transform: (JSONValue) throws -> JSONValue) rethrows -> Constraint {
        switch self {
        case .equal(let value): .equal(try transform(value))
        case .notEqual(let value): .notEqual(try transform(value))
        case .less(let value): .less(try transform(value))
        case .lessOrEqual(let value): .lessOrEqual(try transform(value))
        case .greater(let value): .greater(try transform(value))
        case .greaterOrEqual(let value): .greaterOrEqual(try transform(value))
        case .in(let values): .in(try values.map(transform))
        case .notIn(let values): .notIn(try values.map(transform))
        case .all(let values): .all(try values.map(transform))
        case .containedBy(let values): .containedBy(try values.map(transform))
        case .exists, .regex, .allMatching, .text, .near, .within, .surrounds, .inQuery, .notInQuery, .select,
            .dontSelect:
            self
        }
    }

    /// The constraint with the query inside it replaced, where there is one.
    package func mapSubquery(_ transform: (Subquery) throws -> Subquery) rethrows -> Constraint {
        switch self {
        case .inQuery(let query): .inQuery(try transform(query))
        case .notInQuery(let query): .notInQuery(try transform(query))
        case .select(let query, let key): .select(try transform(query), key)
        case .dontSelect(let query, let key): .dontSelect(try transform(query), key)
        default: self
        }
    }

    /// The values that the constraint compares with.
    package var values: [JSONValue] {
        switch self {
        case .equal(let value), .notEqual(let value), .less(let value), .lessOrEqual(let value), .greater(let value),
            .greaterOrEqual(let value):
            [value]
        case .in(let values), .notIn(let values), .all(let values), .containedBy(let values): values
        case .exists, .regex, .allMatching, .text, .near, .within, .surrounds, .inQuery, .notInQuery, .select,
            .dontSelect:
            []
        }
    }

    /// Whether the constraint asks for whole values, not for their order or form.
    package var comparesIdentity: Bool {
        switch self {
        case .equal, .notEqual, .in, .notIn, .all, .containedBy: true
        default: false
        }
    }
}
