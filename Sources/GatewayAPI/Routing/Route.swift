import HTTPServer

/// One method on one path, with its policy and its handler.
package final class Route: Sendable {
    /// - Throws: an error that refuses the request before anything is executed.
    typealias Handler = @Sendable (RoutedRequest) throws -> RouteReply

    package let method: RequestMethod
    let path: RoutePattern
    /// The `operationId` in `openapi.yaml`, which is also the metrics label.
    package let name: String
    package let policy: RoutePolicy
    let handler: Handler

    /// The path in the form of `openapi.yaml`.
    package var pattern: String { path.text }

    init(
        _ method: RequestMethod, _ pattern: String, _ name: String, _ policy: RoutePolicy, takesRest: Bool = false,
        _ handler: @escaping Handler
    ) {
        self.method = method
        path = RoutePattern(pattern, takesRest: takesRest)
        self.name = name
        self.policy = policy
        self.handler = handler
    }
}

/// A handler's answer: immediate or asynchronous.
enum RouteReply: Sendable {
    case now(HTTPServerResponse)
    case later(@Sendable () async throws -> HTTPServerResponse)

    func response() async throws -> HTTPServerResponse {
        switch self {
        case .now(let response): response
        case .later(let work): try await work()
        }
    }
}
