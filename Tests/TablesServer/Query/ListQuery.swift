import ParseModel

/// A query for a list of rows.
struct ListQuery {
    var filter: FilterExpression?
    var order: [(expression: FilterExpression, isDescending: Bool)] = []
    /// The text of `$orderby`; equal orders have equal texts.
    var orderName = ""
    /// The names of the columns to return; nil for all.
    var selected: [String]?
    var skip = 0
    /// The maximum number of rows to return; nil for all.
    var limit: Int?
    var countsAll = false
    var includesDeleted = false
    /// The user whose rows are visible; nil for all users.
    var owner: String?

    /// The rows of a page.
    struct Page {
        var rows: [Row] = []
        /// The number of rows that match, on all pages. Only valid if the query counts, or if `hasMore` is false.
        var total = 0
        /// Whether more rows match.
        var hasMore = false
    }

    /// Reads the page.
    /// - Throws: `QueryError` for an unknown column, and for an expression that the database refuses.
    func page(of table: inout TableRows) throws(QueryError) -> Page {
        let selectedColumns = (selected ?? []).map { FilterExpression.column($0) }
        let evaluator = try FilterEvaluator(
            table, for: [filter].compactMap { $0 } + order.map(\.expression) + selectedColumns)
        let places =
            order.isEmpty
            ? Array(table.rows.indices)
            : table.places(sortedAs: orderName) { row in
                order.map { (evaluator.value(of: $0.expression, row), $0.isDescending) }
            }
        var page = Page()
        for place in places {
            let row = table.rows[place]
            guard matches(row, evaluator) else { continue }
            page.total += 1
            if page.total <= skip { continue }
            if let limit, page.rows.count >= limit {
                page.hasMore = true
                guard countsAll else { break }
            } else {
                page.rows.append(row)
            }
        }
        return page
    }

    /// The rows on the wire with the selected columns.
    func json(_ rows: [Row], of table: TableRows) -> [JSONValue] {
        rows.map { row in
            var object = table.json(row)
            if let selected {
                let names = Set(selected.map { $0.lowercased() })
                object.removeAll { !names.contains($0.lowercased()) }
            }
            return .object(object)
        }
    }

    private func matches(_ row: Row, _ evaluator: FilterEvaluator) -> Bool {
        guard includesDeleted || !row.isDeleted else { return false }
        if let owner, row.fields["userId"]?.string != owner { return false }
        return filter.map { evaluator.accepts(row, $0) } ?? true
    }
}
