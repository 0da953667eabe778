import ParseModel

/// Answers the requests to one table as the Node server 3.0.1 of Azure Mobile Apps does.
struct AzureTable {
    let turn: Turn

    private static let absent = EarlyAnswer.error(404, "The item does not exist")

    /// Answers a request to the table or to one of its rows.
    func answer(_ id: String?, in rows: inout TableRows) -> TablesAnswer {
        do throws(EarlyAnswer) {
            switch (turn.request.method, id) {
            case ("GET", nil): return try list(in: &rows)
            case ("GET", let id?): return try get(id, in: rows)
            case ("POST", nil): return try insert(in: &rows)
            case ("POST", let id?): return try undelete(id, in: &rows)
            case ("PATCH", _): return try update(id, in: &rows)
            case ("DELETE", let id?): return try delete(id, in: &rows)
            default: return try deleteMany(in: &rows)
            }
        } catch {
            return error.answer
        }
    }

    // MARK: Reads

    private func list(in rows: inout TableRows) throws(EarlyAnswer) -> TablesAnswer {
        do throws(QueryError) {
            var query = try ListQuery(azure: turn.request.parameters, table: rows.table)
            if rows.table.ownsRowsByUser { query.owner = turn.user ?? "" }
            let page = try query.page(of: &rows)
            let results = JSONValue.array(query.json(page.rows, of: rows))
            return .json(200, query.countsAll ? ["results": results, "count": .int(page.total)] : results)
        } catch .unknownColumn where rows.isDynamic {
            // With a dynamic schema, the server takes an unknown column for a table without rows.
            return .json(200, [])
        } catch {
            throw refusal(of: error)
        }
    }

    private func get(_ id: String, in rows: TableRows) throws(EarlyAnswer) -> TablesAnswer {
        guard let row = rows.row(id), !row.isDeleted, turn.sees(row, of: rows.table) else { throw Self.absent }
        return answer(200, row, in: rows)
    }

    // MARK: Writes

    private func insert(in rows: inout TableRows) throws(EarlyAnswer) -> TablesAnswer {
        guard let item = try AzureItem(turn.request) else { throw .error(500, "An item to insert was not provided") }
        try item.check()
        var fields = try item.fields(in: &rows, isInsert: true)
        var echo = item.object
        if rows.table.ownsRowsByUser {
            fields["userId"] = turn.user.map(JSONValue.string)
            echo["userId"] = fields["userId"]
        }
        let id = rows.table.numbersIds ? rows.nextNumber() : item.id ?? turn.makeId()
        guard rows.row(id) == nil else { return .json(409, .object(echo)) }
        // The Node server stores the text of a version that the client sends.
        let version = turn.expectedVersion ?? item.version ?? rows.nextVersion(after: nil)
        let row = Row(id: id, fields: fields, version: version, createdAt: turn.now, updatedAt: turn.now)
        rows.insert(row)
        return answer(201, row, in: rows)
    }

    private func update(_ pathId: String?, in rows: inout TableRows) throws(EarlyAnswer) -> TablesAnswer {
        guard let item = try AzureItem(turn.request) else { throw .error(500, "An item to update was not provided") }
        try item.check()
        if let pathId, let id = item.id, !id.isExactly(pathId) {
            throw .error(400, "The item ID and querystring ID did not match")
        }
        let fields = try item.fields(in: &rows, isInsert: false)
        guard !fields.isEmpty else { throw .error(500, "SQLITE_ERROR: near \"WHERE\": syntax error") }
        let row = try visible(pathId ?? item.id, in: rows)
        if let version = turn.expectedVersion ?? item.version, version != rows.wireVersion(row) {
            return answer(turn.expectedVersion == nil ? 409 : 412, row, in: rows)
        }
        return try changed(row.id, 200, in: &rows) { $0.fields.merge(fields) { $1 } }
    }

    private func undelete(_ id: String, in rows: inout TableRows) throws(EarlyAnswer) -> TablesAnswer {
        let row = try visible(id, in: rows)
        if let version = turn.expectedVersion, version != rows.wireVersion(row) { return answer(412, row, in: rows) }
        return try changed(id, 201, in: &rows) { $0.isDeleted = false }
    }

    private func delete(_ id: String, in rows: inout TableRows) throws(EarlyAnswer) -> TablesAnswer {
        let row = try visible(id, in: rows)
        if let version = turn.expectedVersion, row.isDeleted || version != rows.wireVersion(row) {
            return answer(412, row, in: rows)
        }
        if row.isDeleted { return answer(409, row, in: rows) }
        guard rows.table.keepsTombstones else {
            rows.remove(id)
            return answer(200, row, in: rows)
        }
        return try changed(id, 200, in: &rows) { $0.isDeleted = true }
    }

    /// Deletes all rows that match the filter.
    private func deleteMany(in rows: inout TableRows) throws(EarlyAnswer) -> TablesAnswer {
        var query = ListQuery()
        let matching: [Row]
        do throws(QueryError) {
            query.filter = try ListQuery.azureFilter(turn.request.parameters)
            guard query.filter != nil else { throw .engine("SQLITE_ERROR: near \"AND\": syntax error") }
            if rows.table.ownsRowsByUser { query.owner = turn.user ?? "" }
            matching = try query.page(of: &rows).rows
        } catch {
            throw refusal(of: error)
        }
        guard !matching.isEmpty else { throw Self.absent }
        var deleted: [Row] = []
        for row in matching {
            if rows.table.keepsTombstones {
                if let row = rows.change(row.id, now: turn.now, { $0.isDeleted = true }) { deleted.append(row) }
            } else {
                rows.remove(row.id)
                deleted.append(row)
            }
        }
        let answer = TablesAnswer.json(200, .array(deleted.map { .object(rows.json($0)) }))
        return deleted.first.map { answer.with("ETag", rows.tag($0)) } ?? answer
    }

    // MARK: Parts

    private func visible(_ id: String?, in rows: TableRows) throws(EarlyAnswer) -> Row {
        guard let id, let row = rows.row(id), turn.sees(row, of: rows.table) else { throw Self.absent }
        return row
    }

    private func changed(
        _ id: String, _ status: Int, in rows: inout TableRows, _ edit: (inout Row) -> Void
    ) throws(EarlyAnswer) -> TablesAnswer {
        guard let row = rows.change(id, now: turn.now, edit) else { throw Self.absent }
        return answer(status, row, in: rows)
    }

    private func answer(_ status: Int, _ row: Row, in rows: TableRows) -> TablesAnswer {
        .json(status, .object(rows.json(row))).with("ETag", rows.tag(row))
    }

    private func refusal(of error: QueryError) -> EarlyAnswer {
        switch error {
        case .malformed(let message), .engine(let message): .error(500, message)
        case .outOfBounds(let message): .error(400, message)
        case .unknownColumn(let name): .error(500, "SQLITE_ERROR: no such column: \(name)")
        }
    }
}
