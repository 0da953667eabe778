import ParseModel

/// A server's description of its tables, as Azure Mobile Apps answers it to `GET /swagger` if its configuration allows that.
struct TablesDescription: Sendable {
    /// The types of the columns, by the name of the table and the name of the column.
    private(set) var tables: [String: [String: ColumnType]] = [:]

    enum ColumnType: String, Sendable { case text, number, boolean, date }

    init() {}

    /// Reads a Swagger 2.0 document, whose `definitions` name the tables; nil for a document without definitions. Columns of
    /// unknown types are left out.
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

    /// The date columns of the table at a path that can be fields.
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

    /// The Parse type; nil for a text column, whose values may be Date, Pointer, File or Bytes values here.
    var fieldType: FieldType? {
        switch self {
        case .text: nil
        case .number: .number
        case .boolean: .boolean
        case .date: .date
        }
    }
}
