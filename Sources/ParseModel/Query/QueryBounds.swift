/// The limits of a query that Parse Server's option `requestComplexity` sets. Nil stands for no limit besides those of
/// Tidegate.
package struct QueryBounds: Sendable, Hashable {
    /// The maximum number of pointers in one path of `include`.
    package var includeDepthMax: Int?
    /// The maximum number of paths of `include`. The beginnings of a path, such as `a` of `a.b`, also count.
    package var includeCountMax: Int?
    /// The maximum nesting of `$or`, `$and` and `$nor`. The count restarts in each subquery.
    package var queryDepthMax: Int?
    /// The maximum nesting of subqueries.
    package var subqueryDepthMax: Int?
    /// Whether conditions may have regular expressions.
    package var allowsRegex = true

    package init(
        includeDepthMax: Int? = nil, includeCountMax: Int? = nil, queryDepthMax: Int? = nil,
        subqueryDepthMax: Int? = nil
    ) {
        self.includeDepthMax = includeDepthMax
        self.includeCountMax = includeCountMax
        self.queryDepthMax = queryDepthMax
        self.subqueryDepthMax = subqueryDepthMax
    }

    /// - Throws: Parse error 102 (invalid query) for too deep or too many paths.
    func check(include paths: [String]) throws(ParseError) {
        var beginnings: Set<[Substring]> = []
        for path in paths {
            let names = path.split(separator: ".")
            if let includeDepthMax, names.count > includeDepthMax {
                throw Self.exceeded(
                    "Include depth of \(names.count) exceeds maximum allowed depth of \(includeDepthMax)")
            }
            for count in names.indices { beginnings.insert(Array(names[...count])) }
        }
        if let includeCountMax, beginnings.count > includeCountMax {
            throw Self.exceeded(
                "Number of include fields (\(beginnings.count)) exceeds maximum allowed (\(includeCountMax))")
        }
    }

    /// - Throws: Parse error 102 (invalid query) for a condition that is nested too deeply.
    func check(_ nesting: PredicateReader.Nesting) throws(ParseError) {
        if let queryDepthMax, nesting.combinations > queryDepthMax {
            throw Self.exceeded("Query condition nesting depth exceeds maximum allowed depth of \(queryDepthMax)")
        }
        if let subqueryDepthMax, nesting.subqueries > subqueryDepthMax {
            throw Self.exceeded("Subquery nesting depth exceeds maximum allowed depth of \(subqueryDepthMax)")
        }
    }

    /// - Throws: Parse error 102 (invalid query) if regular expressions are forbidden.
    func checkRegex() throws(ParseError) {
        guard allowsRegex else { throw Self.exceeded("$regex operator is not allowed") }
    }

    private static func exceeded(_ message: String) -> ParseError { ParseError(.invalidQuery, message) }
}
