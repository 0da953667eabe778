import ParseModel

/// The conditions of a query on one field that are tested together, so that SQLite reads the elements of the field's
/// array only once.
struct SharedField {
    let path: FieldPath
    /// The values of the equality conditions.
    private(set) var values: [JSONValue] = []
    /// The comparisons and patterns.
    private(set) var others: [Constraint] = []

    /// Up to this number of equalities on a field in an `$and` stay separate conditions.
    static let singleMax = 3

    /// Collects the parts of an `$or` that are conditions on the same field (`shared`), and returns the other parts
    /// (`rest`).
    static func ofAlternatives(_ parts: [Predicate]) -> (shared: [SharedField], rest: [Predicate]) {
        guard parts.count > 1 else { return ([], parts) }
        return collected(parts.flatMap(\.alternatives), moreThan: 1) { field, constraint in
            let hasColumn = FieldColumn(field.path).storedColumn != nil
            switch constraint {
            // Unlike a list, an equality with null does not match null as an element of an array.
            case .equal(let value) where !value.isNull: field.values.append(value)
            case .in(let values): field.values += values
            case .less, .lessOrEqual, .greater, .greaterOrEqual, .regex:
                guard !hasColumn else { return false }
                field.others.append(constraint)
            default: return false
            }
            return true
        }
    }

    /// Collects the parts of an `$and` that are equalities (`equal`) or inequalities (`unequal`) of the same field, and
    /// returns the other parts (`rest`).
    static func ofRequired(
        _ parts: [Predicate]
    ) -> (equal: [SharedField], unequal: [SharedField], rest: [Predicate]) {
        guard parts.count > 1 else { return ([], [], parts) }
        let (equal, others) = collected(parts.flatMap(\.required), moreThan: singleMax) { field, constraint in
            guard case .equal(let value) = constraint, !value.isNull else { return false }
            field.values.append(value)
            return true
        }
        let (unequal, rest) = collected(others, moreThan: 1) { field, constraint in
            switch constraint {
            case .notEqual(let value): field.values.append(value)
            case .notIn(let values): field.values += values
            default: return false
            }
            return true
        }
        return (equal, unequal, rest)
    }

    /// Collects conditions on the same field.
    /// - Parameters:
    ///   - count: fields with at most this number of conditions are not collected.
    ///   - take: adds a condition to its field. Returns false for a condition that cannot be tested together with
    ///     others.
    private static func collected(
        _ parts: [Predicate], moreThan count: Int, _ take: (inout SharedField, Constraint) -> Bool
    ) -> (shared: [SharedField], rest: [Predicate]) {
        var fields: [SharedField] = []
        var places: [FieldPath: Int] = [:]
        var taken: [Int?] = []
        for part in parts {
            guard case .field(let path, let constraint) = part else {
                taken.append(nil)
                continue
            }
            var field = places[path].map { fields[$0] } ?? SharedField(path: path)
            guard take(&field, constraint) else {
                taken.append(nil)
                continue
            }
            let place = places[path] ?? fields.count
            if place == fields.count { fields.append(field) } else { fields[place] = field }
            places[path] = place
            taken.append(place)
        }
        let counts = Dictionary(grouping: taken.compactMap(\.self), by: \.self).mapValues(\.count)
        let isShared = fields.indices.map { counts[$0, default: 0] > count }
        let rest = zip(parts, taken).filter { !($0.1.map { isShared[$0] } ?? false) }.map(\.0)
        return (zip(fields, isShared).filter(\.1).map(\.0), rest)
    }
}

extension Predicate {
    /// The parts of an `$or`, including those of a nested `$or`; otherwise the predicate itself.
    fileprivate var alternatives: [Predicate] {
        if case .or(let parts) = self { parts.flatMap(\.alternatives) } else { [self] }
    }
}
