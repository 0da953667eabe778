extension PredicateReader {
    /// Reads the conditions on one field of `where`. If an object has both operators and members without `$`, these
    /// members form one value, which the field must equal.
    /// - Throws: a `ParseError` for an unknown operator or an invalid operand.
    mutating func constraints(_ json: JSONValue, nesting: Nesting) throws(ParseError) -> [Constraint] {
        guard let object = json.object, object.keys.contains(where: { $0.hasPrefix("$") }) else {
            return [.equal(try fieldValue(json))]
        }
        var constraints: [Constraint] = []
        for (key, value) in object where key.hasPrefix("$") {
            if let constraint = try constraint(key, value, beside: object, nesting: nesting) {
                constraints.append(constraint)
            }
        }
        var direct = object
        direct.removeAll { $0.hasPrefix("$") }
        if !direct.isEmpty { constraints.append(.equal(try fieldValue(.object(direct)))) }
        guard object["$exists"] != nil, !direct.isEmpty || object.keys.contains(where: Self.hidingExists.contains)
        else { return constraints }
        return constraints.map { if case .exists(let exists) = $0 { .existsUnlessRelation(exists) } else { $0 } }
    }

    /// The operators on a relation field next to which Parse Server ignores `$exists` (`reduceInRelation` of its
    /// `DatabaseController`). Parse Server replaces the last four by `$in` and `$nin`.
    private static let hidingExists: Set<String> = [
        "$in", "$nin", "$ne", "$inQuery", "$notInQuery", "$select", "$dontSelect",
    ]

    /// Reads one operator and its operand.
    /// - Returns: nil for an operator that only modifies another operator, such as `$options`.
    private mutating func constraint(
        _ key: String, _ value: JSONValue, beside object: JSONObject, nesting: Nesting
    ) throws(ParseError) -> Constraint? {
        switch key {
        case "$eq": return .equal(try identity(value))
        case "$ne": return .notEqual(try identity(value))
        case "$lt": return .less(try comparable(value, key))
        case "$lte": return .lessOrEqual(try comparable(value, key))
        case "$gt": return .greater(try comparable(value, key))
        case "$gte": return .greaterOrEqual(try comparable(value, key))
        case "$in": return .in(try list(value, key))
        case "$nin": return .notIn(try list(value, key))
        case "$exists":
            _ = try identity(value)
            // MongoDB treats every operand as true except false, 0 and null. The empty string is true.
            return .exists(value.isTruthy || value == "")
        case "$all": return try all(value)
        case "$containedBy":
            guard let list = value.array else { throw Self.malformed("bad $containedBy: should be an array") }
            try count(list: list)
            return .containedBy(try value.asFieldValue().array ?? [])
        case "$regex": return try regex(value, options: object["$options"])
        case "$options":
            guard object["$regex"] != nil else { throw Self.bad("\(key) needs a $regex in the same object") }
            return nil
        case "$text": return .text(try text(value))
        case "$inQuery": return .inQuery(try subquery(value, key, nesting: nesting))
        case "$notInQuery": return .notInQuery(try subquery(value, key, nesting: nesting))
        case "$select":
            let (query, path) = try selection(value, key, nesting: nesting)
            return .select(query, path)
        case "$dontSelect":
            let (query, path) = try selection(value, key, nesting: nesting)
            return .dontSelect(query, path)
        default: return try place(key, value, beside: object)
        }
    }

    private mutating func fieldValue(_ value: JSONValue) throws(ParseError) -> JSONValue {
        try count(inside: value)
        return try value.asFieldValue()
    }

    private mutating func identity(_ value: JSONValue) throws(ParseError) -> JSONValue {
        if value.object?["$relativeTime"] != nil {
            throw Self.malformed("$relativeTime can only be used with the $lt, $lte, $gt, and $gte operators")
        }
        return try fieldValue(value)
    }

    private mutating func comparable(_ value: JSONValue, _ key: String) throws(ParseError) -> JSONValue {
        if let time = value.object?["$relativeTime"] {
            do {
                _ = try RelativeTime(time.string ?? time.jsonText)
            } catch {
                throw Self.malformed("bad $relativeTime (\(key)) value. \(error.info)")
            }
            return ["$relativeTime": time]
        }
        let value = try fieldValue(value)
        switch FieldType(of: value) {
        case .file: return value.object?["name"] ?? .null
        case .number, .string, .date, .boolean, .pointer: return value
        default: throw Self.bad("\(key) needs a number, a string, a date, a boolean, a file or a pointer")
        }
    }

    /// Reads the operand of `$in` and `$nin`. An array inside the list is replaced by its elements, as in Parse Server.
    private mutating func list(_ value: JSONValue, _ key: String) throws(ParseError) -> [JSONValue] {
        guard let list = value.array else { throw Self.malformed("bad \(key) value") }
        let elements = list.flatMap { $0.array ?? [$0] }
        try count(list: elements)
        return try JSONValue.array(elements).asFieldValue().array ?? []
    }

    /// Reads the operand of `$all`: a list of values, or a list of `{"$regex":…}` objects. Each element counts as a constraint.
    private mutating func all(_ value: JSONValue) throws(ParseError) -> Constraint {
        guard let elements = value.array else { throw Self.malformed("bad $all value") }
        for _ in elements { try count() }
        let patterns = elements.compactMap { $0.object?["$regex"] }
        guard !patterns.isEmpty else {
            var values: [JSONValue] = []
            for element in elements { values.append(try Self.allValue(element)) }
            return .all(values)
        }
        guard patterns.count == elements.count else {
            throw Self.malformed("All $all values must be of regex type or none: \(value.jsonText)")
        }
        var texts: [String] = []
        for pattern in patterns { texts.append(try self.pattern(pattern)) }
        return .allMatching(texts)
    }

    /// Reads one value of `$all`. Unlike elsewhere, an object with invalid keys is accepted, although no stored value
    /// can equal it.
    private static func allValue(_ value: JSONValue) throws(ParseError) -> JSONValue {
        do {
            return try value.asFieldValue()
        } catch  where error.code == .invalidNestedKey {
            return value
        }
    }

    private func regex(_ value: JSONValue, options: JSONValue?) throws(ParseError) -> Constraint {
        let pattern = try pattern(value)
        guard let options = (options ?? "").string, options.utf8.allSatisfy("imxsu".utf8.contains) else {
            throw ParseError(
                .invalidQuery, "Bad $options value for query: \(options?.string ?? options?.jsonText ?? "")")
        }
        // The option `u` (Unicode) is left out, because patterns are always Unicode.
        return .regex(pattern: pattern, options: options.filter { $0 != "u" })
    }

    private func pattern(_ value: JSONValue) throws(ParseError) -> String {
        try terms.bounds.checkRegex()
        guard let pattern = value.string else { throw Self.malformed("bad regex: \(value.jsonText)") }
        try pattern.checkStorable()
        guard pattern.unicodeScalars.count <= Constraint.patternMax else {
            throw Self.bad("$regex is longer than \(Constraint.patternMax) characters")
        }
        return pattern
    }

    private func text(_ value: JSONValue) throws(ParseError) -> TextSearch {
        guard let search = value.object?["$search"]?.object else {
            throw Self.malformed("bad $text: $search, should be object")
        }
        guard let term = search["$term"]?.string, !term.isEmpty else {
            throw Self.malformed("bad $text: $term, should be string")
        }
        try term.checkStorable()
        guard term.utf8.count <= Constraint.patternMax else {
            throw Self.bad("$term is longer than \(Constraint.patternMax) bytes")
        }
        guard search["$language"]?.string != nil || search["$language"] == nil else {
            throw Self.malformed("bad $text: $language, should be string")
        }
        for name in ["$caseSensitive", "$diacriticSensitive"] where search[name] != nil && search[name]?.bool == nil {
            throw Self.malformed("bad $text: \(name), should be boolean")
        }
        let known: Set = ["$term", "$language", "$caseSensitive", "$diacriticSensitive"]
        if let unknown = search.keys.first(where: { !known.contains($0) }) { throw Self.bad(unknown) }
        return TextSearch(
            term: term, isCaseSensitive: search["$caseSensitive"]?.bool ?? false,
            isDiacriticSensitive: search["$diacriticSensitive"]?.bool ?? false)
    }

    /// An error for an invalid query, with a message of Tidegate.
    static func bad(_ what: String) -> ParseError { ParseError(.invalidQuery, "bad constraint: \(what)") }

    /// An error for a malformed operand, with the message of Parse Server.
    static func malformed(_ message: String) -> ParseError { ParseError(.invalidJSON, message) }
}
