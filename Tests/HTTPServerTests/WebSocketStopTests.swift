import HTTPClient
import HTTPServer
import HTTPTypes
import Synchronization
import Testing
import WebSocketFrames

@Suite("The end of many WebSockets", .timeLimit(.minutes(5)))
struct WebSocketStopTests {
    @Test func stopClosesOpenSockets() async throws {
        let recorder = WebSocketRecorder()
        let server = try HTTPServer.webSockets { recorder }
        let client = try await WebSocketClient(server)
        await recorder.wait(for: .opened)
        async let stopped: Void = server.stop()
        #expect(await client.next() == .close(code: 1001))
        client.flush()
        #expect(await client.rest() == [])
        await stopped
        #expect(recorder.calls == [.opened, .drained, .closed])
    }

    @Test func stopDropsSocketsAfterItsGracePeriod() async throws {
        let recorder = WebSocketRecorder()
        let server = try HTTPServer.webSockets { recorder }
        let client = try await WebSocketClient(server)
        await recorder.wait(for: .opened)
        await server.stop(grace: .zero)
        #expect(recorder.calls.last == .closed)
        #expect(await client.rest().count <= 1)
    }

    @Test func aReleasedServerClosesItsSockets() async throws {
        let recorder = WebSocketRecorder()
        var server: HTTPServer? = try HTTPServer.webSockets { recorder }
        let client = try await WebSocketClient(try #require(server))
        await recorder.wait(for: .opened)
        server = nil
        await recorder.wait(for: .closed)
        #expect(await client.rest().count <= 1)
    }

    @Test func manySocketsReceiveEveryMessage() async throws {
        let recorders = Mutex<[WebSocketRecorder]>([])
        let server = try HTTPServer.webSockets {
            let recorder = WebSocketRecorder()
            recorders.withLock { $0.append(recorder) }
            return recorder
        }
        var clients: [WebSocketClient] = []
        for _ in 0..<100 { clients.append(try await WebSocketClient(server)) }
        for recorder in recorders.withLock({ $0 }) { await recorder.wait(for: .opened) }
        let sockets = recorders.withLock { $0.compactMap(\.socket) }
        #expect(sockets.count == 100)
        for number in 0..<50 { for socket in sockets { socket.send(Array("\(number)".utf8)) } }
        for client in clients { for number in 0..<50 { #expect(await client.nextText() == "\(number)") } }
        await server.stop(grace: .zero)
        #expect(recorders.withLock { $0.allSatisfy { $0.calls.last == .closed } })
    }

    @Test func otherRequestsAreAnsweredMeanwhile() async throws {
        let recorder = WebSocketRecorder()
        let server = try HTTPServer.webSockets { recorder }
        let client = try await WebSocketClient(server)
        let transport = CurlTransport()
        for number in 0..<50 {
            client.send("\(number)")
            let request = HTTPClientRequest(method: .get, url: server.url("/"), isRepeatable: true)
            #expect(try await transport.send(request).text == "A")
            #expect(await client.nextText() == "\(number)")
        }
        await server.stop(grace: .zero)
    }

    /// A leaked connection would make the next client wait for ever.
    @Test func socketsOfClientsThatResetAreClosed() async throws {
        let server = try HTTPServer.webSockets(.init(threads: 2, connectionsMax: 4)) {
            WebSocketRecorder(greet: { $0.send([UInt8](repeating: 97, count: 100_000)) })
        }
        for number in 0..<100 {
            let client = try await WebSocketClient(server)
            switch number % 4 {
            case 0: client.connection.reset()
            case 1: client.connection.endSending()
            case 2: client.close(1000)
            default: client.connection.send([0x81, 0xFE, 0x10])
            }
        }
        let other = try RawConnection(port: server.port)
        other.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await other.receive(until: "\r\n\r\nA").hasSuffix("A"))
        await server.stop(grace: .zero)
    }

    @Test func stopUnderLoadEndsEachSocketOnce() async throws {
        let recorders = Mutex<[WebSocketRecorder]>([])
        let server = try HTTPServer.webSockets {
            let recorder = WebSocketRecorder()
            recorders.withLock { $0.append(recorder) }
            return recorder
        }
        let opened = Gate()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    while let connection = try? RawConnection(port: server.port) {
                        guard await Self.echo(connection) else { return }
                        opened.open()
                    }
                }
            }
            group.addTask {
                await opened.pass()
                await server.stop(grace: .zero)
            }
        }
        let calls = recorders.withLock { $0.map(\.calls) }
        #expect(calls.allSatisfy { $0.last == .closed && $0.filter { $0 == .closed }.count == 1 })
    }

    /// Sends a handshake and a text.
    /// - Returns: whether the text came back.
    private static func echo(_ connection: RawConnection) async -> Bool {
        connection.send(Array(WebSocketClient.handshake.utf8) + [0x81, 0x81, 0, 0, 0, 0, 0x61])
        var received: [UInt8] = []
        while !received.contains(0x81), let bytes = await connection.receiveBytes() { received += bytes }
        return received.contains(0x81)
    }
}
