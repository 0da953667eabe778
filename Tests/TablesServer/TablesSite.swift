import ParseModel
import Synchronization

/// The tables of a server, and the way of a request: log, fault, authentication, table, hook.
final class TablesSite: Sendable {
    struct State {
        /// The tables by their names in lower case. Express and ASP.NET compare paths without regard to case.
        var tables: [String: TableRows]
        var faults = Faults()
        var requests: [String] = []
        var hook: (@Sendable (TablesRequest) -> Void)?
        var users: Users
        var answersSwagger: Bool
    }

    let dialect: TablesServer.Dialect
    let now: @Sendable () -> Int64
    private let makeId: @Sendable () -> String
    private let state: Mutex<State>

    init(
        _ dialect: TablesServer.Dialect, tables: [TablesServer.Table], users: Users, answersSwagger: Bool,
        now: @escaping @Sendable () -> Int64, makeId: @escaping @Sendable () -> String
    ) {
        self.dialect = dialect
        self.now = now
        self.makeId = makeId
        let named = tables.map { ($0.name.lowercased(), TableRows($0, dialect: dialect)) }
        state = Mutex(
            State(tables: Dictionary(uniqueKeysWithValues: named), users: users, answersSwagger: answersSwagger))
    }

    /// Reads or changes the state.
    func withState<Result: Sendable>(_ body: (inout sending State) -> sending Result) -> Result {
        state.withLock { body(&$0) }
    }

    /// Reads or changes one table.
    func withTable<Result: Sendable>(_ name: String, _ body: (inout TableRows) -> Result) -> Result {
        withState { state in
            guard var rows = state.tables.removeValue(forKey: name.lowercased()) else {
                preconditionFailure("the server has no table \(name)")
            }
            defer { state.tables[name.lowercased()] = rows }
            return body(&rows)
        }
    }

    /// Handles a request.
    /// - Returns: nil to break the connection.
    func reply(to request: TablesRequest) -> TablesAnswer? {
        let effect = withState { state in
            state.requests.append(request.logLine)
            return state.faults.effect(on: request)
        }
        switch effect {
        case .requestLost: return nil
        case .answer(let status, let body):
            return body.hasPrefix("{") || body.hasPrefix("[")
                ? TablesAnswer(
                    status: status, headers: [("Content-Type", "application/json; charset=utf-8")],
                    body: Array(body.utf8))
                : .html(status, body)
        case .duplicated: _ = execute(request)
        case .replyLost, nil: break
        }
        let answer = execute(request)
        withState(\.hook)?(request)
        if case .replyLost = effect { return nil }
        return answer.with("Date", ParseDate(milliseconds: now() / 1000).httpDate)
    }

    private func execute(_ request: TablesRequest) -> TablesAnswer {
        let now = now()
        return withState { state in
            switch dialect {
            case .azure: AzureRouting(request: request, now: now, makeId: makeId).answer(&state)
            case .community: CommunityRouting(request: request, now: now, makeId: makeId).answer(&state)
            }
        }
    }
}

extension TablesSite.State {
    /// The table with this name in any case, unless it is hidden.
    func visibleTable(_ name: String) -> TablesServer.Table? {
        tables[name.lowercased()].map(\.table).flatMap { $0.isHidden ? nil : $0 }
    }

    /// Changes the rows of a table in place.
    mutating func withRows(_ name: String, _ body: (inout TableRows) -> TablesAnswer) -> TablesAnswer {
        guard var rows = tables.removeValue(forKey: name.lowercased()) else { return TablesAnswer(status: 404) }
        defer { tables[name.lowercased()] = rows }
        return body(&rows)
    }
}
