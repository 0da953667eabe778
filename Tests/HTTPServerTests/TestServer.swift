import HTTPClient
import HTTPServer
import HTTPTypes
import Synchronization

/// A handler that calls a closure.
struct ClosureHandler: HTTPHandler {
    let body: @Sendable (HTTPServerRequest) -> HTTPReply

    func handle(_ request: HTTPServerRequest) -> HTTPReply { body(request) }
}

extension HTTPServer {
    /// A server on a free port. The body of its refusals is `refused`.
    static func make(
        _ configuration: Configuration = Configuration(threads: 2),
        uptime: @escaping @Sendable () -> Duration = realUptime,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        _ handle: @escaping @Sendable (HTTPServerRequest) -> HTTPReply
    ) throws -> HTTPServer {
        try HTTPServer(
            configuration: configuration, handler: ClosureHandler(body: handle), uptime: uptime, sleep: sleep
        ) { status, _ in
            HTTPServerResponse(status: status, headers: [.contentType: "text/plain"], body: Array("refused".utf8))
        }
    }

    private static let began = ContinuousClock.now
    static let realUptime: @Sendable () -> Duration = { ContinuousClock.now - began }

    func url(_ target: String) -> String { "http://127.0.0.1:\(port)\(target)" }

    /// Stops the server after all requests in progress have finished.
    func stop() async {
        await stop(grace: .seconds(3600))
    }
}

extension HTTPServerResponse {
    static func text(_ text: String, _ status: HTTPResponse.Status = .ok) -> HTTPServerResponse {
        HTTPServerResponse(status: status, body: Array(text.utf8))
    }

    /// The request as one line of text for comparisons.
    static func echo(of request: HTTPServerRequest) -> HTTPServerResponse {
        let parts = [
            request.method.rawValue, request.path, request.query ?? "-",
            request.headers[values: .echoed].joined(separator: "|"),
            String(decoding: request.body, as: UTF8.self),
        ]
        return .text(parts.joined(separator: " "))
    }
}

extension HTTPField.Name {
    static let echoed = HTTPField.Name("X-Echoed")!
}

extension HTTPClientResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}

/// A barrier for tasks. It is closed at first; opening it resumes all waiting tasks.
final class Gate: Sendable {
    private let state = Mutex((isOpen: false, waiting: [CheckedContinuation<Void, Never>]()))

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func pass() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }
}
