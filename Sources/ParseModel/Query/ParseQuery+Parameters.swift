extension ParseQuery {
    /// Reads a query's parameters, with numbers and objects, or with strings where these can mean the same.
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
            case "keys":
                // An empty list shows only the fields that every object shows.
                keys = value.isNull ? nil : try Self.paths(value, name) ?? []
                showsScore = try Self.names(value, name)?.contains("$score") ?? false
            case "excludeKeys": excludedKeys = try Self.paths(value, name) ?? []
            case "include": try readInclude(value)
            case "includeAll": if try Self.flag(value, name) { includesAll = true }
            case "explain": explains = try Self.explains(value)
            case "redirectClassNameForKey": redirectingKey = try Self.paths(value, name)?.first
            case "where", "hint", "comment", "readPreference", "includeReadPreference", "subqueryReadPreference": break
            case let name where Self.notSupportedYet.contains(name):
                guard Self.isOff(value) else { throw ParseError(.invalidQuery, "\(name) is not supported yet") }
            default: throw ParseError(.invalidQuery, "Invalid parameter for query: \(name)")
            }
        }
    }

    private static let notSupportedYet: Set<String> = ["aggregate", "distinct", "pipeline"]

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
        var places: [FieldPath: Int] = [:]
        for name in try Self.names(value, "order") ?? [] {
            // The best ones come first, with either sign.
            guard name != "$score", name != "-$score" else {
                ordersByScore = true
                continue
            }
            let key = try SortKey(name)
            // A field that is named twice has its first place and its last direction, as a key of an object.
            if let place = places[key.path] {
                order[place] = key
                continue
            }
            places[key.path] = order.count
            order.append(key)
            guard order.count <= Self.orderMax else {
                throw ParseError(.invalidQuery, "order has more than \(Self.orderMax) keys")
            }
        }
    }

    /// By how many fields objects may be ordered, as on MongoDB.
    private static let orderMax = 32

    private static func paths(_ value: JSONValue, _ parameter: String) throws(ParseError) -> [String]? {
        guard let names = try names(value, parameter) else { return nil }
        var paths: [String] = []
        for name in names where !name.isEmpty && name != "$score" { paths.append(try FieldPath(String(name)).dotted) }
        guard paths.count <= pathsMax else {
            throw ParseError(.invalidQuery, "\(parameter) has more than \(pathsMax) names")
        }
        return paths
    }

    /// How many fields each of `keys`, `excludeKeys` and `include` may name.
    private static let pathsMax = 1000

    private mutating func readInclude(_ value: JSONValue) throws(ParseError) {
        let names = try Self.names(value, "include") ?? []
        if names.contains("*") { includesAll = true }
        include = try Self.paths(.array(names.filter { $0 != "*" }.map { .string(String($0)) }), "include") ?? []
    }

    /// MongoDB knows several depths of explanation, by name.
    private static func explains(_ value: JSONValue) throws(ParseError) -> Bool {
        if ["queryPlanner", "queryPlannerExtended", "executionStats", "allPlansExecution"].contains(value) {
            return true
        }
        do {
            return try flag(value, "explain")
        } catch {
            throw ParseError(.invalidQuery, "Invalid value for explain")
        }
    }

    /// The names of a comma-separated list or of an array; nil for an empty one.
    private static func names(_ value: JSONValue, _ parameter: String) throws(ParseError) -> [Substring]? {
        if value.isNull { return nil }
        var names: [Substring] = []
        for element in value.array ?? [value] {
            // A field may be named 'true'.
            guard let text = element.string ?? element.bool.map({ String($0) }) else {
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
