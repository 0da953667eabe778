/// The table in which Parse Server stores the objects of a class in PostgreSQL (its `PostgresStorageAdapter`), with rows
/// in the text format of `COPY`.
package struct PostgresTable {
    package let schema: ClassSchema
    private let columns: [Column]

    private struct Column {
        let name: String
        let type: ColumnType
    }

    private enum ColumnType: Hashable {
        case of(FieldType)
        case texts, hash

        var sql: String {
            switch self {
            case .texts: "text[]"
            case .hash: "text"
            case .of(let type):
                switch type {
                case .string, .file, .pointer, .relation: "text"
                case .date: "timestamp with time zone"
                case .number: "double precision"
                case .boolean: "boolean"
                case .geoPoint: "point"
                case .polygon: "polygon"
                case .object, .array, .bytes, .acl: "jsonb"
                }
            }
        }
    }

    package init(_ schema: ClassSchema) {
        self.schema = schema
        var columns = schema.storedFields.compactMap { name, field -> Column? in
            if case .relation = field.type { return nil }
            return Column(name: name, type: .of(field.type))
        }
        columns += ["_rperm", "_wperm"].map { Column(name: $0, type: .texts) }
        if schema.className == "_User" {
            columns.append(Column(name: UserColumns.hash, type: .hash))
            columns += UserColumns.others.map { Column(name: $0.name, type: .of($0.type)) }
        }
        self.columns = columns
    }

    private enum UserColumns {
        static let hash = "_hashed_password"
        static let others: [(name: String, type: FieldType)] = [
            ("_email_verify_token_expires_at", .date), ("_email_verify_token", .string),
            ("_account_lockout_expires_at", .date), ("_failed_login_count", .number), ("_perishable_token", .string),
            ("_perishable_token_expires_at", .date), ("_password_changed_at", .date), ("_password_history", .array),
        ]
    }

    // MARK: SQL

    /// Creates the tables of Parse Server's schemas.
    package static let createSchemas =
        #"CREATE TABLE "_SCHEMA" ("className" varchar(120), "schema" jsonb, "isParseClass" bool, PRIMARY KEY ("className"));"#

    /// Creates the table, and those of the members of its relations.
    package var creation: String {
        let lines = columns.map { "  \(Self.quoted($0.name)) \($0.type.sql)" } + ["  PRIMARY KEY (\"objectId\")"]
        let table = "CREATE TABLE \(Self.quoted(schema.className)) (\n\(lines.joined(separator: ",\n"))\n);"
        let tables = joins.map { join in
            "CREATE TABLE \(Self.quoted(join.name)) "
                + #"("relatedId" varchar(120), "owningId" varchar(120), PRIMARY KEY ("relatedId", "owningId"));"#
        }
        return ([table] + tables).joined(separator: "\n")
    }

    /// The relations of the class.
    package var joins: [RelationJoin] {
        schema.storedFields.compactMap { name, field in
            guard case .relation = field.type else { return nil }
            return RelationJoin(field: name, ownerClass: schema.className)
        }
    }

    /// Adds the row of the class to the table of schemas; nil for a class whose schema Parse Server does not store.
    package var registration: String? {
        guard schema.isStored else { return nil }
        var fields = JSONObject()
        for (name, field) in schema.storedFields { fields[name] = .object(field.json) }
        for name in ["_rperm", "_wperm"] { fields[name] = ["type": "Array", "contents": ["type": "String"]] }
        if schema.className == "_User" { fields[UserColumns.hash] = ["type": "String"] }
        var json: JSONObject = ["className": .string(schema.className), "fields": .object(fields)]
        json["classLevelPermissions"] = schema.permissions.map(JSONValue.object)
        return
            "INSERT INTO \"_SCHEMA\" VALUES (\(Self.literal(schema.className)), \(Self.literal(json.jsonText)), true);"
    }

    /// The command of `psql` that loads the rows in a file beside the script.
    package static func load(_ table: String, file: String, columns: [String]) -> String {
        "\\copy \(quoted(table)) (\(columns.map(quoted).joined(separator: ", "))) from \(literal(file))"
    }

    package var columnNames: [String] { columns.map(\.name) }

    private static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
    private static func literal(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }

    // MARK: Rows

    /// The columns of a row of a relation.
    package static let joinColumns = ["relatedId", "owningId"]

    /// A row of a relation, with a line feed at its end.
    package static func row(ofJoin member: JSONObject) -> String {
        joinColumns.map { escaped(member[$0]?.string ?? "") }.joined(separator: "\t") + "\n"
    }

    /// The row of an object, with a line feed at its end.
    /// - Parameter object: the object in Parse's JSON. A user may have `_hashed_password`.
    /// - Throws: `ParseError` 111 (incorrect type) for a value that the schema does not allow. The table has no place for
    ///   such a value.
    package func row(_ object: JSONObject) throws(ParseError) -> String {
        try checkFields(of: object)
        let acl = AccessControlList(object["ACL"])
        var cells: [String] = []
        cells.reserveCapacity(columns.count)
        for column in columns {
            var text: String?
            switch column.type {
            case .texts: text = (column.name == "_rperm" ? acl?.readers : acl?.writers).map(Self.array)
            case .hash: text = object[column.name]?.string
            case .of(let type):
                if let value = object[column.name], !value.isNull { text = Self.text(value, type) }
            }
            cells.append(text.map(Self.escaped) ?? "\\N")
        }
        return cells.joined(separator: "\t") + "\n"
    }

    private func checkFields(of object: JSONObject) throws(ParseError) {
        for (field, value) in object where field != "ACL" && !(schema.className == "_User" && field == UserColumns.hash)
        {
            guard let got = FieldType(of: value) else { continue }
            guard let expected = schema[field]?.type else {
                throw ParseError(.incorrectType, "The schema of \(schema.className) has no field \(field).")
            }
            let isPlainDate = expected == .date && got == .string && (field == "createdAt" || field == "updatedAt")
            guard got == expected || isPlainDate else {
                throw .schemaMismatch(schema.className, field, expected: expected, got: got)
            }
        }
    }

    private static func text(_ value: JSONValue, _ type: FieldType) -> String? {
        switch type {
        case .string: value.string
        case .boolean: value.bool.map { $0 ? "t" : "f" }
        case .number: value.number?.canonical.text
        case .date: (value.string.flatMap(ParseDate.init(iso:)) ?? ParseDate(value)).map(date)
        case .file: FileReference(value)?.name
        case .pointer, .relation: Pointer(value)?.objectId
        case .geoPoint: point(value.object?["longitude"], value.object?["latitude"])
        case .polygon: polygon(value)
        case .object, .array, .bytes, .acl: value.jsonText
        }
    }

    /// PostgreSQL calls the year 0000 the year 1 BC.
    private static func date(_ date: ParseDate) -> String {
        let iso = date.iso
        return iso.hasPrefix("0000-") ? "0001-\(iso.dropFirst(5)) BC" : iso
    }

    private static func point(_ x: JSONValue?, _ y: JSONValue?) -> String? {
        guard let x = x?.number, let y = y?.number else { return nil }
        return "(\(x.canonical.text),\(y.canonical.text))"
    }

    /// The corners, with the longitude first.
    private static func polygon(_ value: JSONValue) -> String? {
        guard let corners = value.object?["coordinates"]?.array else { return nil }
        return "(" + corners.compactMap { point($0.array?.last, $0.array?.first) }.joined(separator: ",") + ")"
    }

    /// An array of texts in the input format of PostgreSQL.
    private static func array(_ texts: [String]) -> String {
        let elements = texts.map { text in
            "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        return "{" + elements.joined(separator: ",") + "}"
    }

    /// A value in the text format of `COPY`.
    private static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\\"): bytes += [byte, byte]
            case 0x09: bytes += Array("\\t".utf8)
            case 0x0A: bytes += Array("\\n".utf8)
            case 0x0D: bytes += Array("\\r".utf8)
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
