extension ParseQuery {
    /// Reads the parameters of a query. Strings are accepted in place of numbers, booleans and objects.
    ///
    /// Parameters with a leading `_` carry the client's keys and version, and are ignored. A parameter with null counts as
    /// absent. So does a parameter with the empty string, except `where` and `keys`.
    /// - Throws: Parse error 102 (invalid query) for an unsupported or invalid parameter, 105 (invalid field name), 107
    ///   (invalid JSON) for a `where` that is not JSON, and the errors of `Predicate.init(json:)`.
    package init(parameters: JSONObject, _ terms: QueryTerms = .own) throws(ParseError) {
        self.init()
        for (name, value) in parameters where !name.hasPrefix("_") {
            switch name {
            case "where" where !value.isNull: predicate = try Self.predicate(value, terms)
            case "order": try readOrder(value)
            case "limit": limit = try Self.wholeNumber(value, name) ?? Self.limitDefault
            case "skip": skip = try Self.wholeNumber(value, name) ?? 0
            case "count": wantsCount = try Self.flag(value, name)
            case "keys":
                // An empty list selects only the fields of `FieldSelection.always`.
                keys = value.isNull ? nil : try Self.paths(value, name) ?? []
                showsScore = try Self.names(value, name)?.contains("$score") ?? false
            case "excludeKeys": excludedKeys = try Self.paths(value, name) ?? []
            case "include": try readInclude(value, terms.bounds)
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

    private static func predicate(_ value: JSONValue, _ terms: QueryTerms) throws(ParseError) -> Predicate {
        guard let text = value.string else { return try Predicate(json: value, terms) }
        let json: JSONValue
        do {
            json = try JSONReader.read(text)
        } catch {
            let reason = (error as? JSONReader.SyntaxError)?.message ?? "unreadable"
            throw ParseError(.invalidJSON, "where is not JSON: \(reason)")
        }
        return try Predicate(json: json, terms)
    }

    private mutating func readOrder(_ value: JSONValue) throws(ParseError) {
        (order, ordersByScore) = ([], false)
        var places: [FieldPath: Int] = [:]
        for name in try Self.names(value, "order") ?? [] {
            // `$score` sorts the best matches first, with and without a leading minus.
            guard name != "$score", name != "-$score" else {
                ordersByScore = true
                continue
            }
            let key = try SortKey(name)
            // A repeated field keeps its first position and takes its last direction.
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

    /// The maximum number of sort keys, as on MongoDB.
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

    /// The maximum number of names in one parameter, such as `keys` or `include`.
    private static let pathsMax = 1000

    private mutating func readInclude(_ value: JSONValue, _ bounds: QueryBounds) throws(ParseError) {
        let names = try Self.names(value, "include") ?? []
        if names.contains("*") { includesAll = true }
        include = try Self.paths(.array(names.filter { $0 != "*" }.map { .string(String($0)) }), "include") ?? []
        try bounds.check(include: include)
    }

    /// Reads the parameter `explain`. The names of MongoDB's verbosity levels count as true.
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

    /// The names in a comma-separated list, or in an array of such lists; nil if there is no name.
    private static func names(_ value: JSONValue, _ parameter: String) throws(ParseError) -> [Substring]? {
        if value.isNull { return nil }
        var names: [Substring] = []
        for element in value.array ?? [value] {
            // A field can be named `true`. Its name then arrives as a boolean.
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
