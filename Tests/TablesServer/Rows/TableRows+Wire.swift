import Foundation
import ParseModel

extension TableRows {
    /// The version of a row on the wire. The versions of the Community dialect are those of SQL Server: eight bytes in base64.
    func wireVersion(_ row: Row) -> String {
        if dialect == .azure { return Data(row.version.utf8).base64EncodedString() }
        return Data(withUnsafeBytes(of: UInt64(row.version)?.bigEndian ?? 0) { Array($0) }).base64EncodedString()
    }

    /// The version of a row as an entity tag.
    func tag(_ row: Row) -> String { "\"\(wireVersion(row))\"" }

    /// A row on the wire, with its members in the order of the Node server. The Community dialect has no `createdAt`.
    func json(_ row: Row) -> JSONObject {
        let id: [(String, JSONValue)] = [("id", table.numbersIds ? .int(Int(row.id) ?? 0) : .string(row.id))]
        var system: [(String, JSONValue)] = [
            ("updatedAt", .string(WireTime.text(row.updatedAt))), ("version", .string(wireVersion(row))),
            ("deleted", .bool(row.isDeleted)),
        ]
        if dialect == .azure { system.insert(("createdAt", .string(WireTime.text(row.createdAt))), at: 0) }
        var own = columns.map { ($0.name, ColumnValue.shown(row.fields[$0.name] ?? .null, as: $0.type)) }
        if dialect == .community, isDynamic {
            for (name, value) in row.fields.sorted(by: { $0.key < $1.key }) where column(name) == nil {
                own.append((name, value))
            }
        }
        if isDynamic { return JSONObject(id + system + own) }
        return JSONObject(table.numbersIds ? id + own + system : own + id + system)
    }
}
