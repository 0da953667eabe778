import Foundation
import ParseModel

/// The rows of one table in the order of their creation.
struct TableRows: Sendable {
    var table: TablesServer.Table
    let dialect: TablesServer.Dialect
    /// The columns of the table: the declared ones, or those learned so far.
    private(set) var columns: [TablesServer.Column]
    private(set) var rows: [Row] = []
    /// The positions in `rows` by the UTF-8 bytes of the ids.
    private var places: [[UInt8]: Int] = [:]
    private var lastNumber = 0
    private var lastVersion: UInt64 = 2000
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

    /// The version that follows a version; with nil, the version of a new row.
    ///
    /// On SQLite, the Node server counts, and starts again at 1 after a text without a number. The versions of the Community
    /// dialect are those of SQL Server: a number of eight bytes in base64, larger after each write to the table.
    mutating func nextVersion(after version: String?) -> String {
        switch dialect {
        case .azure: return String((Int((version ?? "").prefix { $0.isNumber }) ?? 0) + 1)
        case .community:
            lastVersion += 1
            return Data(withUnsafeBytes(of: lastVersion.bigEndian) { Array($0) }).base64EncodedString()
        }
    }

    mutating func insert(_ row: Row) {
        places[Array(row.id.utf8)] = rows.count
        rows.append(row)
        orders = [:]
    }

    /// Changes a row, and moves its version and time.
    /// - Returns: the changed row; nil for an unknown id.
    mutating func change(_ id: String, now: Int64, _ edit: (inout Row) -> Void) -> Row? {
        guard let place = places[Array(id.utf8)] else { return nil }
        edit(&rows[place])
        rows[place].version = nextVersion(after: rows[place].version)
        rows[place].updatedAt = now
        orders = [:]
        return rows[place]
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
