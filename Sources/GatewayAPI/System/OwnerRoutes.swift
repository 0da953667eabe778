import HTTPServer
import HTTPTypes
import ParseModel

/// The routes with which the page opens, checks and ends the browser session of the person who runs the gateway. The
/// page opens it with the token of the link that the program has printed.
struct OwnerRoutes: Sendable {
    /// The browser sessions of the person who runs the gateway; nil if the gateway offers none.
    let owners: OwnerSessions?
    let responses: ResponseBuilder

    private static let path = "/owner/session"

    var routes: [Route] {
        [
            Route(.post, Self.path, "openOwnerSession", .own, open),
            Route(.get, Self.path, "getOwnerSession", .own) { [owners, responses] request in
                let secrets = OwnerSessions.Secrets(of: request.http)
                return .now(responses.json(["isOpen": .bool(secrets.map { owners?.has($0) == true } ?? false)]))
            },
            Route(.delete, Self.path, "endOwnerSession", .own) { [owners, responses] request in
                if let secrets = OwnerSessions.Secrets(of: request.http) { owners?.end(secrets) }
                var response = responses.json([:])
                response.headers[.setCookie] = OwnerSessions.Secrets.cookie("", for: request.http) + "; Max-Age=0"
                return .now(response)
            },
        ]
    }

    private func open(_ request: RoutedRequest) throws -> RouteReply {
        guard let owners, request.http.peer.isLoopback else {
            throw ParseError(
                .operationForbidden,
                "Owner sessions exist only in a replica with users that listens on loopback, and only for requests from this machine."
            )
        }
        guard let token = try request.parse.body.fields["token"]?.string, let secrets = owners.open(with: token) else {
            throw ParseError(
                .operationForbidden,
                "The link is wrong, already used, or older than an hour. Restart the gateway to get a new one.")
        }
        var response = responses.json(["proof": .string(secrets.proof)])
        response.headers[.setCookie] = OwnerSessions.Secrets.cookie(secrets.id, for: request.http)
        response.headers[.cacheControl] = "no-store"
        return .now(response)
    }
}
