import ParseModel

/// Answers the requests to one table as the Node server 3.0.1 of Azure Mobile Apps does.
struct AzureTable {
    let turn: Turn

    private static let absent = EarlyAnswer.error(404, "The item does not exist")

    /// Decides about a request to the table or to one of its rows.
    func decision(_ id: String?, in rows: inout TableRows) throws(EarlyAnswer) -> TableDecision {
        switch (turn.request.method, id) {
        case ("GET", nil): .answer(try list(in: &rows))
        case ("GET", let id?): .answer(try get(id, in: rows))
        case ("POST", nil): try insert(in: &rows)
        case ("POST", let id?): try undelete(id, in: &rows)
        case ("PATCH", _): try update(id, in: &rows)
        case ("DELETE", let id?): try delete(id, in: &rows)
        default: try deleteMany(in: &rows)
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
            // With a dynamic schema, the server answers a query for an unknown column as if the table had no rows.
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

    private func insert(in rows: inout TableRows) throws(EarlyAnswer) -> TableDecision {
        guard let item = try AzureItem(turn.request) else { throw .error(500, "An item to insert was not provided") }
        try item.check()
        var fields = try item.fields(in: &rows, isInsert: true)
        var echo = item.object
        if rows.table.ownsRowsByUser {
            fields["userId"] = turn.user.map(JSONValue.string)
            echo["userId"] = fields["userId"]
        }
        let id = rows.table.numbersIds ? rows.nextNumber() : item.id ?? turn.makeId()
        guard rows.row(id) == nil else { return .answer(.json(409, .object(echo))) }
        return change(id, 201, in: &rows) { row in
            row.fields = fields
            // The Node server stores the text of a version that the client sends.
            if let version = turn.expectedVersion ?? item.version { row.version = version }
        }
    }

    private func update(_ pathId: String?, in rows: inout TableRows) throws(EarlyAnswer) -> TableDecision {
        guard let item = try AzureItem(turn.request) else { throw .error(500, "An item to update was not provided") }
        try item.check()
        if let pathId, let id = item.id, !id.isExactly(pathId) {
            throw .error(400, "The item ID and querystring ID did not match")
        }
        let fields = try item.fields(in: &rows, isInsert: false)
        guard !fields.isEmpty else { throw .error(500, "SQLITE_ERROR: near \"WHERE\": syntax error") }
        let row = try visible(pathId ?? item.id, in: rows)
        if let version = turn.expectedVersion ?? item.version, version != rows.wireVersion(row) {
            return .answer(answer(turn.expectedVersion == nil ? 409 : 412, row, in: rows))
        }
        return change(row.id, 200, in: &rows) { $0.fields.merge(fields) { $1 } }
    }

    private func undelete(_ id: String, in rows: inout TableRows) throws(EarlyAnswer) -> TableDecision {
        let row = try visible(id, in: rows)
        if let version = turn.expectedVersion, version != rows.wireVersion(row) {
            return .answer(answer(412, row, in: rows))
        }
        return change(id, 201, in: &rows) { $0.isDeleted = false }
    }

    private func delete(_ id: String, in rows: inout TableRows) throws(EarlyAnswer) -> TableDecision {
        let row = try visible(id, in: rows)
        if let version = turn.expectedVersion, row.isDeleted || version != rows.wireVersion(row) {
            return .answer(answer(412, row, in: rows))
        }
        if row.isDeleted { return .answer(answer(409, row, in: rows)) }
        return .change([rows.deletion(of: row, at: turn.now)], in: rows.table.name) { answer(200, $0[0], in: $1) }
    }

    /// Deletes all rows that match the filter.
    private func deleteMany(in rows: inout TableRows) throws(EarlyAnswer) -> TableDecision {
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
        return .change(matching.map { rows.deletion(of: $0, at: turn.now) }, in: rows.table.name) { deleted, rows in
            .json(200, .array(deleted.map { .object(rows.json($0)) })).with("ETag", rows.tag(deleted[0]))
        }
    }

    // MARK: Parts

    private func visible(_ id: String?, in rows: TableRows) throws(EarlyAnswer) -> Row {
        guard let id, let row = rows.row(id), turn.sees(row, of: rows.table) else { throw Self.absent }
        return row
    }

    /// The decision to insert or change a row, and to answer it.
    private func change(
        _ id: String, _ status: Int, in rows: inout TableRows, _ edit: (inout Row) -> Void
    ) -> TableDecision {
        .change([.put(rows.edited(id, at: turn.now, edit))], in: rows.table.name) { answer(status, $0[0], in: $1) }
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
