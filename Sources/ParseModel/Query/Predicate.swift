/// The conditions of a query's `where`, as a tree.
package indirect enum Predicate: Sendable, Hashable {
    /// All of the conditions are true. An empty list matches every object.
    case and([Predicate])
    /// At least one of the conditions is true.
    case or([Predicate])
    /// None of the conditions is true.
    case nor([Predicate])
    case field(FieldPath, Constraint)
    /// The object is a member of a relation. The pointer refers to the owner of the relation, and `field` is the relation field.
    case relatedTo(Pointer, field: String)

    /// The maximum nesting of `$or`, `$and`, `$nor` and subqueries.
    package static let depthMax = 16
    /// The maximum number of constraints, combinations (`$or`, `$and`, `$nor`) and list values in a predicate. In the
    /// list of `$all`, every value counts. In other lists, strings and numbers do not count. All Dates of such a list
    /// count as one value, and so do all Files, all Bytes, and all Pointers to the same class.
    package static let nodesMax = 1000
    /// The maximum number of array elements and object members in the values that a predicate compares with fields, at any
    /// depth. The operand of `$all` does not count.
    package static let valuesMax = 100_000

    /// Reads the JSON of `where`.
    /// - Throws: Parse error 102 (invalid query), 105 (invalid field name), 107 (invalid JSON) for a malformed operand, and the
    ///   errors of `asFieldValue`.
    package init(json: JSONValue, _ terms: QueryTerms = .own) throws(ParseError) {
        guard let object = json.object else { throw ParseError(.invalidQuery, "where must be a JSON object") }
        var reader = PredicateReader(terms)
        self = try reader.predicate(object, nesting: PredicateReader.Nesting())
    }
}

extension Predicate {
    /// Returns the predicate with each constraint transformed. `transform` does not get the constraints inside a subquery.
    package func mapConstraints(
        _ transform: (FieldPath, Constraint) throws -> Constraint
    ) rethrows -> Predicate {
        switch self {
        case .and(let parts): .and(try parts.map { try $0.mapConstraints(transform) })
        case .or(let parts): .or(try parts.map { try $0.mapConstraints(transform) })
        case .nor(let parts): .nor(try parts.map { try $0.mapConstraints(transform) })
        case .field(let path, let constraint): .field(path, try transform(path, constraint))
        case .relatedTo: self
        }
    }

    /// Returns the predicate with each `field` condition transformed. `transform` does not get the conditions inside a subquery.
    package func mapFields(_ transform: (FieldPath, Constraint) throws -> Predicate) rethrows -> Predicate {
        switch self {
        case .and(let parts): .and(try parts.map { try $0.mapFields(transform) })
        case .or(let parts): .or(try parts.map { try $0.mapFields(transform) })
        case .nor(let parts): .nor(try parts.map { try $0.mapFields(transform) })
        case .field(let path, let constraint): try transform(path, constraint)
        case .relatedTo: self
        }
    }

    /// Returns the predicate with object ids replaced: in pointers, and in strings that are tested for equality with `objectId`.
    /// The ids in subqueries are also replaced.
    /// - Parameters:
    ///   - className: the class of the query.
    ///   - idFields: the fields of a class whose strings are also ids.
    package func replacingIds(
        of className: String, idFields: (_ className: String) -> IdFields = { _ in IdFields() },
        _ renamed: (Pointer) -> Pointer
    ) -> Predicate {
        switch self {
        case .and(let parts): .and(parts.map { $0.replacingIds(of: className, idFields: idFields, renamed) })
        case .or(let parts): .or(parts.map { $0.replacingIds(of: className, idFields: idFields, renamed) })
        case .nor(let parts): .nor(parts.map { $0.replacingIds(of: className, idFields: idFields, renamed) })
        case .relatedTo(let owner, let field): .relatedTo(renamed(owner), field: field)
        case .field(let path, let constraint):
            .field(path, constraint.replacingIds(at: path, of: className, idFields: idFields, renamed))
        }
    }

    /// Returns the predicate with relative times such as `2 days ago` resolved to dates, also in subqueries.
    package func resolvingTimes(now: ParseDate) -> Predicate {
        mapConstraints { _, constraint in
            constraint.mapValues { RelativeTime($0)?.date(now: now).json ?? $0 }.mapSubquery { query in
                var query = query
                query.predicate = query.predicate.resolvingTimes(now: now)
                return query
            }
        }
    }

    /// The conditions that must all be true. The conditions of an `and`, also of an `and` inside it, are separate. Any
    /// other predicate is one condition.
    package var required: [Predicate] {
        if case .and(let parts) = self { parts.flatMap(\.required) } else { [self] }
    }

    /// The field and the point of the first `$nearSphere` condition in `required`; nil if there is none.
    package var center: (path: FieldPath, point: GeoPoint)? {
        for case .field(let path, .near(let point, _)) in required { return (path, point) }
        return nil
    }

    /// The field and the search of the first `$text` condition in `required`; nil if there is none.
    package var textSearch: (path: FieldPath, search: TextSearch)? {
        for case .field(let path, .text(let search)) in required { return (path, search) }
        return nil
    }
}

extension Constraint {
    /// See `Predicate.replacingIds`.
    fileprivate func replacingIds(
        at path: FieldPath, of className: String, idFields: (_ className: String) -> IdFields,
        _ renamed: (Pointer) -> Pointer
    ) -> Self {
        let isOfIds = path.segments == ["objectId"] && comparesIdentity
        let target = isOfIds || !comparesIdentity ? nil : idFields(className).targets[path.segments[0]]
        return mapValues { value in
            if isOfIds, let id = value.string {
                return .string(renamed(Pointer(className: className, objectId: id)).objectId)
            }
            if let target { return IdFields.replacingIds(in: value, of: target, renamed) }
            return value.replacingPointers(renamed)
        }.mapSubquery { query in
            var query = query
            query.predicate = query.predicate.replacingIds(of: query.className, idFields: idFields, renamed)
            return query
        }
    }
}
