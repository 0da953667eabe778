import HTTPClient
import HTTPTypes
import ParseModel
import StoreService
import Synchronization
import TablesServer

/// A tables server without sockets, in one of the two dialects. Its rows are the server's objects, so users of the
/// server and clients of the tables change the same rows. If `DatasyncRemote` sends a request in an unknown form, this
/// is a finding.
final class SimulatedTables: Sendable {
    /// Executes a write of the server's objects, and records the changed objects as rows.
    typealias Execute = @Sendable (WriteRequest) async -> Bool

    private struct State {
        var tables: Tables
        /// The total number of changes of all rows.
        var changes = 0
    }

    let settings: TablesSettings
    let increments = Mutex(SentIncrements())
    private let state: Mutex<State>
    private let found = Mutex<[String]>([])

    init(_ settings: TablesSettings) {
        self.settings = settings
        state = Mutex(State(tables: Tables(settings.dialect, tables: settings.tables) { "chosen by the server" }))
    }

    /// The violations of the tables protocol by clients.
    var findings: [String] { found.withLock { $0 } }

    private func addFinding(_ line: String) { found.withLock { if $0.count < 20 { $0.append("tables: \(line)") } } }

    /// The version of a row as clients receive it; nil for an unknown id.
    func version(of pointer: Pointer) -> String? {
        state.withLock { $0.tables.version(pointer.className, pointer.objectId) }
    }

    private func row(_ pointer: Pointer) -> TablesServer.Row? {
        state.withLock { $0.tables.row(pointer.className, pointer.objectId) }
    }

    // MARK: Changes of the server's objects

    /// Records an object of the server that was changed or deleted.
    /// - Parameters:
    ///   - now: the time of a deletion.
    ///   - isOwn: whether a user of the server made the change. Such a change also sets the column
    ///     `TableColumns.unknown`.
    func note(_ entry: ChangeEntry, at now: ParseDate, isOwn: Bool) {
        let pointer = Pointer(className: entry.className, objectId: entry.objectId)
        guard let object = entry.json.flatMap({ try? JSONReader.read($0).object }) else {
            let time = time(now)
            return state.withLock { $0.tables.delete(entry.className, entry.objectId, at: time) }
        }
        for field in TableColumns.unknownFields(of: object) {
            addFinding("the table of \(entry.className) has no column \(field)")
        }
        let mark = JSONValue.int(state.withLock(\.changes))
        edit(pointer, at: object["updatedAt"]?.string.flatMap(ParseDate.init(iso:)) ?? now) { row in
            let unknown = isOwn ? mark : row.fields[TableColumns.unknown]
            row.fields = TableColumns.columns(of: object)
            row.fields[TableColumns.unknown] = unknown
            row.isDeleted = false
        }
    }

    private func edit(_ pointer: Pointer, at time: ParseDate, _ edit: (inout TablesServer.Row) -> Void) {
        let time = self.time(time)
        state.withLock { $0.tables.edit(pointer.className, pointer.objectId, at: time, edit) }
    }

    /// The time of the next change in microseconds since 1970.
    private func time(_ time: ParseDate) -> Int64 {
        state.withLock { state in
            state.changes += 1
            return time.milliseconds * 1000 + (settings.hasFineTimes ? Int64(state.changes * 617 % 1000) : 0)
        }
    }

    // MARK: Requests

    /// - Parameters:
    ///   - party: the name of the sender.
    ///   - now: the time of the changes that the request makes.
    func answer(
        _ request: HTTPClientRequest, of party: String, at now: ParseDate, _ execute: @escaping Execute
    ) async -> HTTPClientResponse {
        let request = TablesRequest(request)
        let decision = state.withLock { $0.tables.decision(on: request, at: now.milliseconds * 1000) }
        if case .change(let changes, let className, _) = decision {
            for change in changes { await make(change, in: className, of: party, at: now, execute) }
        }
        let answer = state.withLock { $0.tables.answer(to: decision) }
        if let part = TableForms(dialect: settings.dialect).unknownPart(of: request, answeredWith: answer.status) {
            addFinding("unknown form: \(request.logLine): \(part)")
        }
        return HTTPClientResponse(answer)
    }

    /// Executes the change of a row that a request asks for, as a write of the server's object.
    private func make(
        _ change: RowChange, in className: String, of party: String, at now: ParseDate, _ execute: Execute
    ) async {
        let pointer = Pointer(className: className, objectId: change.row.id)
        let (before, version) = (row(pointer), version(of: pointer))
        let write = TableColumns.write(change, after: before, of: className)
        if let write {
            if await !execute(write) || self.version(of: pointer) == version {
                addFinding("a write of \(pointer.objectId) that the simulated server does not execute")
            }
        } else {
            edit(pointer, at: now) { ($0.fields, $0.isDeleted) = (change.row.fields, change.row.isDeleted) }
        }
        if case .update = write, row(pointer)?.fields["n"] != before?.fields["n"] {
            increments.withLock { $0.noteExecuted(of: party, pointer.objectId) }
        }
        let column = TableColumns.unknown
        let (old, new) = (before?.fields[column] ?? .null, change.row.fields[column] ?? .null)
        guard new != old else { return }
        // A replica that changes this column overwrites a value that users of the server have set.
        addFinding(
            "\(party) changed the column \(column) of \(pointer.objectId) from \(old.jsonText) to \(new.jsonText)")
        edit(pointer, at: now) { $0.fields[column] = new }
    }

    /// The ids of the live rows in an answer.
    static func liveIds(in answer: JSONValue) -> [String] {
        let list = answer.array ?? answer.object?["results"]?.array ?? answer.object?["items"]?.array ?? [answer]
        return list.compactMap { row in row.object?["deleted"] == true ? nil : row.object?["id"]?.string }
    }
}

extension TablesRequest {
    /// The request as a server at `TablesSettings.url` receives it.
    init(_ request: HTTPClientRequest) {
        let target = request.url.dropFirst(TablesSettings.url.count)
            .split(separator: "?", maxSplits: 1).map(String.init)
        let headers = request.headers.map { ($0.name.canonicalName, $0.value) }
        self.init(
            method: request.method.rawValue, path: target.first ?? "/", query: target.count > 1 ? target[1] : nil,
            headers: Dictionary(headers) { $1 }, body: request.wholeBody)
    }
}

extension HTTPClientResponse {
    init(_ answer: TablesAnswer) {
        self.init(status: .init(code: answer.status), body: answer.body)
        for (name, value) in answer.headers {
            if let name = HTTPField.Name(name) { headers[name] = value }
        }
    }
}
