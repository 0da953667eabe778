import ParseModel

/// A request that the server has received.
package struct TablesRequest: Sendable {
    package let method: String
    /// The path of the request line with its percent escapes, without the query.
    package let path: String
    /// The text after the first `?`; nil without a `?`.
    package let query: String?
    /// The headers with their names in lower case.
    package let headers: [String: String]
    package let body: [UInt8]

    package init(method: String, path: String, query: String?, headers: [String: String], body: [UInt8]) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// The path and the query, as in the request line.
    package var target: String { query.map { "\(path)?\($0)" } ?? path }

    /// Whether the method can change rows.
    package var isWrite: Bool { ["POST", "PATCH", "PUT", "DELETE"].contains(method) }

    /// The body as text.
    package var bodyText: String { String(decoding: body, as: UTF8.self) }

    /// The parameters of the query. A repeated name has an array as its value.
    package var parameters: JSONObject { PercentCoding.parameters(ofQuery: Array((query ?? "").utf8)) }

    /// The value of a parameter whose name is compared without regard to case.
    func parameter(anyCase name: String) -> String? {
        parameters.first { $0.key.lowercased() == name }?.value.string
    }

    /// The request as a line of the log, such as `PATCH /tables/Holiday/x If-Match="MQ=="`.
    package var logLine: String {
        let condition = headers["if-match"].map { " If-Match=\($0)" } ?? ""
        return "\(method) \(target)\(condition)"
    }
}
