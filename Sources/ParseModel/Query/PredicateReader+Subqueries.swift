extension PredicateReader {
    /// Reads the operand of `$inQuery`: `{"className":…,"where":…}` with an optional `redirectClassNameForKey`. As in
    /// Parse Server, all other members are ignored, even `limit` and `skip`.
    /// - Throws: a `ParseError` for an invalid subquery.
    mutating func subquery(_ value: JSONValue, _ key: String, nesting: Nesting) throws(ParseError) -> Subquery {
        guard let object = value.object, object["where"]?.object != nil else {
            throw ParseError(.invalidQuery, "improper usage of \(key)")
        }
        return try subquery(object, key, nesting: nesting)
    }

    /// Reads the operand of `$select`: `{"query":…,"key":…}`. The `where` of the query is optional.
    mutating func selection(
        _ value: JSONValue, _ key: String, nesting: Nesting
    ) throws(ParseError) -> (Subquery, FieldPath) {
        guard let object = value.object, let query = object["query"]?.object, let name = object["key"]?.string,
            !name.isEmpty, object.count == 2
        else { throw ParseError(.invalidQuery, "improper usage of \(key)") }
        return (try subquery(query, key, nesting: nesting), try FieldPath(name))
    }

    private mutating func subquery(
        _ object: JSONObject, _ key: String, nesting: Nesting
    ) throws(ParseError) -> Subquery {
        guard let className = object["className"]?.string, !className.isEmpty else {
            throw ParseError(.invalidQuery, "improper usage of \(key)")
        }
        try className.checkStorable()
        let conditions = object["where"] ?? [:]
        guard let conditions = conditions.object else {
            throw ParseError(.invalidQuery, "improper usage of \(key)")
        }
        var parameters = JSONObject()
        parameters["redirectClassNameForKey"] = object["redirectClassNameForKey"]
        return Subquery(
            className: className, redirectingKey: try ParseQuery(parameters: parameters).redirectingKey,
            predicate: try predicate(conditions, nesting: nesting.inSubquery))
    }
}
