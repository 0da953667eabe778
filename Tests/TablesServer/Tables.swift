import ParseModel

/// The rows of all tables of a server in one of the two dialects, and the decisions about requests.
///
/// A decision contains the changes of rows that a request asks for. ``TablesServer`` makes the changes in memory. The
/// simulation makes them as writes of the objects of its server.
package struct Tables: Sendable {
    let dialect: TablesServer.Dialect
    var users: Users
    let answersSwagger: Bool
    let makeId: @Sendable () -> String
    /// The tables by their names in lower case. Express and ASP.NET compare paths without regard to case.
    private(set) var rows: [String: TableRows]

    /// - Parameters:
    ///   - users: the tokens that the server knows.
    ///   - answersSwagger: whether `GET /swagger` describes the tables. Azure only.
    ///   - makeId: the id of a new row without one.
    package init(
        _ dialect: TablesServer.Dialect, tables: [TablesServer.Table], users: TablesServer.Users = .init(),
        answersSwagger: Bool = false, makeId: @escaping @Sendable () -> String
    ) {
        self.dialect = dialect
        self.users = users
        self.answersSwagger = answersSwagger
        self.makeId = makeId
        let named = tables.map { ($0.name.lowercased(), TableRows($0, dialect: dialect)) }
        rows = Dictionary(uniqueKeysWithValues: named)
    }

    // MARK: Requests

    /// Decides about a request. The rows stay as they are; a table with a dynamic schema learns columns.
    /// - Parameter now: the time of the changes in microseconds since 1970.
    package mutating func decision(on request: TablesRequest, at now: Int64) -> TableDecision {
        switch dialect {
        case .azure: AzureRouting(request: request, now: now).decision(&self)
        case .community: CommunityRouting(request: request, now: now).decision(&self)
        }
    }

    /// The answer to a request whose changes are made.
    package func answer(to decision: TableDecision) -> TablesAnswer {
        let answer =
            switch decision {
            case .answer(let answer): answer
            case .change(let changes, let table, let answer):
                answer(changes.map { self[table].row($0.row.id) ?? $0.row }, self[table])
            }
        return dialect == .azure ? AzureRouting.finished(answer) : answer
    }

    /// Decides about a request, makes its changes, and answers.
    mutating func answer(_ request: TablesRequest, at now: Int64) -> TablesAnswer {
        let decision = decision(on: request, at: now)
        if case .change(let changes, let table, _) = decision {
            for change in changes { self[table].make(change) }
        }
        return answer(to: decision)
    }

    // MARK: Rows

    /// The rows of a table, whose name is compared without regard to case.
    subscript(name: String) -> TableRows {
        get {
            guard let table = rows[name.lowercased()] else { preconditionFailure("the server has no table \(name)") }
            return table
        }
        _modify {
            let key = name.lowercased()
            guard var table = rows.removeValue(forKey: key) else {
                preconditionFailure("the server has no table \(name)")
            }
            defer { rows[key] = table }
            yield &table
        }
    }

    /// The table with this name in any case, unless it is hidden.
    func visibleTable(_ name: String) -> TablesServer.Table? {
        rows[name.lowercased()].map(\.table).flatMap { $0.isHidden ? nil : $0 }
    }

    /// A row or a tombstone; nil for an unknown id.
    package func row(_ table: String, _ id: String) -> TablesServer.Row? { self[table].row(id) }

    /// The version of a row on the wire; nil for an unknown id.
    package func version(_ table: String, _ id: String) -> String? { row(table, id).map(self[table].wireVersion) }

    /// Inserts or changes a row, and moves its version and time.
    package mutating func edit(_ table: String, _ id: String, at now: Int64, _ edit: (inout TablesServer.Row) -> Void) {
        self[table].edit(id, at: now, edit)
    }

    /// Deletes a row, as a request would.
    package mutating func delete(_ table: String, _ id: String, at now: Int64) {
        guard let row = row(table, id) else { return }
        let deletion = self[table].deletion(of: row, at: now)
        self[table].make(deletion)
    }

    /// Removes all rows of all tables.
    mutating func removeAll() {
        for name in rows.keys { rows[name]?.removeAll() }
    }
}
