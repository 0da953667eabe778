import Foundation
import HTTPClient
import HTTPServer
import HTTPTypes
import ParseModel
import Synchronization

/// An HTTP transport that passes requests directly to a server's handler, without a socket. It loses or damages
/// requests as the test decides.
final class HandlerTransport: HTTPTransport {
    enum Fault: Sendable {
        /// The connection is refused, so the request has surely not been executed.
        case refused
        /// The request is executed, and its answer is lost.
        case replyLost
        /// The request is lost on its way.
        case requestLost
        /// The connection breaks. The request arrives later, when the test calls `arrive`.
        case late
        /// The request is not executed, and gets this answer.
        case answer(status: Int, body: String)
        /// The server answers 429 with this number of seconds in `Retry-After`.
        case throttled(seconds: Int)
        /// The request is executed, and only the first half of its answer arrives.
        case truncated
    }

    /// Chooses the fault for a request; nil for none. For a GET, `body` is the decoded query.
    typealias Script = @Sendable (_ method: String, _ path: String, _ body: String) -> Fault?

    private let handler: Mutex<any HTTPHandler>
    private let script = Mutex<Script>({ _, _, _ in nil })
    private let log = Mutex<[Sent]>([])
    private let gate = Mutex<Gate?>(nil)
    private let answerGate = Mutex<Gate?>(nil)
    private let late = Mutex<[HTTPServerRequest]>([])
    private let clock: TestClock
    /// Whether the remote offers a change feed. A Tidegate does, and a Parse Server does not.
    private let hasFeed = Mutex(false)

    init(_ handler: any HTTPHandler, clock: TestClock) {
        self.handler = Mutex(handler)
        self.clock = clock
    }

    /// Sends requests to another server from now on.
    func use(_ handler: any HTTPHandler) { self.handler.withLock { $0 = handler } }
    func set(_ script: @escaping Script) { self.script.withLock { $0 = script } }
    func showFeed() { hasFeed.withLock { $0 = true } }
    func heal() { set { _, _, _ in nil } }

    /// Makes the remote answer every list with no objects, as if its database were empty.
    func showNothing() {
        set { method, path, body in
            let isBatch = path.hasSuffix("/batch") && body.contains(#""GET""#)
            guard isBatch || method == "GET" else { return nil }
            let list = #"{"results":[],"count":0}"#
            let count = body.ranges(of: #""GET""#).count
            let items = Array(repeating: #"{"success":\#(list)}"#, count: count).joined(separator: ",")
            return .answer(status: 200, body: isBatch ? "[\(items)]" : list)
        }
    }

    /// Applies the fault once, to the first request for which `matches` is true.
    func once(_ fault: Fault, _ matches: @escaping @Sendable (_ method: String, _ path: String, _ body: String) -> Bool)
    {
        let isSpent = Once()
        set { method, path, body in matches(method, path, body) && isSpent.take() ? fault : nil }
    }

    /// A request that was given to the transport.
    struct Sent: Sendable {
        let line: String
        let body: String
        let requestId: String?
    }

    /// `METHOD path` of each sent request.
    var requests: [String] { log.withLock { $0.map(\.line) } }

    /// The requests since the last call.
    func takeSent() -> [Sent] {
        log.withLock { log in
            defer { log = [] }
            return log
        }
    }

    /// Makes requests wait at the returned gate, after the first `count` requests have passed.
    func close(after count: Int = 0) -> Gate {
        let gate = Gate(passing: count)
        self.gate.withLock { $0 = gate }
        return gate
    }

    /// Makes the answers to executed requests wait at the returned gate.
    func holdAnswers() -> Gate {
        let gate = Gate(passing: 0)
        answerGate.withLock { $0 = gate }
        return gate
    }

    /// Delivers the requests with the fault `late` to the server.
    func arrive() async {
        let requests = late.withLock { late in
            defer { late = [] }
            return late
        }
        for request in requests { _ = await handler.withLock { $0 }.handle(request).response() }
    }

    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        let (path, query) = Self.split(request.url)
        let body =
            request.method == .get
            ? query?.removingPercentEncoding ?? "" : String(decoding: request.body, as: UTF8.self)
        let sent = Sent(
            line: "\(request.method.rawValue) \(path)", body: body,
            requestId: request.headers[HTTPField.Name("X-Parse-Request-Id")!])
        log.withLock { $0.append(sent) }
        await gate.withLock { $0 }?.pass()
        let lacksRoute = path.hasSuffix("/changes") && !hasFeed.withLock { $0 }
        let fault =
            lacksRoute
            ? .answer(status: 404, body: "Cannot GET \(path)")
            : script.withLock { $0 }(request.method.rawValue, path, body)
        switch fault {
        case .refused: throw .notSent(reason: "connection refused")
        case .requestLost: throw .outcomeUnknown(reason: "time-out")
        case .answer(let status, let body):
            return HTTPClientResponse(
                status: .init(code: status), headers: dated([.contentType: "text/html"]), body: Array(body.utf8))
        case .throttled(let seconds):
            return HTTPClientResponse(
                status: .tooManyRequests, headers: dated([.retryAfter: String(seconds)]),
                body: Array(#"{"code":100,"error":"Too many requests"}"#.utf8))
        case .late, .replyLost, .truncated, nil: break
        }
        var headers = request.headers
        headers[HTTPField.Name("Host")!] = "localhost:1337"
        let arriving = HTTPServerRequest(
            method: request.method, path: path, query: query, headers: headers, body: request.wholeBody)
        if case .late = fault {
            late.withLock { $0.append(arriving) }
            throw .outcomeUnknown(reason: "time-out")
        }
        let response = await handler.withLock { $0 }.handle(arriving).response()
        await answerGate.withLock { $0 }?.pass()
        if case .replyLost = fault { throw .outcomeUnknown(reason: "connection reset") }
        var answer = response.wholeBody
        if case .truncated = fault { answer = Array(answer.prefix(answer.count / 2)) }
        return HTTPClientResponse(status: response.status, headers: dated(response.headers), body: answer)
    }

    private func dated(_ headers: HTTPFields) -> HTTPFields {
        var headers = headers
        headers[.date] = clock.environment.now().httpDate
        return headers
    }

    /// Splits a URL into its path, without the mount path, and its query.
    private static func split(_ url: String) -> (path: String, query: String?) {
        var target = "/" + (url.split(separator: "/", maxSplits: 2).last ?? "")
        if target.hasPrefix("/parse/") { target.removeFirst(6) }
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : nil)
    }

    private final class Once: Sendable {
        private let isSpent = Mutex(false)
        func take() -> Bool {
            isSpent.withLock { spent in
                defer { spent = true }
                return !spent
            }
        }
    }
}
