import ParseModel
import Synchronization

/// Handles the requests of a `TablesServer`, each in this order: request log, faults, tables, hook.
final class TablesSite: Sendable {
    struct State {
        var tables: Tables
        var faults = Faults()
        var requests: [String] = []
        var hook: (@Sendable (TablesRequest) -> Void)?
    }

    let now: @Sendable () -> Int64
    private let state: Mutex<State>

    init(_ tables: Tables, now: @escaping @Sendable () -> Int64) {
        self.now = now
        state = Mutex(State(tables: tables))
    }

    /// Reads or changes the state.
    func withState<Result: Sendable>(_ body: (inout sending State) -> sending Result) -> Result {
        state.withLock { body(&$0) }
    }

    /// Reads or changes one table.
    func withTable<Result: Sendable>(_ name: String, _ body: (inout TableRows) -> Result) -> Result {
        withState { body(&$0.tables[name]) }
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
        return withState { $0.tables.answer(request, at: now) }
    }
}
