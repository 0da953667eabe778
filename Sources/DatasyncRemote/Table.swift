import ParseModel

/// The table of a class, and how its rows are read.
struct Table: Sendable {
    let className: String
    /// The percent-encoded path below the server's URL.
    let path: String
    let values: TableValues
    let rules: any DialectRules
}

/// The answer to a list of a table's rows.
struct TableListAnswer {
    let rows: [JSONValue]
    /// The number of all matching rows, if it was requested.
    let count: Int?
    let serverTime: ParseDate
}
