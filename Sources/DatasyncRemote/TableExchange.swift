import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import RemoteHTTP
import RemoteService
import SyncModel

/// Sends requests to a tables server, and reads the answers.
struct TableExchange: Sendable {
    let configuration: DatasyncRemote.Configuration
    let transport: any HTTPTransport
    let requests: TableRequests
    let knowledge: TableKnowledge

    /// The reader of answers. It removes the user's tokens from messages.
    var reader: TableAnswerReader { TableAnswerReader(cleaner: MessageCleaner(secrets: knowledge.tokens)) }

    init(_ configuration: DatasyncRemote.Configuration, _ transport: any HTTPTransport) {
        self.configuration = configuration
        self.transport = transport
        requests = TableRequests(serverURL: configuration.serverURL)
        knowledge = TableKnowledge(
            dialect: configuration.dialect,
            recordedDialect: configuration.recordedDialect.flatMap(TableDialect.init(rawValue:)))
    }

    /// The table of a class. Detects the dialect with a list of one row if the dialect is unknown.
    func table(of className: String) async throws(RemoteError) -> Table {
        let mapping = try await configuration.mapping(className)
        let path = mapping.path(of: className)
        var dialect = knowledge.dialect
        if dialect == nil { dialect = try await detect(at: path) }
        guard let dialect else { throw .faulty(status: 200, reason: "the server's dialect is unknown") }
        let described = knowledge.description.datesOfTable(at: path).filter { mapping.fields[$0] == nil }
        var values = TableValues(mapping: mapping)
        for column in described { values.mapping.fields[column] = .date }
        return Table(className: className, path: path, values: values, rules: dialect.rules)
    }

    private func detect(at path: String) async throws(RemoteError) -> TableDialect {
        let dialect = try await shownDialect(at: path)
        let recorded = try await configuration.recordDialect(dialect.rawValue)
        // A change in the form of the other dialect could be refused permanently, so no changes are sent to a server of
        // another dialect than the recorded one.
        guard recorded == dialect.rawValue else {
            throw .misaddressed(
                status: 200,
                reason: "it speaks the dialect \(dialect.rawValue), and the data directory belongs to a server of the "
                    + "dialect \(recorded): start with another data directory, or with the former server")
        }
        if let description = await description(dialect) { knowledge.note(description) }
        knowledge.note(dialect)
        return dialect
    }

    /// The dialect of the server, as the answer to a list of a table shows it.
    func shownDialect(at path: String) async throws(RemoteError) -> TableDialect {
        let response = try await response(to: requests.list(TableList(limit: 1), of: path, nil))
        let json = try json(of: reader.read(response))
        guard let dialect = TableDialect(ofList: json) else {
            throw .misaddressed(
                status: response.status.code,
                reason: "its answer is no list of a table of Azure Mobile Apps or Datasync")
        }
        return dialect
    }

    /// The server's description of its tables. Nil if the request fails or the server has no description, which is the
    /// default. Community Datasync describes its tables at an address that its developer chooses and that this client
    /// does not know.
    /// - Parameter dialect: the dialect of the server; nil if unknown.
    func description(_ dialect: TableDialect?) async -> TablesDescription? {
        guard dialect != .community, let response = try? await response(to: requests.description()),
            case .success(let json?) = reader.read(response)
        else { return nil }
        return TablesDescription(swagger: json)
    }

    /// Requests a list of a table's rows.
    func list(_ list: TableList, of table: Table) async throws(RemoteError) -> TableListAnswer {
        let response = try await response(to: requests.list(list, of: table.path, table.rules))
        guard let answer = table.rules.list(in: try json(of: reader.read(response))) else {
            throw .faulty(
                status: response.status.code, reason: "the answer for \(table.className) is not a list of rows")
        }
        guard let serverTime = ParseDate(dateOf: response) else {
            throw .faulty(status: response.status.code, reason: "the answer does not tell the server's time (Date)")
        }
        return TableListAnswer(rows: answer.rows, count: answer.count, serverTime: serverTime)
    }

    /// Reads a row of an answer. Records whether the table keeps tombstones.
    func record(_ row: JSONValue, of table: Table) throws(RemoteError) -> RemoteRecord {
        let record = try RemoteRecord(row, of: table.className, table.values)
        if record.isDeleted { knowledge.noteTombstone(table.className) }
        return record
    }

    private func json(of answer: TableAnswer) throws(RemoteError) -> JSONValue {
        switch answer {
        case .success(let json?): return json
        case .success(nil): throw .faulty(status: 204, reason: "the answer is empty")
        case .conflict: throw .faulty(status: 409, reason: "a conflict answers a read")
        case .absent(let message, isCertain: true):
            throw .refused(code: ParseError.Code.operationForbidden.rawValue, message: message)
        case .absent: throw .misaddressed(status: 404, reason: "there is no such table")
        case .failure(let failure): throw failure.remoteError
        }
    }

    /// Sends a read, and returns the response.
    func response(to request: HTTPClientRequest) async throws(RemoteError) -> HTTPClientResponse {
        do {
            return try await send(request)
        } catch {
            throw reader.cleaner.remoteError(of: error)
        }
    }

    /// Sends a request with the user's token. After status 401, sends the request once more if there is a new token:
    /// the server has not executed the refused request. If the user has no token, sends nothing: a table without access
    /// control would execute the request as one of an anonymous user.
    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        let token = await configuration.token?.token()
        if token == nil, configuration.token != nil {
            throw .notSent(reason: "there is no token of the remote's user; the log says why")
        }
        let response = try await send(request, with: token)
        guard response.status.code == 401, let renewed = await configuration.token?.renewed(after: token) else {
            return response
        }
        return try await send(request, with: renewed)
    }

    private func send(
        _ request: HTTPClientRequest, with token: String?
    ) async throws(HTTPTransportError) -> HTTPClientResponse {
        RequestCount.current?.add()
        if let token { knowledge.note(token: token) }
        var request = request
        // Azure Mobile Apps reads the first header, Community Datasync the second.
        request.headers[.zumoAuth] = token
        request.headers[.authorization] = token.map { "Bearer \($0)" }
        return try await transport.send(request)
    }
}
