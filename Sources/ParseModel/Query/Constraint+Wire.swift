extension Constraint {
    /// Reads what `where` says beside a field's name: a plain value, or an object of operators that must all hold.
    /// - Throws: 102 for what is no constraint, and what `asFieldValue` throws for a malformed value.
    static func read(_ json: JSONValue) throws(ParseError) -> [Constraint] {
        guard let object = json.object, object.keys.contains(where: { $0.hasPrefix("$") }) else {
            return [.equal(try json.asFieldValue())]
        }
        var constraints: [Constraint] = []
        for (key, value) in object {
            if let constraint = try operatorNamed(key, value, beside: object) { constraints.append(constraint) }
        }
        return constraints
    }

    /// Nil for `$options`, which is a part of `$regex`.
    private static func operatorNamed(
        _ key: String, _ value: JSONValue, beside object: JSONObject
    ) throws(ParseError) -> Constraint? {
        switch key {
        case "$eq": return .equal(try value.asFieldValue())
        case "$ne": return .notEqual(try value.asFieldValue())
        case "$lt": return .less(try comparable(value, key))
        case "$lte": return .lessOrEqual(try comparable(value, key))
        case "$gt": return .greater(try comparable(value, key))
        case "$gte": return .greaterOrEqual(try comparable(value, key))
        case "$in": return .in(try list(value, key))
        case "$nin": return .notIn(try list(value, key))
        case "$exists":
            guard let exists = value.bool else { throw bad("\(key) needs true or false") }
            return .exists(exists)
        case "$regex": return try regex(value, options: object["$options"])
        case "$options":
            guard object["$regex"] != nil else { throw bad("\(key) needs a $regex beside it") }
            return nil
        default:
            guard key.hasPrefix("$") else { throw bad("\(key) stands beside operators") }
            throw bad(notSupportedYet.contains(key) ? "\(key) is not supported yet" : key)
        }
    }

    private static func comparable(_ value: JSONValue, _ key: String) throws(ParseError) -> JSONValue {
        if value.object?["$relativeTime"] != nil { throw bad("$relativeTime is not supported yet") }
        let value = try value.asFieldValue()
        guard let type = FieldType(of: value), [.number, .string, .date].contains(type) else {
            throw bad("\(key) needs a number, a string or a date")
        }
        return value
    }

    private static func list(_ value: JSONValue, _ key: String) throws(ParseError) -> [JSONValue] {
        guard value.array != nil else { throw bad("\(key) needs an array") }
        return try value.asFieldValue().array ?? []
    }

    private static func regex(_ value: JSONValue, options: JSONValue?) throws(ParseError) -> Constraint {
        guard let pattern = value.string else { throw bad("$regex needs a string") }
        try pattern.checkStorable()
        guard pattern.unicodeScalars.count <= patternMax else {
            throw bad("$regex is longer than \(patternMax) characters")
        }
        guard let options = (options ?? "").string, options.utf8.allSatisfy("imxs".utf8.contains) else {
            throw ParseError(
                .invalidQuery, "Bad $options value for query: \(options?.string ?? options?.jsonText ?? "")")
        }
        return .regex(pattern: pattern, options: options)
    }

    private static func bad(_ what: String) -> ParseError { ParseError(.invalidQuery, "bad constraint: \(what)") }

    /// Operators that a Parse Server has and Tidegate has not.
    private static let notSupportedYet: Set<String> = [
        "$all", "$containedBy", "$text", "$search", "$select", "$dontSelect", "$inQuery", "$notInQuery",
        "$nearSphere", "$maxDistance", "$maxDistanceInMiles", "$maxDistanceInKilometers", "$maxDistanceInRadians",
        "$within", "$geoWithin", "$geoIntersects", "$relativeTime",
    ]
}
