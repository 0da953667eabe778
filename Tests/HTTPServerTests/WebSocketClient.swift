import Testing
import WebSocketFrames

@testable import HTTPServer

/// A client of WebSockets that can also send wrong frames.
final class WebSocketClient {
    let connection: RawConnection
    /// The head of the server's response.
    private(set) var head = ""
    private let codec: WebSocketCodec
    private var events: [WebSocketCodec.Event] = []
    private var isAtEnd = false

    static let key = "dGhlIHNhbXBsZSBub25jZQ=="
    static let handshake =
        "GET /ws HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n\r\n"

    /// Sends a handshake, and waits for its response.
    /// - Parameter early: bytes to send with the handshake.
    init(_ connection: RawConnection, sending early: [UInt8] = []) async throws {
        self.connection = connection
        codec = try #require(WebSocketCodec(.client(mask: { 0x1234_5678 }), messageBytesMax: .max))
        connection.send(Array(Self.handshake.utf8) + early)
        var received: [UInt8] = []
        while true {
            let text = String(decoding: received, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                head = String(text[..<end.lowerBound])
                received = Array(received.dropFirst(head.utf8.count + 4))
                break
            }
            received += try #require(await connection.receiveBytes())
        }
        try #require(head.hasPrefix("HTTP/1.1 101 "))
        read(received)
    }

    convenience init(_ server: HTTPServer, sending early: [UInt8] = []) async throws {
        try await self.init(RawConnection(port: server.port), sending: early)
    }

    func send(_ text: String) {
        codec.sendText(Array(text.utf8))
        flush()
    }

    func ping(_ payload: [UInt8]) {
        codec.sendPing(payload)
        flush()
    }

    func close(_ code: UInt16) {
        codec.sendClose(code: code, reason: "")
        flush()
    }

    /// Sends what the codec has queued, such as pongs.
    func flush() {
        connection.send(codec.output)
        codec.output = []
    }

    /// Returns the next event; nil when the server has closed the connection. Sends no pongs before the call of `flush`.
    func next() async -> WebSocketCodec.Event? {
        while events.isEmpty, !isAtEnd {
            if let bytes = await connection.receiveBytes() { read(bytes) } else { isAtEnd = true }
        }
        return events.isEmpty ? nil : events.removeFirst()
    }

    /// Waits until the codec has queued an answer to a frame of the server, such as a pong.
    func nextAnswer() async -> [UInt8] {
        while codec.output.isEmpty, let bytes = await connection.receiveBytes() { read(bytes) }
        return codec.output
    }

    func nextText() async -> String? {
        guard case .text(let text) = await next() else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns all events until the server closes the connection.
    func rest() async -> [WebSocketCodec.Event] {
        var rest: [WebSocketCodec.Event] = []
        while let event = await next() { rest.append(event) }
        return rest
    }

    private func read(_ bytes: [UInt8]) { events += bytes.withUnsafeBytes { codec.receive($0) } }
}
