import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import StoreService
import Synchronization

/// The HTTP interface of a tables server, in one of the two dialects. The server's objects are the rows, so users of the server
/// and the clients of the tables change the same rows. A request in a form that `DatasyncRemote` must not send is a finding.
final class SimulatedTables: Sendable {
    /// Executes a write of the server's objects, and notes the changed objects as rows.
    typealias Execute = @Sendable (WriteRequest) async -> Bool

    let settings: TablesSettings
    let rows: Mutex<TableRows>
    let increments = Mutex(SentIncrements())
    private let found = Mutex<[String]>([])

    init(_ settings: TablesSettings) {
        self.settings = settings
        rows = Mutex(TableRows(settings))
    }

    /// The violations of the protocol by clients.
    var findings: [String] { found.withLock { $0 } }

    func addFinding(_ line: String) { found.withLock { if $0.count < 20 { $0.append("tables: \(line)") } } }

    /// Notes a changed or deleted object of the server.
    func note(_ entry: ChangeEntry, at now: ParseDate, isOwn: Bool) {
        for field in rows.withLock({ $0.note(entry, at: now, isOwn: isOwn) }) {
            addFinding("the table of \(entry.className) has no column \(field)")
        }
    }

    /// The ids of the live rows in an answer.
    static func liveIds(in answer: JSONValue) -> [String] {
        let list = answer.array ?? answer.object?["results"]?.array ?? answer.object?["items"]?.array ?? [answer]
        return list.compactMap { row in row.object?["deleted"] == true ? nil : row.object?["id"]?.string }
    }

    // MARK: Requests

    /// - Parameters:
    ///   - party: the name of the sender.
    ///   - now: the time of the changes that the request makes.
    func answer(
        _ request: HTTPClientRequest, of party: String, at now: ParseDate, _ execute: @escaping Execute
    ) async -> HTTPClientResponse {
        do throws(UnknownForm) {
            let call = try TableCall(request, settings.dialect, party: party, now: now)
            let answer = try await route(call, execute)
            return settings.dialect == .azure ? answer.adding(Self.versionHeader, "node-3.0.1") : answer
        } catch {
            addFinding("unknown form: \(request.method.rawValue) \(error.text)")
            return .json(500, ["error": "unknown form"])
        }
    }

    private static let versionHeader = "x-zumo-server-version"

    private func route(_ call: TableCall, _ execute: @escaping Execute) async throws(UnknownForm) -> HTTPClientResponse
    {
        guard let className = call.className else { return .page(call.isDescription ? 404 : 200) }
        if settings.dialect == .azure, call.request.headers[.zumoAPIVersion] != "2.0.0" {
            return .json(400, ["error": "An invalid API version was specified in the request."])
        }
        let pointer = call.id.map { Pointer(className: className, objectId: $0) }
        switch (call.request.method, pointer) {
        case (.get, nil): return try list(className, call)
        case (.get, let pointer?): return row(pointer, includesDeleted: call.includesDeleted)
        default: break
        }
        return switch settings.dialect {
        case .azure: try await AzureWrites(tables: self, call: call, execute: execute).answer(pointer, className)
        case .community:
            try await CommunityWrites(tables: self, call: call, execute: execute).answer(pointer, className)
        }
    }

    private func row(_ pointer: Pointer, includesDeleted: Bool) -> HTTPClientResponse {
        let row = rows.withLock { $0[pointer] }
        switch settings.dialect {
        case .azure:
            guard let row, !row.isDeleted else { return .absent }
            return answer(200, row)
        case .community:
            guard let row else { return .empty(404) }
            return row.isDeleted && !includesDeleted ? .empty(410) : answer(200, row)
        }
    }

    private func list(_ className: String, _ call: TableCall) throws(UnknownForm) -> HTTPClientResponse {
        let list = try TableListQuery(call.parameters, settings.dialect)
        if let top = list.top, top > TablesSettings.topMax { return .json(400, ["error": "$top is too large"]) }
        let all = rows.withLock { $0.rows(of: className) }
        let matching = list.matching(all, includesDeleted: call.includesDeleted)
        let page = matching.dropFirst(list.skip).prefix(min(list.top ?? .max, settings.pageMax))
        let items = JSONValue.array(page.map { .object(list.selected(json($0))) })
        switch settings.dialect {
        case .azure:
            return .json(200, list.wantsCount ? ["results": items, "count": .int(matching.count)] : items)
        case .community:
            let end = list.skip + page.count
            let next = "$skip=\(end)"
            return .json(
                200,
                [
                    "items": items, "count": list.wantsCount ? .int(matching.count) : .null,
                    "nextLink": end < matching.count ? .string(next) : .null,
                ])
        }
    }

    // MARK: Rows on the wire

    /// An answer with a row and its entity tag.
    func answer(_ status: Int, _ row: TableRows.Row) -> HTTPClientResponse {
        .json(status, .object(json(row))).adding("ETag", "\"\(row.version)\"")
    }

    private func json(_ row: TableRows.Row) -> JSONObject {
        var json: JSONObject = ["id": .string(row.id)]
        if settings.dialect == .azure { json["createdAt"] = .string(row.createdAt.iso) }
        json["updatedAt"] = .string(ParseDate(milliseconds: row.changedUs / 1000).iso)
        json["version"] = .string(row.version)
        json["deleted"] = .bool(row.isDeleted)
        for name in TableColumns.names { json[name] = row.columns[name] ?? .null }
        json[TableColumns.unknown] = row.unknown
        return json
    }
}

extension HTTPClientResponse {
    static func json(_ status: Int, _ body: JSONValue) -> HTTPClientResponse {
        HTTPClientResponse(
            status: .init(code: status), headers: [.contentType: "application/json; charset=utf-8"],
            body: body.jsonBytes)
    }

    /// The answer for a row that does not exist (Azure Mobile Apps).
    static var absent: HTTPClientResponse { .json(404, ["error": "The item does not exist"]) }

    static func empty(_ status: Int) -> HTTPClientResponse { HTTPClientResponse(status: .init(code: status)) }

    /// A web page: the answer to a request for no table.
    static func page(_ status: Int) -> HTTPClientResponse {
        HTTPClientResponse(
            status: .init(code: status), headers: [.contentType: "text/html"],
            body: Array("<html><body>Tables</body></html>".utf8))
    }

    func adding(_ name: String, _ value: String) -> HTTPClientResponse {
        var answer = self
        if let name = HTTPField.Name(name) { answer.headers[name] = value }
        return answer
    }
}
