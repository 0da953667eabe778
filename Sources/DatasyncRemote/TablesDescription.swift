import ParseModel

/// A server's description of its tables, as Azure Mobile Apps answers it to `GET /swagger` if its configuration allows that.
struct TablesDescription: Sendable {
    /// The types of the columns, by table name and column name.
    private(set) var tables: [String: [String: ColumnType]] = [:]

    enum ColumnType: String, Sendable { case text, number, boolean, date }

    init() {}

    /// Reads a Swagger 2.0 document. Its `definitions` name the tables. Leaves out columns of unknown types. Nil for a
    /// document without definitions.
    init?(swagger document: JSONValue) {
        guard let definitions = document.object?["definitions"]?.object else { return nil }
        for (table, definition) in definitions {
            var columns: [String: ColumnType] = [:]
            for (name, property) in definition.object?["properties"]?.object ?? [:] {
                columns[name] = ColumnType(property)
            }
            tables[table] = columns
        }
    }

    /// The columns of the table at a path, by name; nil if the table is not described.
    /// - Parameter path: the percent-encoded path: `/tables/TodoItem`.
    func columns(at path: String) -> [String: ColumnType]? {
        let prefix = "/tables/"
        guard path.hasPrefix(prefix) else { return nil }
        // The server compares names of tables without case.
        let name = path.dropFirst(prefix.count).lowercased()
        return tables.first { PercentCoding.encodedPathSegment($0.key).lowercased() == name }?.value
    }

    /// The names of the date columns of a table that can be fields of a Parse object.
    func datesOfTable(at path: String) -> [String] {
        (columns(at: path) ?? [:]).filter { $0.value == .date && Columns.isField($0.key) }.map(\.key)
    }
}

extension TablesDescription.ColumnType {
    init?(_ property: JSONValue) {
        let object = property.object
        switch (object?["type"]?.string, object?["format"]?.string) {
        case ("string", "date-time"): self = .date
        case ("string", _): self = .text
        case ("number", _), ("integer", _): self = .number
        case ("boolean", _): self = .boolean
        default: return nil
        }
    }

    /// The Parse type of the column. Nil for a text column: its values may be Date, Pointer, File or Bytes values.
    var fieldType: FieldType? {
        switch self {
        case .text: nil
        case .number: .number
        case .boolean: .boolean
        case .date: .date
        }
    }
}
