import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel

/// A request on its way through the gateway, with the facts that the stages of its response depend on.
struct Exchange: Sendable {
    var request: HTTPServerRequest
    /// By the clock of the environment that never goes back.
    let arrivedAt: Duration
    /// The origin of the page that sends the request, where the configuration allows it; nil for all other requests.
    var allowedOrigin: String?
    /// `public` until the request's keys are checked.
    var principal = Principal.public
    /// Nil where no route fits, and until it is looked for.
    var route: Route?
    /// `/parse`, `/1` or nothing.
    var prefix = ""
    /// Whether the request only reads.
    var isRead = false

    init(_ request: HTTPServerRequest, arrivedAt: Duration) {
        self.request = request
        self.arrivedAt = arrivedAt
    }

    /// The beginning of an address at which this client reaches the gateway: scheme, host and prefix.
    var base: String { Self.base(of: request, prefix: prefix) }

    static func base(of request: HTTPServerRequest, prefix: String) -> String {
        "http://\(request.headers[.hostName] ?? "")\(prefix)"
    }
}
