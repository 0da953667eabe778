/// What a query asks of objects: the tree that `where` describes.
package indirect enum Predicate: Sendable, Hashable {
    /// All of them; an empty list holds for every object.
    case and([Predicate])
    /// At least one of them.
    case or([Predicate])
    case field(FieldPath, Constraint)
    /// Being a member of a relation: that of this name, of this object.
    case relatedTo(Pointer, field: String)

    /// How deep `$or` and `$and` may nest.
    package static let depthMax = 16
    /// How many constraints and combinations a predicate may have.
    package static let nodesMax = 1000

    /// Reads the object that `where` is.
    /// - Throws: 102 for what is no query, 105 for a key that cannot be a field.
    package init(json: JSONValue) throws(ParseError) {
        guard let object = json.object else { throw ParseError(.invalidQuery, "where must be a JSON object") }
        var reader = PredicateReader()
        self = try reader.predicate(object, depth: 0)
    }

    /// The predicate for another naming of objects: each string compared with `objectId` and each pointer replaced.
    package func replacingIds(
        objectId: (String) -> String, pointer: (Pointer) -> Pointer
    ) -> Predicate {
        switch self {
        case .and(let predicates): .and(predicates.map { $0.replacingIds(objectId: objectId, pointer: pointer) })
        case .or(let predicates): .or(predicates.map { $0.replacingIds(objectId: objectId, pointer: pointer) })
        case .field(let path, let constraint):
            .field(
                path,
                constraint.mapValues { value in
                    if path.segments == ["objectId"], constraint.comparesIdentity, let id = value.string {
                        return .string(objectId(id))
                    }
                    return value.replacingPointers(pointer)
                })
        case .relatedTo(let owner, let field): .relatedTo(pointer(owner), field: field)
        }
    }
}

/// Reads a predicate and counts what it has read.
private struct PredicateReader {
    private var nodes = 0

    /// - Parameter depth: how many `$or` and `$and` stand around the object.
    mutating func predicate(_ object: JSONObject, depth: Int) throws(ParseError) -> Predicate {
        var terms: [Predicate] = []
        for (key, value) in object {
            switch key {
            case "$and": terms.append(.and(try combination(key, value, depth: depth + 1)))
            case "$or": terms.append(.or(try combination(key, value, depth: depth + 1)))
            case "$relatedTo":
                try count()
                terms.append(try relatedTo(value))
            case "$nor":
                throw ParseError(.invalidQuery, "bad constraint: \(key) is not supported yet")
            case "ACL": throw ParseError(.invalidQuery, "Cannot query on ACL.")
            default:
                let path = try FieldPath(key)
                for constraint in try Constraint.read(value) {
                    try count()
                    terms.append(.field(path, constraint))
                }
            }
        }
        return terms.count == 1 ? terms[0] : .and(terms)
    }

    private func relatedTo(_ value: JSONValue) throws(ParseError) -> Predicate {
        guard let object = value.object, let owner = object["object"].flatMap({ Pointer($0) }),
            !owner.className.isEmpty, !owner.objectId.isEmpty, let field = object["key"]?.string,
            object.allSatisfy({ $0.key == "object" || $0.key == "key" })
        else {
            throw ParseError(.invalidQuery, "bad constraint: $relatedTo needs a pointer as object, and a key")
        }
        do {
            try owner.className.checkStorable()
            try owner.objectId.checkStorable()
            try FieldName.validate(field)
        } catch {
            throw ParseError(.invalidQuery, "bad constraint: $relatedTo: \(error.message)")
        }
        return .relatedTo(owner, field: field)
    }

    private mutating func combination(
        _ key: String, _ value: JSONValue, depth: Int
    ) throws(ParseError) -> [Predicate] {
        guard let elements = value.array else {
            throw ParseError(.invalidQuery, "Bad \(key) format - use an array value.")
        }
        guard !elements.isEmpty else {
            throw ParseError(.invalidQuery, "Bad \(key) format - use an array of at least 1 value.")
        }
        guard depth <= Predicate.depthMax else {
            throw ParseError(.invalidQuery, "where nests $or and $and deeper than \(Predicate.depthMax) levels")
        }
        try count()
        var predicates: [Predicate] = []
        for element in elements {
            guard let object = element.object else {
                throw ParseError(.invalidQuery, "Bad \(key) format - each element must be an object.")
            }
            if object.isEmpty { try count() }
            predicates.append(try predicate(object, depth: depth))
        }
        return predicates
    }

    private mutating func count() throws(ParseError) {
        nodes += 1
        guard nodes <= Predicate.nodesMax else {
            throw ParseError(.invalidQuery, "where has more than \(Predicate.nodesMax) constraints")
        }
    }
}
