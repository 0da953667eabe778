import ParseModel

/// Answers the requests to one table as a Community Datasync server does.
struct CommunityTable {
    let turn: Turn

    /// Decides about a request to the table or to one of its rows.
    func decision(_ id: String?, in rows: inout TableRows) -> TableDecision {
        do throws(EarlyAnswer) {
            switch (turn.request.method, id) {
            case ("GET", nil): return .answer(try list(in: &rows))
            case ("POST", nil): return try create(in: &rows)
            case ("GET", let id?): return .answer(try read(id, in: rows))
            case ("PUT", let id?): return try replace(id, in: &rows)
            case ("DELETE", let id?): return try delete(id, in: &rows)
            default:
                let answer = TablesAnswer(status: 405)
                return .answer(answer.with("Allow", id == nil ? "GET, POST" : "DELETE, GET, PUT"))
            }
        } catch {
            return .answer(error.answer)
        }
    }

    private func list(in rows: inout TableRows) throws(EarlyAnswer) -> TablesAnswer {
        let parameters = turn.request.parameters
        do throws(QueryError) {
            var query = try ListQuery(community: parameters, table: rows.table)
            if rows.table.ownsRowsByUser { query.owner = turn.user ?? "" }
            let page = try query.page(of: &rows)
            return .json(
                200,
                [
                    "items": .array(query.json(page.rows, of: rows)),
                    "count": query.countsAll ? .int(page.total) : .null,
                    "nextLink": query.nextLink(after: page, parameters).map(JSONValue.string) ?? .null,
                ])
        } catch {
            switch error {
            case .malformed(let message), .engine(let message), .outOfBounds(let message):
                throw EarlyAnswer(answer: .text(400, message))
            case .unknownColumn(let name):
                let message = "Could not find a property named '\(name)' on type '\(rows.table.name)'."
                throw EarlyAnswer(answer: .text(400, message))
            }
        }
    }

    private func read(_ id: String, in rows: TableRows) throws(EarlyAnswer) -> TablesAnswer {
        let row = try visible(id, in: rows)
        if let tag = turn.request.headers["if-none-match"], tag == rows.tag(row) {
            return TablesAnswer(status: 304).with("ETag", rows.tag(row))
        }
        return answer(200, row, in: rows)
    }

    private func create(in rows: inout TableRows) throws(EarlyAnswer) -> TableDecision {
        let item = try self.item()
        guard item["id"] == nil || item["id"]?.isNull == true || item["id"]?.string != nil else { throw refused(400) }
        let wanted = item["id"]?.string ?? ""
        let id = wanted.isEmpty ? turn.makeId() : wanted
        if let existing = rows.row(id) {
            guard turn.sees(existing, of: rows.table) else { throw refused(400) }
            return .answer(answer(409, existing, in: rows))
        }
        let edit = try edit(to: item, in: rows)
        let row = rows.edited(id, at: turn.now, edit)
        let host = turn.request.headers["host"] ?? "127.0.0.1"
        let location = "http://\(host)/tables/\(rows.table.name)/\(PercentCoding.encodedPathSegment(id))"
        return .change([.put(row)], in: rows.table.name) { answer(201, $0[0], in: $1).with("Location", location) }
    }

    /// Replaces a row. Absent members become null.
    private func replace(_ id: String, in rows: inout TableRows) throws(EarlyAnswer) -> TableDecision {
        let item = try self.item()
        guard item["id"]?.string?.isExactly(id) == true else { throw refused(400) }
        let edit = try edit(to: item, in: rows)
        try checkCondition(try visible(id, in: rows), in: rows)
        let row = rows.edited(id, at: turn.now, edit)
        return .change([.put(row)], in: rows.table.name) { answer(200, $0[0], in: $1) }
    }

    private func delete(_ id: String, in rows: inout TableRows) throws(EarlyAnswer) -> TableDecision {
        let row = try visible(id, in: rows)
        guard !row.isDeleted else { throw refused(410) }
        try checkCondition(row, in: rows)
        let deletion = rows.deletion(of: row, at: turn.now)
        return .change([deletion], in: rows.table.name) { _, _ in TablesAnswer(status: 204) }
    }

    // MARK: Parts

    /// - Throws: 404 for a row that is absent or belongs to another user; 410 for a tombstone, unless the request includes
    ///   tombstones.
    private func visible(_ id: String, in rows: TableRows) throws(EarlyAnswer) -> Row {
        guard let row = rows.row(id), turn.sees(row, of: rows.table) else { throw refused(404) }
        guard !row.isDeleted || ListQuery.includesDeleted(turn.request.parameters) else { throw refused(410) }
        return row
    }

    /// - Throws: 412 with the row if `If-Match` is neither `*` nor the strong tag of the row.
    private func checkCondition(_ row: Row, in rows: TableRows) throws(EarlyAnswer) {
        guard let header = turn.request.headers["if-match"], header != "*", header != rows.tag(row) else { return }
        throw EarlyAnswer(answer: answer(412, row, in: rows))
    }

    private func item() throws(EarlyAnswer) -> JSONObject {
        guard (turn.request.headers["content-type"] ?? "").lowercased().contains("json") else { throw refused(415) }
        guard let item = (try? JSONReader.read(turn.request.body))?.object else { throw refused(400) }
        return item
    }

    /// The edit that makes a row equal to an item. Members without a column are ignored.
    /// - Throws: 400 for a value of another type.
    private func edit(to item: JSONObject, in rows: TableRows) throws(EarlyAnswer) -> (inout Row) -> Void {
        var fields: [String: JSONValue] = [:]
        for (name, value) in item where !["id", "updatedAt", "version", "deleted", "createdAt"].contains(name) {
            if let column = rows.columns.first(where: { $0.name == name }) {
                guard let checked = ColumnValue.checked(value, as: column.type) else { throw refused(400) }
                fields[name] = checked
            } else if rows.isDynamic {
                fields[name] = value
            }
        }
        if rows.table.ownsRowsByUser { fields["userId"] = turn.user.map(JSONValue.string) }
        let isDeleted = try deletedFlag(of: item)
        return { [fields] row in (row.fields, row.isDeleted) = (fields, isDeleted) }
    }

    private func deletedFlag(of item: JSONObject) throws(EarlyAnswer) -> Bool {
        guard let value = item["deleted"], !value.isNull else { return false }
        guard let flag = value.bool else { throw refused(400) }
        return flag
    }

    private func refused(_ status: Int) -> EarlyAnswer { EarlyAnswer(answer: TablesAnswer(status: status)) }

    private func answer(_ status: Int, _ row: Row, in rows: TableRows) -> TablesAnswer {
        .json(status, .object(rows.json(row))).with("ETag", rows.tag(row))
            .with("Last-Modified", ParseDate(milliseconds: row.updatedAt / 1000).httpDate)
    }
}
