/// Checks that a principal has the rights for a query: the rights on its class and on the classes of its subqueries,
/// and the right to query its fields.
package struct QueryRules {
    /// Returns the rules for a class, for the principal who sends the query.
    private let rules: (_ className: String) throws -> AccessRules

    package init(_ rules: @escaping (_ className: String) throws -> AccessRules) { self.rules = rules }

    /// Checks that the principal may run the query. No condition, sort key, `$select` or `$dontSelect` may read a hidden field,
    /// because the results would reveal the field's values.
    /// - Throws: the errors of `AccessRules.authorize`; Parse error 119 (operation forbidden) for a hidden field.
    package func check(_ query: ParseQuery, of className: String) throws {
        let rules = try rules(className)
        if query.limit > 0 { try rules.authorize(query.reading) }
        if query.wantsCount { try rules.authorize(.count) }
        // As on a Parse Server, a query with the limit 0 needs no permission of the class. The built-in rules still
        // apply.
        if let refusal = AccessRules.refusal(of: query.reading, className, to: rules.principal) { throw refusal }
        try check(query.predicate, rules)
        let hidden = hiddenFields(query.predicate, rules)
        for key in query.order { try check(key.path, hidden, className) }
    }

    /// Checks that conditions read no hidden field.
    /// - Throws: Parse error 119 (operation forbidden).
    package func checkFields(of predicate: Predicate, of className: String) throws {
        try check(predicate, try rules(className))
    }

    /// The fields of a class that a query may not read. There are none in a query for the user's own object, as in
    /// Parse Server.
    private func hiddenFields(_ predicate: Predicate, _ rules: AccessRules) -> [String] {
        for case .field(let path, .equal(let value)) in predicate.required where path.segments == ["objectId"] {
            if let id = value.string, rules.isOwnUser(id) { return [] }
        }
        return rules.hiddenFields
    }

    private func check(_ predicate: Predicate, _ rules: AccessRules) throws {
        try check(predicate, hiddenFields(predicate, rules), rules.className)
    }

    private func check(_ predicate: Predicate, _ hidden: [String], _ className: String) throws {
        switch predicate {
        case .and(let parts), .or(let parts), .nor(let parts):
            for part in parts { try check(part, hidden, className) }
        case .relatedTo(let owner, _):
            // Without the right to read the owner, the relation just has no members. An unknown permission is an error,
            // because a site replica may learn it from its remote.
            if case .refused(let error) = try rules(owner.className).verdict(on: .get, owner.objectId),
                error.undescribedClass != nil
            {
                throw error
            }
        case .field(let path, let constraint):
            try check(path, hidden, className)
            switch constraint {
            case .inQuery(let query), .notInQuery(let query): try check(query)
            case .select(let query, let key), .dontSelect(let query, let key):
                let rules = try check(query)
                try check(key, hiddenFields(query.predicate, rules), query.className)
            default: break
            }
        }
    }

    @discardableResult
    private func check(_ query: Subquery) throws -> AccessRules {
        try check(ParseQuery(predicate: query.predicate), of: query.className)
        return try rules(query.className)
    }

    private func check(_ path: FieldPath, _ hidden: [String], _ className: String) throws(ParseError) {
        guard let name = path.segments.first, hidden.contains(name) else { return }
        throw Self.refusal(of: name, className)
    }

    private static func refusal(of field: String, _ className: String) -> ParseError {
        .denial(.operationForbidden, "This user is not allowed to query \(field) on class \(className)")
    }
}

extension ParseQuery {
    /// The right that a query needs. As in Parse Server, a query with the id of one object as its only condition needs
    /// the right to read by id, and any other query the right to list objects.
    package var reading: AccessRules.Operation { predicate.asksForOneId ? .get : .list }
}

extension Subquery {
    /// The right that the subquery needs, by the same rule as for a query.
    package var reading: AccessRules.Operation { predicate.asksForOneId ? .get : .list }
}

extension Predicate {
    /// Whether the only condition is that `objectId` equals a given id.
    package var asksForOneId: Bool {
        let required = required
        guard required.count == 1, case .field(let path, .equal(let value)) = required[0] else { return false }
        return path.segments == ["objectId"] && value.string != nil
    }
}
