/// A change of one row.
package enum RowChange: Sendable {
    /// Inserts a row, or replaces the row with the same id.
    case put(TablesServer.Row)
    /// Removes a row without a tombstone.
    case remove(TablesServer.Row)

    package var row: TablesServer.Row {
        switch self {
        case .put(let row), .remove(let row): row
        }
    }
}

/// The decision about a request.
package enum TableDecision: Sendable {
    /// The request changes no row.
    case answer(TablesAnswer)
    /// The request changes rows of one table. The answer shows the rows after their changes, and removed rows before them.
    case change([RowChange], in: String, answer: @Sendable ([TablesServer.Row], TableRows) -> TablesAnswer)
}
