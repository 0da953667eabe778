import ParseModel

/// The fields of an object that only holders of the master key see: users are public, their mail addresses are not.
enum HiddenFields {
    private static let names: [String: [String]] = ["_User": ["email", "authData"]]

    static func of(_ className: String, for principal: Principal) -> [String] {
        principal.isMaster ? [] : names[className] ?? []
    }

    /// Refuses a query by hidden fields: its results would tell their values.
    /// - Throws: 119 for such a query, and errors of `SpecialClasses` for a class that the client may not list.
    static func check(_ query: ParseQuery, of className: String) throws(ParseError) {
        try check(query.predicate, of: className)
        for key in query.order { try check(key.path, of: className) }
    }

    private static func check(_ predicate: Predicate, of className: String) throws(ParseError) {
        switch predicate {
        case .and(let parts), .or(let parts), .nor(let parts):
            for part in parts { try check(part, of: className) }
        case .relatedTo: break
        case .field(let path, let constraint):
            try check(path, of: className)
            switch constraint {
            case .inQuery(let query), .notInQuery(let query): try check(query)
            case .select(let query, let key), .dontSelect(let query, let key):
                try check(query)
                try check(key, of: query.className)
            default: break
            }
        }
    }

    private static func check(_ query: Subquery) throws(ParseError) {
        try SpecialClasses.authorize(.list, query.className, as: .public)
        try check(query.predicate, of: query.className)
        for key in query.order { try check(key.path, of: query.className) }
    }

    private static func check(_ path: FieldPath, of className: String) throws(ParseError) {
        guard let name = path.segments.first, names[className]?.contains(name) == true else { return }
        throw ParseError(
            .operationForbidden, "This user is not allowed to query \(name) on class \(className)")
    }
}
