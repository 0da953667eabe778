import HTTPClient
import HTTPTypes
import ParseModel
import TablesServer
import Testing

/// Sends requests to a ``TablesServer``.
struct TablesClient {
    let url: String
    var headers: HTTPFields = [:]
    private let transport = CurlTransport()

    init(_ server: TablesServer) {
        url = server.url
        if server.dialect == .azure { headers[HTTPField.Name("ZUMO-API-VERSION")!] = "2.0.0" }
    }

    /// Sends a request, such as `PUT /tables/Holiday/x`.
    func send(
        _ line: String, _ body: JSONValue? = nil, _ extra: [(HTTPField.Name, String)] = []
    ) async throws -> TablesReply {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        var headers = self.headers
        if body != nil { headers[.contentType] = "application/json" }
        for (name, value) in extra { headers[name] = value }
        let method = try #require(HTTPRequest.Method(words[0]))
        return TablesReply(
            try await transport.send(
                HTTPClientRequest(
                    method: method, url: url + words[1], headers: headers, body: body?.jsonBytes ?? [],
                    isRepeatable: false)))
    }
}

/// A response to a ``TablesClient``.
struct TablesReply {
    let status: Int
    let headers: HTTPFields
    /// The body as JSON; null for every other body.
    let json: JSONValue

    init(_ response: HTTPClientResponse) {
        status = response.status.code
        headers = response.headers
        json = (try? JSONReader.read(response.body)) ?? .null
    }

    subscript(name: String) -> JSONValue? { json.object?[name] }

    /// The ids of the rows of a list.
    var ids: [String] {
        (json.array ?? self["items"]?.array ?? []).compactMap { $0.object?["id"]?.string }
    }
}

extension TablesServer {
    /// Starts a server with one table `Holiday`, whose clock moves by a second with each change.
    static func make(
        _ dialect: Dialect, users: Users = Users(), answersSwagger: Bool = false, clock: TestClock = TestClock(),
        _ edit: (inout Table) -> Void = { _ in }
    ) throws -> TablesServer {
        var table = Table(
            "Holiday",
            columns: [.init("name", .text), .init("date", .date), .init("rank", .number), .init("done", .bool)],
            dialect: dialect)
        edit(&table)
        return try TablesServer(
            dialect, tables: [table], users: users, answersSwagger: answersSwagger, now: { clock.next() })
    }
}
