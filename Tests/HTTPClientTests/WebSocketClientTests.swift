import HTTPServer
import HTTPTypes
import Synchronization
import Testing
import WebSocketFrames

@testable import HTTPClient

@Suite("Client of WebSockets", .timeLimit(.minutes(5)))
struct WebSocketClientTests {
    /// Sends texts back. Closes at the text `close`, and drops at the text `drop`.
    private final class Echo: WebSocketHandler {
        private let socket = Mutex<WebSocket?>(nil)
        let isClosed = Mutex(false)

        func opened(_ socket: WebSocket) { self.socket.withLock { $0 = socket } }
        func received(_ text: [UInt8]) {
            let socket = socket.withLock { $0 }
            defer { socket?.handled(text) }
            switch String(decoding: text.prefix(10), as: UTF8.self) {
            case "close": socket?.close(code: 4001, reason: "asked")
            case "drop": socket?.drop()
            case "many": for number in 0..<100_000 { socket?.send(Array("\(number)".utf8)) }
            default: socket?.send(text)
            }
        }
        var isTrusted: Bool { true }
        func ponged(_ payload: [UInt8]) {}
        func pingPayload() -> [UInt8] { [1] }
        func drained() {}
        func closed() { isClosed.withLock { $0 = true } }
    }

    /// Lets a test decide when the time of the next ping has come.
    private final class PingTimes: Sendable {
        private let times = AsyncStream<Void>.makeStream()
        /// An element for each ping after the first one that the client waits for.
        private let waits = AsyncStream<Void>.makeStream()

        func pass() { times.continuation.yield() }

        /// Lets a ping become due, and waits until the client has made it.
        func passAndWait() async {
            for await _ in waits.stream { break }
            pass()
            for await _ in waits.stream { break }
            waits.continuation.yield()
        }

        func sleep(_ duration: Duration) async throws {
            guard duration == .seconds(10) else { return try await Task.sleep(for: duration) }
            waits.continuation.yield()
            for await _ in times.stream { return }
            throw CancellationError()
        }
    }

