/// What a query asks of objects: the tree that `where` describes.
package indirect enum Predicate: Sendable, Hashable {
    /// All of them; an empty list holds for every object.
    case and([Predicate])
    /// At least one of them.
    case or([Predicate])
    /// None of them.
    case nor([Predicate])
    case field(FieldPath, Constraint)
    /// Being a member of a relation: that of this name, of this object.
    case relatedTo(Pointer, field: String)

    /// How deep `$or`, `$and`, `$nor` and queries inside of queries may nest.
    package static let depthMax = 16
    /// How many constraints and combinations a predicate may have. Each value of a list that is neither a text nor a number counts as one
    /// too; objects of one type and class count as one together.
    package static let nodesMax = 1000
    /// How many values all lists of a predicate may have.
    package static let valuesMax = 100_000

    /// Reads the object that `where` is.
    /// - Throws: 102 for what is no query, 105 for a key that cannot be a field, 107 for a malformed value of an operator.
    package init(json: JSONValue) throws(ParseError) {
        guard let object = json.object else { throw ParseError(.invalidQuery, "where must be a JSON object") }
        var reader = PredicateReader()
        self = try reader.predicate(object, depth: 0)
    }
}

extension Predicate {
    /// The predicate with each constraint replaced. Queries inside of it are left to `transform`.
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

    /// The predicate with each constraint on a field replaced. Queries inside of it are left to `transform`.
    package func mapFields(_ transform: (FieldPath, Constraint) throws -> Predicate) rethrows -> Predicate {
        switch self {
        case .and(let parts): .and(try parts.map { try $0.mapFields(transform) })
        case .or(let parts): .or(try parts.map { try $0.mapFields(transform) })
        case .nor(let parts): .nor(try parts.map { try $0.mapFields(transform) })
        case .field(let path, let constraint): try transform(path, constraint)
        case .relatedTo: self
        }
    }

    /// The predicate for another naming of objects: each pointer and each string compared with `objectId` replaced.
    /// - Parameter className: of the objects that the predicate is about.
    package func replacingIds(of className: String, _ renamed: (Pointer) -> Pointer) -> Predicate {
        switch self {
        case .and(let parts): .and(parts.map { $0.replacingIds(of: className, renamed) })
        case .or(let parts): .or(parts.map { $0.replacingIds(of: className, renamed) })
        case .nor(let parts): .nor(parts.map { $0.replacingIds(of: className, renamed) })
        case .relatedTo(let owner, let field): .relatedTo(renamed(owner), field: field)
        case .field(let path, let constraint):
            .field(
                path,
                constraint.mapValues { value in
                    if path.segments == ["objectId"], constraint.comparesIdentity, let id = value.string {
                        return .string(renamed(Pointer(className: className, objectId: id)).objectId)
                    }
                    return value.replacingPointers(renamed)
                }.mapSubquery { query in
                    var query = query
                    query.predicate = query.predicate.replacingIds(of: query.className, renamed)
                    return query
                })
        }
    }

    /// The predicate with times like `2 days ago` made dates, also in queries inside of it.
    package func resolvingTimes(now: ParseDate) -> Predicate {
        mapConstraints { _, constraint in
            constraint.mapValues { RelativeTime($0)?.date(now: now).json ?? $0 }.mapSubquery { query in
                var query = query
                query.predicate = query.predicate.resolvingTimes(now: now)
                return query
            }
        }
    }

    /// The terms that hold for every object that the predicate finds.
    package var required: [Predicate] {
        if case .and(let parts) = self { parts.flatMap(\.required) } else { [self] }
    }

    /// The place by whose distance the objects come, where nothing else is said.
    package var center: (path: FieldPath, point: GeoPoint)? {
        for case .field(let path, .near(let point, _)) in required { return (path, point) }
        return nil
    }

    /// The text search by whose score objects may be ordered.
    package var textSearch: (path: FieldPath, search: TextSearch)? {
        for case .field(let path, .text(let search)) in required { return (path, search) }
        return nil
    }
}
