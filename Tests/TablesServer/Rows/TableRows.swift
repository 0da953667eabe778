import ParseModel

/// The rows of one table in the order of their creation.
package struct TableRows: Sendable {
    var table: TablesServer.Table
    let dialect: TablesServer.Dialect
    /// The columns of the table: the declared ones, or those learned so far.
    private(set) var columns: [TablesServer.Column]
    private(set) var rows: [Row] = []
    /// The positions in `rows` by the UTF-8 bytes of the ids.
    private var places: [[UInt8]: Int] = [:]
    private var lastNumber = 0
    private var lastVersion = 2000
    /// The positions of the rows in each order that a list has used since the last change, by the text of the order.
    private var orders: [String: [Int]] = [:]

    init(_ table: TablesServer.Table, dialect: TablesServer.Dialect) {
        self.table = table
        self.dialect = dialect
        columns = table.columns ?? []
        if table.ownsRowsByUser { columns.append(.init("userId", .text)) }
    }

    /// Whether columns are learned from writes.
    var isDynamic: Bool { table.columns == nil }

    func row(_ id: String) -> Row? { places[Array(id.utf8)].map { rows[$0] } }

    /// The declared or learned column with this name, compared without regard to case.
    func column(_ name: String) -> TablesServer.Column? {
        columns.first { $0.name == name } ?? columns.first { $0.name.lowercased() == name.lowercased() }
    }

    mutating func learn(_ column: TablesServer.Column) {
        columns.append(column)
        orders = [:]
    }

    /// The id of the next row of a table that numbers its rows.
    mutating func nextNumber() -> String {
        lastNumber += 1
        return String(lastNumber)
    }

    /// The version that follows a version of a row. On SQLite, the Node server counts, and starts again at 1 after a text
    /// without a number. SQL Server has a larger number after each write to the table.
    private mutating func nextVersion(after version: String) -> String {
        if table.countsVersionsByRow { return String((Int(version.prefix { $0.isNumber }) ?? 0) + 1) }
        lastVersion += 1
        return String(lastVersion)
    }

    /// A new row, or the row with this id, after an edit, with its next version and time. It is not stored.
    mutating func edited(_ id: String, at now: Int64, _ edit: (inout Row) -> Void) -> Row {
        var row = row(id) ?? Row(id: id, createdAt: now, updatedAt: now)
        row.version = nextVersion(after: row.version)
        row.updatedAt = now
        edit(&row)
        return row
    }

    /// Inserts or changes a row, and moves its version and time.
    mutating func edit(_ id: String, at now: Int64, _ edit: (inout Row) -> Void) {
        let row = edited(id, at: now, edit)
        put(row)
    }

    /// The deletion of a row as the options of the table say.
    mutating func deletion(of row: Row, at now: Int64) -> RowChange {
        table.keepsTombstones ? .put(edited(row.id, at: now) { $0.isDeleted = true }) : .remove(row)
    }

    mutating func make(_ change: RowChange) {
        switch change {
        case .put(let row): put(row)
        case .remove(let row): remove(row.id)
        }
    }

    private mutating func put(_ row: Row) {
        if let place = places[Array(row.id.utf8)] {
            rows[place] = row
        } else {
            places[Array(row.id.utf8)] = rows.count
            rows.append(row)
        }
        orders = [:]
    }

    /// Removes a row without a trace.
    mutating func remove(_ id: String) {
        guard let place = places.removeValue(forKey: Array(id.utf8)) else { return }
        rows.remove(at: place)
        for (index, row) in rows.enumerated().dropFirst(place) { places[Array(row.id.utf8)] = index }
        orders = [:]
    }

    mutating func removeAll() {
        rows = []
        places = [:]
        orders = [:]
    }

    /// The positions of the rows, sorted by keys that `keys` returns.
    /// - Parameter name: the text of the order; equal orders have equal texts.
    mutating func places(sortedAs name: String, by keys: (Row) -> [(cell: Cell, isDescending: Bool)]) -> [Int] {
        if let known = orders[name] { return known }
        let sorted = rows.enumerated().map { (place: $0, keys: keys($1)) }.sorted { a, b in
            for (x, y) in zip(a.keys, b.keys) {
                let order = Cell.sortOrder(x.cell, y.cell)
                if order != 0 { return (order < 0) != x.isDescending }
            }
            return a.place < b.place
        }.map(\.place)
        orders[name] = sorted
        return sorted
    }
}
