extension PredicateReader {
    /// Reads the operand of `$inQuery`: `{"className":…,"where":…}` with optional `order`, `limit`, `skip` and
    /// `redirectClassNameForKey`. Other members, which some SDKs send, are ignored.
    /// - Throws: a `ParseError` for an invalid subquery.
    mutating func subquery(_ value: JSONValue, _ key: String, depth: Int) throws(ParseError) -> Subquery {
        guard let object = value.object, object["where"]?.object != nil else {
            throw ParseError(.invalidQuery, "improper usage of \(key)")
        }
        return try subquery(object, key, depth: depth)
    }

    /// Reads the operand of `$select`: `{"query":…,"key":…}`. The `where` of the query is optional.
    mutating func selection(
        _ value: JSONValue, _ key: String, depth: Int
    ) throws(ParseError) -> (Subquery, FieldPath) {
        guard let object = value.object, let query = object["query"]?.object, let name = object["key"]?.string,
            !name.isEmpty, object.count == 2
        else { throw ParseError(.invalidQuery, "improper usage of \(key)") }
        return (try subquery(query, key, depth: depth), try FieldPath(name))
    }

    private mutating func subquery(
        _ object: JSONObject, _ key: String, depth: Int
    ) throws(ParseError) -> Subquery {
        guard let className = object["className"]?.string, !className.isEmpty else {
            throw ParseError(.invalidQuery, "improper usage of \(key)")
        }
        try className.checkStorable()
        let conditions = object["where"] ?? [:]
        guard let conditions = conditions.object else {
            throw ParseError(.invalidQuery, "improper usage of \(key)")
        }
        var paging = JSONObject()
        for name in ["order", "limit", "skip", "redirectClassNameForKey"] { paging[name] = object[name] }
        let query = try ParseQuery(parameters: paging)
        return Subquery(
            className: className, redirectingKey: query.redirectingKey,
            predicate: try predicate(conditions, depth: depth + 1), order: query.order,
            limit: [nil, .null, ""].contains(object["limit"]) ? nil : query.limit, skip: query.skip)
    }
}