    private static func randomBytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255) }
    }

    private static func server() throws -> HTTPServer {
        let sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
        return try HTTPServer(
            configuration: .init(threads: 2), handler: Handler(), uptime: { .zero }, sleep: sleep,
            refusal: { status, _ in HTTPServerResponse(status: status) })
    }

    private struct Handler: HTTPHandler {
        func handle(_ request: HTTPServerRequest) -> HTTPReply {
            guard request.path == "/ws", request.query != "no" else {
                return .now(HTTPServerResponse(status: .forbidden))
            }
            return .now(.webSocket(request, handler: Echo()))
        }
    }

    private static func connect(
        _ url: String, pings: PingTimes = PingTimes(), messageBytesMax: Int = 1 << 20,
        mayConnect: (@Sendable (SocketAddress) -> Bool)? = nil
    ) async throws(WebSocketClientError) -> WebSocketClient {
        try await WebSocketClient.connect(
            HTTPClientRequest(method: .get, url: url, isRepeatable: true, mayConnect: mayConnect),
            configuration: .init(connectTimeout: .seconds(7)), messageBytesMax: messageBytesMax,
            sources: .init(sleep: { try await pings.sleep($0) }, randomBytes: randomBytes))
    }

    private static func url(_ server: HTTPServer, _ target: String = "/ws") -> String {
        "http://127.0.0.1:\(server.port)\(target)"
    }

    private static func text(_ bytes: [UInt8]?) -> String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    @Test func messagesAreSentAndReceived() async throws {
        let server = try Self.server()
        let client = try await Self.connect(Self.url(server))
        let messages = client.messages.makeAsyncIterator()
        for text in ["a", "", "€𝄞", String(repeating: "x", count: 1_000_000)] {
            client.send(Array(text.utf8))
            #expect(await Self.text(messages.next()) == text)
        }
        client.close(code: 1000, reason: "done")
        #expect(await messages.next() == nil)
        #expect(client.end == .closed(code: 1000))
        client.send(Array("late".utf8))
        #expect(client.unsentBytes == 0)
        await server.stop(grace: .zero)
    }

    @Test func theServerClosesOrDropsTheSocket() async throws {
        let server = try Self.server()
        for (text, end) in [("close", WebSocketEnd.closed(code: 4001)), ("drop", .broken(reason: ""))] {
            let client = try await Self.connect(Self.url(server))
            client.send(Array(text.utf8))
            #expect(await client.messages.makeAsyncIterator().next() == nil)
            if case .broken = end, case .broken = client.end { continue }
            #expect(client.end == end)
        }
        await server.stop(grace: .zero)
    }

    @Test func aSlowReaderReceivesEveryMessage() async throws {
        let server = try Self.server()
        let client = try await Self.connect(Self.url(server))
        client.send(Array("many".utf8))
        var number = 0
        for await message in client.messages {
            #expect(Self.text(message) == "\(number)")
            number += 1
            if number % 1000 == 0 { await Task.yield() }
            if number == 100_000 { break }
        }
        #expect(number == 100_000)
        await server.stop(grace: .zero)
    }

    @Test func aLongMessageFailsTheSocket() async throws {
        let server = try Self.server()
        let client = try await Self.connect(Self.url(server), messageBytesMax: 10)
        client.send(Array("0123456789A".utf8))
        #expect(await client.messages.makeAsyncIterator().next() == nil)
        #expect(client.end == .failed(code: 1009))
        await server.stop(grace: .zero)
    }

    @Test func aRefusedHandshakeTellsItsStatus() async throws {
        let server = try Self.server()
        await #expect(throws: WebSocketClientError.refused(status: 403)) {
            try await Self.connect(Self.url(server, "/ws?no"))
        }
        await #expect(throws: WebSocketClientError.forbidden(address: "127.0.0.1")) {
            try await Self.connect(Self.url(server), mayConnect: { _ in false })
        }
        await server.stop(grace: .zero)
        await #expect {
            try await Self.connect(Self.url(server))
        } throws: { error in
            if case .notConnected? = error as? WebSocketClientError { true } else { false }
        }
    }

    @Test func aServerThatAnswersPingsIsKept() async throws {
        let (server, pings) = (try Self.server(), PingTimes())
        let client = try await Self.connect(Self.url(server), pings: pings)
        for number in 0..<5 {
            await pings.passAndWait()
            client.send(Array("\(number)".utf8))
            #expect(await Self.text(client.messages.makeAsyncIterator().next()) == "\(number)")
        }
        #expect(client.end == nil)
        await server.stop(grace: .zero)
    }

    @Test func aSilentServerEndsTheSocket() async throws {
        let (server, pings) = (try RawServer(Self.answer), PingTimes())
        let client = try await Self.connect(server.url("/ws"), pings: pings)
        pings.pass()
        pings.pass()
        #expect(await client.messages.makeAsyncIterator().next() == nil)
        #expect(client.end == .silent)
        server.close()
    }

    /// Answers the handshake, then nothing.
    private static func answer(_ peer: RawPeer) {
        guard let head = peer.receiveRequest(),
            let line = head.split(separator: "\r\n").first(where: { $0.hasPrefix("Sec-WebSocket-Key: ") })
        else { return }
        let accept = WebSocketKey.answer(to: String(line.dropFirst("Sec-WebSocket-Key: ".count)))
        peer.send(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(accept)\r\n\r\n")
        while peer.receive() != nil {}
    }

    @Test func anAnswerThatNeverComesEndsTheOpening() async throws {
        let server = try RawServer { peer in while peer.receive() != nil {} }
        let request = HTTPClientRequest(method: .get, url: server.url("/ws"), isRepeatable: true)
        await #expect {
            try await WebSocketClient.connect(
                request, messageBytesMax: 10, sources: .init(sleep: { _ in }, randomBytes: Self.randomBytes))
        } throws: { error in
            if case .notConnected? = error as? WebSocketClientError { true } else { false }
        }
        server.close()
    }

    private static let accept = WebSocketKey.answer(to: "key")

    @Test(arguments: [
        ("HTTP/1.1 101 A\r\nUpgrade: websocket\r\nConnection: Upgrade", WebSocketClientError.wrongHandshake),
        ("HTTP/1.1 101 A\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: x", .wrongHandshake),
        ("HTTP/1.1 101 A\r\nUpgrade: h2c\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)", .wrongHandshake),
        (
            "HTTP/1.1 101 A\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(accept)\r\n"
                + "Sec-WebSocket-Extensions: permessage-deflate", .wrongHandshake
        ),
        ("SSH-2.0", .wrongHandshake), ("HTTP/1.1 404 Not Found", .refused(status: 404)),
    ])
    func aWrongAnswerIsRefused(head: String, expected: WebSocketClientError) {
        var answer = WebSocketAnswer(key: "key")
        guard case .wrong(let error) = answer.add(Array("\(head)\r\n\r\n".utf8)) else {
            Issue.record("the answer was not refused")
            return
        }
        #expect(error == expected)
    }

    @Test func anAnswerMayArriveInPieces() {
        let head =
            "HTTP/1.1 101 A\r\nupgrade: WebSocket\r\nconnection:upgrade\r\nSec-WebSocket-Accept: \(Self.accept)\r\n\r\n"
        var answer = WebSocketAnswer(key: "key")
        for byte in head.utf8.dropLast() {
            guard case .incomplete = answer.add([byte]) else {
                Issue.record("the answer is not complete")
                return
            }
        }
        guard case .open(let rest) = answer.add([10, 0x81, 0]) else {
            Issue.record("the answer is correct")
            return
        }
        #expect(rest == [0x81, 0])
    }

    @Test func aReleasedClientIsDropped() async throws {
        let server = try Self.server()
        var client: WebSocketClient? = try await Self.connect(Self.url(server))
        let messages = try #require(client?.messages)
        client = nil
        #expect(await messages.makeAsyncIterator().next() == nil)
        await server.stop(grace: .seconds(10))
    }

    @Test func aCancelledReaderReturns() async throws {
        let server = try Self.server()
        let client = try await Self.connect(Self.url(server))
        let task = Task { await client.messages.makeAsyncIterator().next() }
        task.cancel()
        #expect(await task.value == nil)
        #expect(client.end == nil)
        await server.stop(grace: .zero)
    }
}
