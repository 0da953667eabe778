/// A condition of a query on one field. A null operand matches a field that is null or absent. In `notEqual`, `in`,
/// `notIn` and `all`, it also matches a null element of the field's array.
package enum Constraint: Sendable, Hashable {
    case equal(JSONValue)
    case notEqual(JSONValue)
    /// `less` and the next three cases compare the field with a number, string, date, boolean or pointer of the same type. A
    /// `RelativeTime` may stand for a date, and is replaced by the date before the query runs.
    case less(JSONValue)
    case lessOrEqual(JSONValue)
    case greater(JSONValue)
    case greaterOrEqual(JSONValue)
    case `in`([JSONValue])
    case notIn([JSONValue])
    case exists(Bool)
    /// `$exists` next to an operator that compares the field. Unlike `exists`, it is always true for a relation field,
    /// as on Parse Server.
    case existsUnlessRelation(Bool)
    /// A regular expression.
    /// - Parameter options: any of the letters `i`, `m`, `s`, `x`.
    case regex(pattern: String, options: String)
    /// The field contains each of these values: as an element of its array, or as its whole value. An empty list
    /// matches no field.
    case all([JSONValue])
    /// Each pattern matches the field's string, or at least one string in the field's array.
    case allMatching([String])
    /// The field is an array, and every element is one of these values.
    case containedBy([JSONValue])
    case text(TextSearch)
    /// The field is a GeoPoint within a maximum distance of the point; a nil distance means any. Without an explicit order, the
    /// results are sorted by distance.
    case near(GeoPoint, maxDistanceRadians: Double?)
    /// The field is a GeoPoint inside the area.
    case within(GeoArea)
    /// The field is a Polygon that contains the point.
    case surrounds(GeoPoint)
    /// The field is, or contains, a pointer to an object that matches the subquery.
    case inQuery(Subquery)
    case notInQuery(Subquery)
    /// The field equals the value at the path in one of the objects that match the subquery. If the value at the path
    /// is an array, its elements are compared.
    case select(Subquery, FieldPath)
    case dontSelect(Subquery, FieldPath)

    /// The maximum length of a regular expression in characters, and of the `$term` of a text search in bytes.
    package static let patternMax = 1000
}

extension Constraint {
    /// Returns the constraint with each of its `values` transformed. A constraint without `values` stays unchanged.
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
        case .exists, .existsUnlessRelation, .regex, .allMatching, .text, .near, .within, .surrounds, .inQuery,
            .notInQuery, .select, .dontSelect:
            self
        }
    }

    /// Returns the constraint with its subquery transformed. Constraints without a subquery stay unchanged.
    package func mapSubquery(_ transform: (Subquery) throws -> Subquery) rethrows -> Constraint {
        switch self {
        case .inQuery(let query): .inQuery(try transform(query))
        case .notInQuery(let query): .notInQuery(try transform(query))
        case .select(let query, let key): .select(try transform(query), key)
        case .dontSelect(let query, let key): .dontSelect(try transform(query), key)
        default: self
        }
    }

    /// The values that the constraint compares with the field; empty for other tests, such as `exists`.
    package var values: [JSONValue] {
        switch self {
        case .equal(let value), .notEqual(let value), .less(let value), .lessOrEqual(let value), .greater(let value),
            .greaterOrEqual(let value):
            [value]
        case .in(let values), .notIn(let values), .all(let values), .containedBy(let values): values
        case .exists, .existsUnlessRelation, .regex, .allMatching, .text, .near, .within, .surrounds, .inQuery,
            .notInQuery, .select, .dontSelect:
            []
        }
    }

    /// Whether the constraint compares the field with given values for equality.
    package var comparesIdentity: Bool {
        switch self {
        case .equal, .notEqual, .in, .notIn, .all, .containedBy: true
        default: false
        }
    }
}
