import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel

/// A request in progress, with the facts that the stages of its response need.
package struct Exchange: Sendable {
    var request: HTTPServerRequest
    /// The gateway's uptime at the arrival of the request.
    let arrivedAt: Duration
    let line: RequestLine
    /// The origin of the sending page if it is an allowed origin; nil otherwise.
    var allowedOrigin: String?
    /// The principal of the request; `public` until the request's keys are checked.
    var principal = Principal.public
    /// The route; nil before routing, and if no route matches.
    var route: Route?
    /// The mount path in the URL: `/parse`, `/1` or nothing.
    var prefix = ""
    /// Whether the request is a GET, a HEAD, or a POST with `_method` GET; false before routing.
    var isRead = false

    init(_ request: HTTPServerRequest, _ line: RequestLine, arrivedAt: Duration) {
        self.request = request
        self.line = line
        self.arrivedAt = arrivedAt
    }

    /// The path for logs: without the query, and without parameters that may be the name of a user.
    var loggedPath: String { route?.policy.hidesParameters == true ? route?.pattern ?? "" : request.path }

    /// The base URL at which this client reaches the gateway: scheme, host and mount path.
    var base: String { Self.base(of: request, prefix: prefix) }

    static func base(of request: HTTPServerRequest, prefix: String) -> String {
        "\(request.scheme)://\(request.headers[.hostName] ?? "")\(prefix)"
    }
}
