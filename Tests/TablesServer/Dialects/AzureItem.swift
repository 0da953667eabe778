import ParseModel

/// The body of an insert or an update in the Azure dialect.
struct AzureItem {
    /// The maximum length of a body in bytes: 100 KB, the default of the body parser (measured).
    static let bytesMax = 102_400

    let object: JSONObject
    /// Whether the body is an array. The Node server treats the positions of an array as names of columns.
    private let isArray: Bool

    /// Reads the body of a request. An empty body is an empty item.
    /// - Returns: nil for a body that is not JSON.
    /// - Throws: the refusal of invalid JSON, of a wrong character set and of a body that is too long.
    init?(_ request: TablesRequest) throws(EarlyAnswer) {
        guard !request.body.isEmpty else {
            (object, isArray) = ([:], false)
            return
        }
        let type = (request.headers["content-type"] ?? "application/json").lowercased()
        guard type.hasPrefix("application/json") else { return nil }
        if let charset = type.firstMatch(of: /charset=([^;\s]+)/)?.1, charset != "utf-8" {
            throw .error(400, "unsupported charset \"\(charset.uppercased())\"")
        }
        let isCompressed = request.headers["content-encoding"]?.lowercased() == "gzip"
        let body = isCompressed ? Gunzip.bytes(request.body, bytesMax: Self.bytesMax) : request.body
        guard let body, body.count <= Self.bytesMax else { throw .error(400, "request entity too large") }
        // The body parser accepts objects and arrays only. Its error text replaces the rest of the body by `#`.
        if let first = String(decoding: body, as: UTF8.self).first(where: { !$0.isWhitespace }), first != "{",
            first != "["
        {
            throw .error(400, "Unexpected token '\(first)', \"#\" is not valid JSON")
        }
        do {
            switch try JSONReader.read(body) {
            case .object(let object): (self.object, isArray) = (object, false)
            default: (object, isArray) = ([:], true)
            }
        } catch {
            throw .error(400, (error as? JSONReader.SyntaxError)?.message ?? "\(error)")
        }
    }

    /// The id as SQLite stores it; nil for none, null and an empty text.
    var id: String? {
        let text = ColumnValue.stored(object["id"] ?? .null, as: .text).string
        return text?.isEmpty == true ? nil : text
    }

    var version: String? { object["version"]?.string }

    /// - Throws: the refusal of an array and of reserved names.
    func check() throws(EarlyAnswer) {
        guard !isArray else { throw .error(500, AzureNames.refusal("0")) }
        for name in object.keys where AzureNames.reserved.contains(name.lowercased()) {
            throw .error(400, "Cannot update item with property '\(name)' as it is reserved")
        }
    }

    /// The values by column, as they are stored. Learns columns in a table with a dynamic schema.
    /// - Throws: the refusal of an unknown column. In an insert, an unknown column with null is ignored.
    func fields(in rows: inout TableRows, isInsert: Bool) throws(EarlyAnswer) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [:]
        for (name, value) in object where name != "id" && name != "version" {
            guard AzureNames.isIdentifier(name) else { throw .error(500, AzureNames.refusal(name)) }
            if rows.column(name) == nil {
                if isInsert, value.isNull { continue }
                guard rows.isDynamic, !value.isNull else {
                    throw .error(
                        500,
                        isInsert
                            ? "SQLITE_ERROR: table \(rows.table.name) has no column named \(name)"
                            : "SQLITE_ERROR: no such column: \(name)")
                }
                guard let type = ColumnValue.learnedType(of: value) else {
                    throw .error(500, "Unsupported type: Object")
                }
                rows.learn(.init(name, type))
            }
            guard let column = rows.column(name) else { continue }
            fields[column.name] = ColumnValue.stored(value, as: column.type)
        }
        return fields
    }
}
