import HTTPClient
import HTTPServer
import HTTPTypes
import Testing
import WebSocketFrames

@Suite("Handshakes of WebSockets", .timeLimit(.minutes(5)))
struct WebSocketHandshakeTests {
    private let recorder = WebSocketRecorder()

    private func server(_ configuration: HTTPServer.Configuration = .init(threads: 2)) throws -> HTTPServer {
        try HTTPServer.webSockets(configuration) { [recorder] in recorder }
    }

    @Test func aHandshakeIsAnsweredWithItsKey() async throws {
        let server = try server()
        let client = try await WebSocketClient(server)
        #expect(client.head.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
        let headers = Set(client.head.split(separator: "\r\n"))
        #expect(headers.isSuperset(of: ["Upgrade: websocket", "Connection: Upgrade"]))
        #expect(headers.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
        await recorder.wait(for: .opened)
        await server.stop(grace: .zero)
        #expect(recorder.calls.first == .opened && recorder.calls.last == .closed)
    }

    @Test(arguments: [
        ("Sec-WebSocket-Version: 13", "Sec-WebSocket-Version: 8", "426 "),
        ("Sec-WebSocket-Version: 13\r\n", "", "400 "),
        ("Sec-WebSocket-Key: \(WebSocketClient.key)\r\n", "", "400 "),
        (WebSocketClient.key, "c2hvcnQ=", "400 "),
        (WebSocketClient.key, WebSocketClient.key + "\r\nSec-WebSocket-Key: " + WebSocketClient.key, "400 "),
        ("Connection: keep-alive, Upgrade", "Connection: keep-alive", "400 "),
        ("Upgrade: websocket", "Upgrade: h2c", "400 "),
        ("HTTP/1.1", "HTTP/1.0", "400 "),
        ("GET", "PUT", "400 "),
        ("Host: a", "Host: a\r\nContent-Length: 1", "400 "),
    ])
    func aWrongHandshakeIsRefused(part: String, replacement: String, status: String) async throws {
        let server = try server()
        let connection = try RawConnection(port: server.port)
        let body = replacement.contains("Content-Length") ? "b" : ""
        connection.send(WebSocketClient.handshake.replacing(part, with: replacement) + body)
        let head = await connection.receive(until: "\r\n\r\n")
        #expect(head.dropFirst("HTTP/1.1 ".count).hasPrefix(status))
        #expect(head.contains("\r\nSec-WebSocket-Version: 13\r\n") == (status == "426 "))
        if replacement != "HTTP/1.0" {
            connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await connection.receive(until: "\r\n\r\nA").hasSuffix("A"))
        }
        #expect(recorder.calls == [.closed])
        await server.stop()
    }

    @Test(arguments: [
        ("websocket", HTTPRequest.Method.get, true), ("WebSocket", .get, true), ("h2c, websocket", .get, true),
        ("websocket", .post, false), ("h2c", .get, false), ("websockets", .get, false),
    ])
    func anUpgradeInAGetAsksForAWebSocket(upgrade: String, method: HTTPRequest.Method, asks: Bool) {
        let request = HTTPServerRequest(method: method, path: "/", headers: [.upgrade: upgrade])
        #expect(request.asksForWebSocket == asks)
    }

    @Test func aLaterResponseOpensAWebSocket() async throws {
        let server = try HTTPServer.make { [recorder] request in .later { .webSocket(request, handler: recorder) } }
        let client = try await WebSocketClient(server)
        client.send("a")
        #expect(await client.nextText() == "a")
        await server.stop(grace: .zero)
    }

    @Test func aConnectionOpensAWebSocketAfterOtherRequests() async throws {
        let server = try server()
        let connection = try RawConnection(port: server.port)
        for _ in 0..<3 {
            connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await connection.receive(until: "\r\n\r\nA").hasSuffix("A"))
        }
        let client = try await WebSocketClient(connection)
        client.send("a")
        #expect(await client.nextText() == "a")
        await server.stop(grace: .zero)
    }

    @Test(arguments: [1, 100, 40_000])
    func messagesThatArriveWithTheHandshakeAreReceived(count: Int) async throws {
        let server = try server()
        let early = try #require(WebSocketCodec(.client(mask: { 7 }), messageBytesMax: .max))
        early.sendText([UInt8](repeating: 97, count: count))
        early.sendText(Array("second".utf8))
        let client = try await WebSocketClient(server, sending: early.output)
        #expect(await client.nextText()?.utf8.count == count)
        #expect(await client.nextText() == "second")
        await server.stop(grace: .zero)
    }

    @Test func aHandshakeDuringAStopIsRefused() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let server = try HTTPServer.make { [recorder] request in
            .later {
                arrived.open()
                await gate.pass()
                return .webSocket(request, handler: recorder)
            }
        }
        let connection = try RawConnection(port: server.port)
        connection.send(WebSocketClient.handshake)
        await arrived.pass()
        async let stopped: Void = server.stop()
        while (try? RawConnection(port: server.port)) != nil { await Task.yield() }
        gate.open()
        #expect(await connection.receiveAll().hasPrefix("HTTP/1.1 503 "))
        await stopped
        #expect(recorder.calls == [.closed])
    }

    @Test func aHandshakeWhoseClientLeavesEnds() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let server = try HTTPServer.make { [recorder] request in
            .later {
                arrived.open()
                await gate.pass()
                return .webSocket(request, handler: recorder)
            }
        }
        let connection = try RawConnection(port: server.port)
        connection.send(WebSocketClient.handshake)
        await arrived.pass()
        connection.reset()
        gate.open()
        await recorder.wait(for: .closed)
        await server.stop()
        #expect(recorder.calls.filter { $0 == .closed }.count == 1)
    }

    @Test func aWebSocketCountsAsAConnection() async throws {
        let server = try server(.init(threads: 2, connectionsMax: 1))
        let client = try await WebSocketClient(server)
        let other = try RawConnection(port: server.port)
        other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        for number in 0..<20 {
            client.send("\(number)")
            #expect(await client.nextText() == "\(number)", "an open WebSocket is not closed to make room")
        }
        client.close(1000)
        #expect(await other.receive(until: "\r\n\r\nA").hasSuffix("A"))
        await server.stop()
    }
}
