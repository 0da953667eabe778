import ParseModel

/// Reads and changes rows past the API, as another client of the database.
extension TablesServer {
    /// Inserts a row, or sets fields of an existing one. A tombstone stays one.
    /// - Parameter time: the time of the change in microseconds since 1970; nil for the time of the server.
    package func put(_ table: String, _ id: String, _ fields: JSONObject, at time: Int64? = nil) {
        put(table, [(id, fields)], at: time)
    }

    /// Inserts or changes rows with one time for all.
    package func put(_ table: String, _ rows: [(id: String, fields: JSONObject)], at time: Int64? = nil) {
        let now = time ?? site.now()
        site.withTable(table) { table in
            for (id, fields) in rows {
                let stored = table.storedFields(fields)
                table.edit(id, at: now) { $0.fields.merge(stored) { $1 } }
            }
        }
    }

    /// Deletes a row, as a request would.
    package func delete(_ table: String, _ id: String) {
        let now = site.now()
        site.withState { $0.tables.delete(table, id, at: now) }
    }

    /// Makes a tombstone a live row again.
    package func undelete(_ table: String, _ id: String) {
        let now = site.now()
        site.withState { $0.tables.edit(table, id, at: now) { $0.isDeleted = false } }
    }

    /// Removes a row and its tombstone, as a purge of old tombstones does.
    package func purge(_ table: String, _ id: String) { site.withTable(table) { $0.remove(id) } }

    /// Removes all rows of all tables, as a server that was reset.
    package func removeAll() { site.withState { $0.tables.removeAll() } }

    /// The state of a row or tombstone; nil for an unknown id.
    package func row(_ table: String, _ id: String) -> RowState? {
        site.withTable(table) { table in table.row(id).map(table.state) }
    }

    /// The fields of the live rows by id.
    package func live(_ table: String) -> [String: JSONObject] {
        site.withTable(table) { table in
            let live = table.rows.filter { !$0.isDeleted }.map { ($0.id, table.state($0).fields) }
            return Dictionary(uniqueKeysWithValues: live)
        }
    }
}

extension TableRows {
    fileprivate func state(_ row: Row) -> TablesServer.RowState {
        var fields = JSONObject()
        for (name, value) in row.fields.sorted(by: { $0.key < $1.key }) where !value.isNull {
            fields[name] = ColumnValue.shown(value, as: column(name)?.type ?? .text)
        }
        return TablesServer.RowState(
            fields: fields, version: wireVersion(row), isDeleted: row.isDeleted, updatedAt: row.updatedAt)
    }

    /// The fields in the form in which they are stored. Learns columns in a table with a dynamic schema.
    fileprivate mutating func storedFields(_ fields: JSONObject) -> [String: JSONValue] {
        var stored: [String: JSONValue] = [:]
        for (name, value) in fields {
            if column(name) == nil, isDynamic, let type = ColumnValue.learnedType(of: value) {
                learn(.init(name, type))
            }
            stored[name] = column(name).map { ColumnValue.stored(value, as: $0.type) } ?? value
        }
        return stored
    }
}
