import ParseModel

extension ListQuery {
    /// Reads the options of a list in the Community dialect. `id` is always the last order.
    /// - Throws: `QueryError`.
    init(community parameters: JSONObject, table: TablesServer.Table) throws(QueryError) {
        let text = { (name: String) in parameters[name]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        if let filterText = text("$filter") { filter = try FilterParser.filter(filterText, dialect: .community) }
        if let orderText = text("$orderby") { order = try FilterParser.order(orderText, dialect: .community) }
        order.append((.column("id"), false))
        orderName = text("$orderby") ?? "id"
        selected = text("$select")?.split(separator: ",").map { String($0.trimmingPrefix(" ")) }
        skip = try Self.number("$skip", parameters, max: Int.max) ?? 0
        limit = min(try Self.number("$top", parameters, max: table.topMax) ?? table.pageSize, table.pageSize)
        countsAll = text("$count") == "true"
        includesDeleted = Self.includesDeleted(parameters)
    }

    /// Whether the request asks for tombstones. The name of the parameter is compared without regard to case.
    static func includesDeleted(_ parameters: JSONObject) -> Bool {
        parameters.contains { $0.key.lowercased() == "__includedeleted" && $0.value.string?.lowercased() == "true" }
    }

    /// The query string of the next page; nil after the last page.
    func nextLink(after page: Page, _ parameters: JSONObject) -> String? {
        guard page.hasMore else { return nil }
        var next = parameters
        if let top = parameters["$top"]?.string.flatMap({ Int($0) }) {
            guard top > page.rows.count else { return nil }
            next["$top"] = .string(String(top - page.rows.count))
        }
        next["$skip"] = .string(String(skip + page.rows.count))
        return next.map { "\($0.key)=\(PercentCoding.encoded($0.value.string ?? ""))" }.joined(separator: "&")
    }

    private static func number(_ name: String, _ parameters: JSONObject, max: Int) throws(QueryError) -> Int? {
        guard let text = parameters[name]?.string else { return nil }
        guard let number = Int(text), (0...max).contains(number) else {
            throw .outOfBounds("Invalid value '\(text)' for \(name) query option found.")
        }
        return number
    }
}
