import ParseModel

extension ListQuery {
    /// Reads the options of a list in the Azure dialect. A negative or unreadable `$top` returns all rows. A negative or
    /// unreadable `$skip` skips none. Any value of `__includeDeleted` includes tombstones.
    /// - Throws: `QueryError`.
    init(azure parameters: JSONObject, table: TablesServer.Table) throws(QueryError) {
        filter = try Self.azureFilter(parameters)
        if let text = parameters["$orderby"]?.string, !text.isEmpty {
            order = try FilterParser.order(text, dialect: .azure)
            orderName = text
        }
        if let text = parameters["$select"]?.string, !text.isEmpty {
            selected = text.split(separator: ",").map { $0.trimmingPrefix(" ") }.map(String.init)
            for name in selected ?? [] where !AzureNames.isIdentifier(name) {
                throw .malformed(AzureNames.refusal(name))
            }
        }
        skip = max(0, parameters["$skip"]?.string.flatMap { Int($0) } ?? 0)
        if let text = parameters["$top"]?.string {
            if let top = Int(text), top >= 0 {
                guard top <= table.topMax else {
                    throw .outOfBounds("You cannot request more than \(table.topMax) records")
                }
                limit = min(top, table.pageSize)
            }
        } else {
            limit = table.pageSize
        }
        countsAll = parameters["$inlinecount"]?.string == "allpages"
        includesDeleted = parameters["__includeDeleted"] != nil
    }

    /// Reads the filter of a list or of a delete.
    /// - Throws: `QueryError`.
    static func azureFilter(_ parameters: JSONObject) throws(QueryError) -> FilterExpression? {
        if let texts = parameters["$filter"]?.array {
            let joined = texts.compactMap(\.string).joined(separator: ",")
            throw .malformed("Expected a function, object, or string, not \(joined)")
        }
        guard let text = parameters["$filter"]?.string, !text.isEmpty else { return nil }
        return try FilterParser.filter(text, dialect: .azure)
    }
}

/// The names of columns that the Node server accepts.
enum AzureNames {
    /// The system columns that a client must not write, in lower case.
    static let reserved: Set<String> = ["createdat", "updatedat", "deleted"]

    static func isIdentifier(_ name: String) -> Bool {
        name.utf8.count < 128 && name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil
    }

    /// The text of the error about a bad name.
    static func refusal(_ name: String) -> String {
        "\(name) is not a valid identifier. Identifiers must be under 128 characters in length, start with a letter "
            + "or underscore, and can contain only alpha-numeric and underscore characters."
    }
}
