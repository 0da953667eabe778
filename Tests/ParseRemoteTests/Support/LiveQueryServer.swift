import HTTPServer
import HTTPTypes
import ParseModel
import Synchronization

/// A server of LiveQuery connections on a real socket. A test decides its answers.
final class LiveQueryServer: Sendable {
    /// Answers a message of the client: the messages to send, or nil to break the connection.
    typealias Script = @Sendable (_ op: String, _ message: JSONObject) -> [String]?

    private let server: HTTPServer
    private let handler: Handler

    /// Answers as a Parse Server that accepts everything.
    static let accepting: Script = { op, message in
        let number = message["requestId"]?.jsonText ?? "0"
        return switch op {
        case "connect": [#"{"op":"connected","clientId":1}"#]
        case "subscribe": [#"{"op":"subscribed","clientId":1,"requestId":\#(number)}"#]
        case "unsubscribe": [#"{"op":"unsubscribed","clientId":1,"requestId":\#(number)}"#]
        default: []
        }
    }

    /// - Parameter status: the answer to each handshake; nil to open the WebSockets.
    init(status: HTTPResponse.Status? = nil, _ script: @escaping Script = accepting) throws {
        handler = Handler(status, script)
        server = try HTTPServer(
            configuration: .init(threads: 2), handler: handler, uptime: { .zero },
            sleep: { try await Task.sleep(for: $0) }, refusal: { status, _ in HTTPServerResponse(status: status) })
    }

    var url: String { "http://127.0.0.1:\(server.port)/parse" }
    /// The received messages of all connections.
    var received: [JSONObject] { handler.received.withLock { $0 } }
    /// The targets of the handshakes.
    var targets: [String] { handler.targets.withLock { $0 } }

    /// Sends a message on each connection.
    func send(_ text: String) { for socket in handler.sockets.withLock({ $0 }) { socket.send(Array(text.utf8)) } }
    func drop() { for socket in handler.sockets.withLock({ $0 }) { socket.drop() } }
    func stop() async { await server.stop(grace: .zero) }

    private final class Handler: HTTPHandler {
        let status: HTTPResponse.Status?
        let script: Script
        let received = Mutex<[JSONObject]>([])
        let targets = Mutex<[String]>([])
        let sockets = Mutex<[WebSocket]>([])

        init(_ status: HTTPResponse.Status?, _ script: @escaping Script) {
            self.status = status
            self.script = script
        }

        func handle(_ request: HTTPServerRequest) -> HTTPReply {
            targets.withLock { $0.append(request.path) }
            if let status { return .now(HTTPServerResponse(status: status)) }
            return .now(.webSocket(request, handler: Connection(self)))
        }
    }

    private final class Connection: WebSocketHandler {
        private let server: Handler
        private let socket = Mutex<WebSocket?>(nil)

        init(_ server: Handler) { self.server = server }

        func opened(_ socket: WebSocket) {
            self.socket.withLock { $0 = socket }
            server.sockets.withLock { $0.append(socket) }
        }

        func received(_ text: [UInt8]) {
            let message = (try? JSONReader.read(text))?.object ?? [:]
            server.received.withLock { $0.append(message) }
            let socket = socket.withLock { $0 }
            defer { socket?.handled(text) }
            guard let answers = server.script(message["op"]?.string ?? "", message) else {
                socket?.drop()
                return
            }
            for answer in answers { socket?.send(Array(answer.utf8)) }
        }

        var isTrusted: Bool { true }
        func ponged(_ payload: [UInt8]) {}
        func pingPayload() -> [UInt8] { [] }
        func drained() {}
        func closed() {}
    }
}
