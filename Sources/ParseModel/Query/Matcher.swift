/// Tests whether an object, given as JSON in the format of the API, matches a predicate.
///
/// The store has a second implementation of this test, in SQL. `QueryAgreementTests` compares the two.
package struct Matcher {
    /// The functions that a matcher needs for regular expressions, relations and subqueries.
    package struct Lookups {
        /// Tests whether a regular expression with the given options matches a text.
        package var regex: (_ pattern: String, _ options: String, _ text: String) throws -> Bool
        /// Tests whether `member` is in the relation `field` of `owner`.
        package var isMember: (_ member: Pointer, _ owner: Pointer, _ field: String) throws -> Bool
        /// Returns all objects that match a subquery.
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

    /// The class of the objects; nil for documents of an aggregate pipeline.
    let className: String?
    let lookups: Lookups

    /// A matcher for objects of a class.
    package init(className: String, lookups: Lookups) {
        self.className = className
        self.lookups = lookups
    }

    /// A matcher for documents of an aggregate pipeline, which have no class.
    init(documents lookups: Lookups) {
        className = nil
        self.lookups = lookups
    }

    /// Whether the object matches the predicate.
    /// - Throws: the errors of the lookups.
    package func matches(_ predicate: Predicate, _ object: JSONObject) throws -> Bool {
        switch predicate {
        case .and(let parts): try parts.allSatisfy { try matches($0, object) }
        case .or(let parts): try parts.contains { try matches($0, object) }
        case .nor(let parts): try !parts.contains { try matches($0, object) }
        case .field(let path, let constraint): try holds(constraint, path, object)
        case .relatedTo(let owner, let field):
            try reference(to: object).map { try lookups.isMember($0, owner, field) } ?? false
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
        case .notEqual(let value): return try !holds(field, value, object)
        case .in(let values): return try values.contains { try holds(field, $0, object) }
        case .notIn(let values): return try !values.contains { try holds(field, $0, object) }
        case .all(let values): return try !values.isEmpty && values.allSatisfy { try holds(field, $0, object) }
        case .less(let value): return field.compares(with: value) { $0 < $1 }
        case .lessOrEqual(let value): return field.compares(with: value) { $0 <= $1 }
        case .greater(let value): return field.compares(with: value) { $0 > $1 }
        case .greaterOrEqual(let value): return field.compares(with: value) { $0 >= $1 }
        case .exists(let exists): return field.exists == exists
        case .existsUnlessRelation(let exists): return field.exists == exists || field.isRelation
        case .regex(let pattern, let options):
            return try field.texts.contains { try lookups.regex(pattern, options, $0) }
        case .allMatching(let patterns):
            return try patterns.allSatisfy { pattern in
                try field.texts.contains { try lookups.regex(pattern, "", $0) }
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

    /// Whether the field equals a value. For null, also whether null is an element of the field's array.
    private func holds(_ field: MatchedField, _ value: JSONValue, _ object: JSONObject) throws -> Bool {
        if value.isNull, field.value?.array?.contains(.null) == true { return true }
        return try equals(field, value, object)
    }

    /// Whether the field equals a value. A relation field equals a pointer if the relation contains the pointer's object.
    private func equals(_ field: MatchedField, _ value: JSONValue, _ object: JSONObject) throws -> Bool {
        if field.equals(value) { return true }
        guard field.path.segments.count == 1, !field.isKept, let member = Pointer(value),
            let owner = reference(to: object)
        else { return false }
        return try lookups.isMember(member, owner, field.path.segments[0])
    }

    private func reference(to object: JSONObject) -> Pointer? {
        guard let className, let id = object["objectId"]?.string else { return nil }
        return Pointer(className: className, objectId: id)
    }

    private func pointers(_ query: Subquery) throws -> [JSONValue] {
        try lookups.objects(query).compactMap { object in
            object["objectId"]?.string.map { Pointer(className: query.className, objectId: $0).json }
        }
    }

    private func values(_ query: Subquery, _ key: FieldPath) throws -> [JSONValue] {
        try lookups.objects(query).flatMap { key.selected(from: $0) }
    }
}

extension FieldPath {
    /// The values that `$select` reads at this path of an object: the value, or the elements of an array, without null.
    package func selected(from object: JSONObject) -> [JSONValue] {
        guard let value = value(in: object), !value.isNull else { return [] }
        return (value.array ?? [value]).filter { !$0.isNull }
    }
}
