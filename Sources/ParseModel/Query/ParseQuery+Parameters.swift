extension ParseQuery {
    /// Reads a query's parameters as they come in a URL, all of them strings, or in a body, with numbers and objects.
    ///
    /// Parameters that begin with `_` carry keys and versions and are not looked at; null and the empty string leave
    /// a parameter at its default.
    /// - Throws: 102 for a parameter that cannot be answered, 105 for a name that cannot be a field, 107 for a `where`
    ///   that is not JSON.
    package init(parameters: JSONObject) throws(ParseError) {
        self.init()
        for (name, value) in parameters where !name.hasPrefix("_") {
            switch name {
            case "where" where !value.isNull: predicate = try Self.predicate(value)
            case "order": try readOrder(value)
            case "limit": limit = try Self.wholeNumber(value, name) ?? Self.limitDefault
            case "skip": skip = try Self.wholeNumber(value, name) ?? 0
            case "count": wantsCount = try Self.flag(value, name)
            case "keys": keys = try Self.keys(value)
            case "where", "hint", "comment", "readPreference", "includeReadPreference", "subqueryReadPreference": break
            case let name where Self.notSupportedYet.contains(name):
                guard Self.isOff(value) else { throw ParseError(.invalidQuery, "\(name) is not supported yet") }
            default: throw ParseError(.invalidQuery, "Invalid parameter for query: \(name)")
            }
        }
    }

    private static let notSupportedYet: Set<String> = [
        "include", "includeAll", "excludeKeys", "explain", "aggregate", "distinct", "pipeline",
        "redirectClassNameForKey",
    ]

    private static func isOff(_ value: JSONValue) -> Bool {
        [.null, .bool(false), "", "false", []].contains(value)
    }

    private static func predicate(_ value: JSONValue) throws(ParseError) -> Predicate {
        guard let text = value.string else { return try Predicate(json: value) }
        let json: JSONValue
        do {
            json = try JSONReader.read(text)
        } catch {
            let reason = (error as? JSONReader.SyntaxError)?.message ?? "unreadable"
            throw ParseError(.invalidJSON, "where is not JSON: \(reason)")
        }
        return try Predicate(json: json)
    }

    private mutating func readOrder(_ value: JSONValue) throws(ParseError) {
        (order, ordersByScore) = ([], false)
        for name in try Self.names(value, "order") ?? [] {
            if name == "$score" { ordersByScore = true } else { order.append(try SortKey(name)) }
        }
    }

    private static func keys(_ value: JSONValue) throws(ParseError) -> [String]? {
        guard let names = try names(value, "keys") else { return nil }
        var keys: [String] = []
        for name in names where name != "$score" { keys.append(try FieldPath(String(name)).dotted) }
        return keys
    }

    /// The names of a comma-separated list or of an array; nil for an empty one.
    private static func names(_ value: JSONValue, _ parameter: String) throws(ParseError) -> [Substring]? {
        if value.isNull { return nil }
        var names: [Substring] = []
        for element in value.array ?? [value] {
            guard let text = element.string else {
                throw ParseError(.invalidQuery, "\(parameter) must be a list of names, separated by commas")
            }
            names += text.split(separator: ",", omittingEmptySubsequences: false).map(trimmed)
        }
        if names.allSatisfy(\.isEmpty) { return nil }
        return names
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return text
    }

    private static func wholeNumber(_ value: JSONValue, _ parameter: String) throws(ParseError) -> Int? {
        if value.isNull || value == "" { return nil }
        guard let number = value.int ?? value.string.flatMap({ Int(trimmed($0[...])) }), number >= 0 else {
            throw ParseError(.invalidQuery, "\(parameter) must be a whole number of at least 0")
        }
        return number
    }

    private static func flag(_ value: JSONValue, _ parameter: String) throws(ParseError) -> Bool {
        switch value {
        case .bool(true), 1, "1", "true": return true
        case .bool(false), 0, "0", "false", "", .null: return false
        default: throw ParseError(.invalidQuery, "\(parameter) must be 1 or 0")
        }
    }
}
