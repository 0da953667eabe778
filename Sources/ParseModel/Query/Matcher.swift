/// Tells whether an object is one that a query asks for, without a store: by the object's JSON as the API returns it.
///
/// It is the second of two implementations of what queries mean, beside the one in SQL, and each is tested by the other.
package struct Matcher {
    /// What an object's JSON does not tell.
    package struct Surroundings {
        /// Whether a regular expression of these options finds something in a text.
        package var regex: (_ pattern: String, _ options: String, _ text: String) throws -> Bool
        /// Whether an object is in the relation of this name, of this owner.
        package var isMember: (_ member: Pointer, _ owner: Pointer, _ field: String) throws -> Bool
        /// All objects that a query inside the query finds.
        package var objects: (Subquery) throws -> [JSONObject]

        package init(
            regex: @escaping (String, String, String) throws -> Bool,
            isMember: @escaping (Pointer, Pointer, String) throws -> Bool,
            objects: @escaping (Subquery) throws -> [JSONObject]
        ) {
            self.regex = regex
            self.isMember = isMember
            self.objects = objects
        }
    }

    /// Nil for documents of a pipeline.
    let className: String?
    let surroundings: Surroundings

    /// - Parameter className: of the objects that are looked at.
    package init(className: String, surroundings: Surroundings) {
        self.className = className
        self.surroundings = surroundings
    }

    /// Looks at documents that a pipeline has made: they belong to no class.
    init(documents surroundings: Surroundings) {
        className = nil
        self.surroundings = surroundings
    }

    /// - Throws: what the surroundings throw.
    package func matches(_ predicate: Predicate, _ object: JSONObject) throws -> Bool {
        switch predicate {
        case .and(let parts): try parts.allSatisfy { try matches($0, object) }
        case .or(let parts): try parts.contains { try matches($0, object) }
        case .nor(let parts): try !parts.contains { try matches($0, object) }
        case .field(let path, let constraint): try holds(constraint, path, object)
        case .relatedTo(let owner, let field):
            try reference(to: object).map { try surroundings.isMember($0, owner, field) } ?? false
        }
    }

    private func holds(_ constraint: Constraint, _ path: FieldPath, _ object: JSONObject) throws -> Bool {
        guard className == nil, path.segments.count > 1 else {
            return try holds(constraint, MatchedField(path, in: object, isDocument: className == nil), object)
        }
        return try holds(constraint, ofAny: path.reached(in: object).map { MatchedField(path, value: $0) }, object)
    }

    func holds(_ constraint: Constraint, _ field: MatchedField, _ object: JSONObject) throws -> Bool {
        switch className == nil ? constraint.reading(field.value) : constraint {
        case .equal(let value): return try equals(field, value, object)
        case .notEqual(let value): return try !equals(field, value, object)
        case .in(let values): return try values.contains { try equals(field, $0, object) }
        case .notIn(let values): return try !values.contains { try equals(field, $0, object) }
        case .all(let values): return try !values.isEmpty && values.allSatisfy { try equals(field, $0, object) }
        case .less(let value): return field.compares(with: value) { $0 < $1 }
        case .lessOrEqual(let value): return field.compares(with: value) { $0 <= $1 }
        case .greater(let value): return field.compares(with: value) { $0 > $1 }
        case .greaterOrEqual(let value): return field.compares(with: value) { $0 >= $1 }
        case .exists(let exists): return field.exists == exists
        case .regex(let pattern, let options):
            return try field.texts.contains { try surroundings.regex(pattern, options, $0) }
        case .allMatching(let patterns):
            return try patterns.allSatisfy { pattern in
                try field.texts.contains { try surroundings.regex(pattern, "", $0) }
            }
        case .containedBy(let values):
            guard !field.isKept, let elements = field.value?.array else { return false }
            return elements.allSatisfy { element in values.contains { MatchedField.equal(element, $0) } }
        case .text(let search): return field.value?.string.map(search.matches) ?? false
        case .near(let center, let max):
            guard let point = field.value.flatMap(GeoPoint.init) else { return false }
            return max.map { center.radians(to: point) <= $0 } ?? true
        case .within(let area): return field.value.flatMap(GeoPoint.init).map(area.contains) ?? false
        case .surrounds(let point):
            return field.value.flatMap(GeoArea.init(polygon:))?.contains(point) ?? false
        case .inQuery(let query):
            return try pointers(query).contains { try equals(field, $0, object) }
        case .notInQuery(let query):
            return try !pointers(query).contains { try equals(field, $0, object) }
        case .select(let query, let key):
            return try values(query, key).contains { try equals(field, $0, object) }
        case .dontSelect(let query, let key):
            return try !values(query, key).contains { try equals(field, $0, object) }
        }
    }

    /// A relation equals a pointer where the object is one of its members.
    private func equals(_ field: MatchedField, _ value: JSONValue, _ object: JSONObject) throws -> Bool {
        if field.equals(value) { return true }
        guard field.path.segments.count == 1, !field.isKept, let member = Pointer(value),
            let owner = reference(to: object)
        else { return false }
        return try surroundings.isMember(member, owner, field.path.segments[0])
    }

    private func reference(to object: JSONObject) -> Pointer? {
        guard let className, let id = object["objectId"]?.string else { return nil }
        return Pointer(className: className, objectId: id)
    }

    private func pointers(_ query: Subquery) throws -> [JSONValue] {
        try surroundings.objects(query).compactMap { object in
            object["objectId"]?.string.map { Pointer(className: query.className, objectId: $0).json }
        }
    }

    private func values(_ query: Subquery, _ key: FieldPath) throws -> [JSONValue] {
        try surroundings.objects(query).flatMap { key.selected(from: $0) }
    }
}

extension FieldPath {
    /// What `$select` takes from an object: its value here, or the elements of it where it is an array.
    package func selected(from object: JSONObject) -> [JSONValue] {
        guard let value = value(in: object), !value.isNull else { return [] }
        return (value.array ?? [value]).filter { !$0.isNull }
    }
}
