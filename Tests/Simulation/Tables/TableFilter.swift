import ParseModel

/// A request, or a part of one, that no tables server need understand. `DatasyncRemote` must not send it.
struct UnknownForm: Error {
    let text: String
}

/// A `$filter` in exactly the forms that `DatasyncRemote` sends: comparisons of a column with a literal, and parentheses around
/// expressions that are joined by one word.
indirect enum TableFilter: Sendable {
    case constant(Bool)
    case comparison(column: String, word: String, TableLiteral)
    case joined(word: String, [TableFilter])

    /// - Throws: `UnknownForm` for every other form.
    init(_ text: String, _ dialect: TablesSettings.Dialect) throws(UnknownForm) {
        var reader = TableFilterReader(text, dialect)
        self = try reader.filter()
    }

    /// Whether the row matches. As in SQL, no comparison with a null is true, except `eq null` and `ne null`.
    func matches(_ row: TableRows.Row) -> Bool {
        switch self {
        case .constant(let value): value
        case .joined("and", let parts): parts.allSatisfy { $0.matches(row) }
        case .joined(_, let parts): parts.contains { $0.matches(row) }
        case .comparison(let column, let word, .null): (TableLiteral(column, of: row) == .null) == (word == "eq")
        case .comparison(let column, let word, let literal):
            TableLiteral(column, of: row).compared(to: literal).map { Self.holds(word, $0) } ?? false
        }
    }

    /// - Parameter order: negative if the column's value is smaller than the literal, 0 if both are equal.
    private static func holds(_ word: String, _ order: Int) -> Bool {
        switch word {
        case "eq": order == 0
        case "ne": order != 0
        case "gt": order > 0
        case "ge": order >= 0
        case "lt": order < 0
        default: order <= 0
        }
    }
}

/// A literal of a filter, or the value of a column.
enum TableLiteral: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    /// A time in microseconds since 1970.
    case time(Int64)

    init(_ column: String, of row: TableRows.Row) {
        switch column {
        case "id": self = .text(row.id)
        case "createdAt": self = .time(row.createdAt.milliseconds * 1000)
        case "updatedAt": self = .time(row.changedUs)
        case "deleted": self = .bool(row.isDeleted)
        default: self.init(row.columns[column])
        }
    }

    private init(_ value: JSONValue?) {
        switch value {
        case .bool(let flag): self = .bool(flag)
        case .number(let number): self = .number(Double(number.text) ?? 0)
        case .string(let text): self = .text(text)
        default: self = .null
        }
    }

    /// Negative if this value is smaller than the other one, 0 if both are equal; nil for values of different types.
    func compared(to other: TableLiteral) -> Int? {
        switch (self, other) {
        case (.bool(let one), .bool(let other)): one == other ? 0 : one ? 1 : -1
        case (.number(let one), .number(let other)): one == other ? 0 : one < other ? -1 : 1
        case (.text(let one), .text(let other)): one == other ? 0 : one < other ? -1 : 1
        case (.time(let one), .time(let other)): one == other ? 0 : one < other ? -1 : 1
        default: nil
        }
    }
}

/// Reads the text of a filter.
private struct TableFilterReader {
    private let text: String
    private var rest: Substring
    private let dialect: TablesSettings.Dialect
    private static let words = ["eq", "ne", "gt", "ge", "lt", "le"]

    init(_ text: String, _ dialect: TablesSettings.Dialect) {
        self.text = text
        rest = text[...]
        self.dialect = dialect
    }

    mutating func filter() throws(UnknownForm) -> TableFilter {
        let filter = try part()
        guard rest.isEmpty else { throw unknown }
        return filter
    }

    private var unknown: UnknownForm { UnknownForm(text: "$filter=\(text), at '\(rest.prefix(20))'") }

    private mutating func take(_ prefix: String) -> Bool {
        guard rest.hasPrefix(prefix) else { return false }
        rest.removeFirst(prefix.count)
        return true
    }

    private mutating func part() throws(UnknownForm) -> TableFilter {
        guard take("(") else { return try comparison() }
        var parts = [try part()]
        let word = rest.hasPrefix(" and ") ? "and" : "or"
        while take(" \(word) ") { parts.append(try part()) }
        guard take(")") else { throw unknown }
        return .joined(word: word, parts)
    }

    private mutating func comparison() throws(UnknownForm) -> TableFilter {
        if take("true") { return .constant(true) }
        if take("false") { return .constant(false) }
        let column = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
        let known = TableColumns.names + ["id", "updatedAt", "deleted"] + (dialect == .azure ? ["createdAt"] : [])
        guard known.contains(column), take(column),
            let word = Self.words.first(where: { rest.hasPrefix(" \($0) ") }), take(" \(word) ")
        else { throw unknown }
        let literal = try literal()
        guard literal != .null || ["eq", "ne"].contains(word) else { throw unknown }
        return .comparison(column: column, word: word, literal)
    }

    private mutating func literal() throws(UnknownForm) -> TableLiteral {
        if take("null") { return .null }
        if take("true") { return .bool(true) }
        if take("false") { return .bool(false) }
        if dialect == .azure, take("datetimeoffset'") { return try time(until: "'") }
        if dialect == .community, take("cast(") { return try time(until: ",Edm.DateTimeOffset)") }
        if take("'") { return .text(try quoted()) }
        let digits = rest.prefix { $0.isNumber || "+-.eE".contains($0) }
        guard let number = Double(digits), take(String(digits)) else { throw unknown }
        return .number(number)
    }

    private mutating func time(until end: String) throws(UnknownForm) -> TableLiteral {
        let iso = String(rest.prefix { $0.isNumber || "-:.TZ".contains($0) })
        guard let time = ParseDate(iso: iso), take(iso + end) else { throw unknown }
        return .time(time.milliseconds * 1000)
    }

    private mutating func quoted() throws(UnknownForm) -> String {
        var value = ""
        while let character = rest.popFirst() {
            guard character == "'" else {
                value.append(character)
                continue
            }
            guard take("'") else { return value }
            value.append("'")
        }
        throw unknown
    }
}
