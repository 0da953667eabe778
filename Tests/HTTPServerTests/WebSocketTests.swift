import HTTPClient
import HTTPServer
import HTTPTypes
import Synchronization
import Testing
import WebSocketFrames

@Suite("Open WebSockets", .timeLimit(.minutes(5)))
struct WebSocketTests {
    private let recorder = WebSocketRecorder()

    private func server(
        _ configuration: HTTPServer.Configuration = .init(threads: 2), pings: PingTimes = PingTimes()
    ) throws -> HTTPServer {
        try HTTPServer.webSockets(configuration, pings: pings) { [recorder] in recorder }
    }

    @Test func textsAreReceivedAndSent() async throws {
        let server = try server()
        let client = try await WebSocketClient(server)
        let long = String(repeating: "ä", count: 500_000)
        for text in ["a", "", "€𝄞", long] {
            client.send(text)
            #expect(await client.nextText() == text)
        }
        #expect(recorder.socket?.unsentBytes == 0)
        await server.stop(grace: .zero)
        #expect(recorder.calls.contains(.drained))
        #expect(recorder.calls.last == .closed)
    }

    @Test func fragmentsAndControlFramesBetweenThemAreReceived() async throws {
        let server = try server()
        let client = try await WebSocketClient(server)
        // "Hel" and "lo" with a ping between them, masked with zeros.
        client.connection.send([0x01, 0x83, 0, 0, 0, 0] + Array("Hel".utf8))
        client.connection.send([0x89, 0x81, 0, 0, 0, 0, 0x70])
        client.connection.send([0x80, 0x82, 0, 0, 0, 0] + Array("lo".utf8))
        #expect(await client.next() == .pong([0x70]))
        #expect(await client.nextText() == "Hello")
        await server.stop(grace: .zero)
    }

    @Test func thePayloadOfAPongIsDelivered() async throws {
        let server = try server()
        let client = try await WebSocketClient(server)
        await recorder.wait(for: .opened)
        recorder.socket?.send(Array("first".utf8))
        recorder.socket?.ping([1, 2, 3])
        _ = await client.nextAnswer()
        #expect(await client.nextText() == "first", "the ping is not sent before the text")
        client.flush()
        await recorder.wait(for: .ponged([1, 2, 3]))
        await server.stop(grace: .zero)
    }

    @Test func aCloseOfTheClientIsAnswered() async throws {
        let server = try server()
        let client = try await WebSocketClient(server)
        client.close(4000)
        #expect(await client.rest() == [.close(code: 4000)])
        await recorder.wait(for: .closed)
        await server.stop()
        #expect(recorder.calls == [.opened, .closed])
    }

    @Test func aCloseOfTheServerFollowsTheQueuedMessages() async throws {
        let server = try server()
        let client = try await WebSocketClient(server)
        await recorder.wait(for: .opened)
        let socket = try #require(recorder.socket)
        let long = [UInt8](repeating: 97, count: 1_000_000)
        socket.send(long)
        socket.send(Array("last".utf8))
        socket.close(code: 1008, reason: "policy")
        socket.send(Array("too late".utf8))
        client.send("on its way")
        #expect(await client.next() == .text(long))
        #expect(await client.nextText() == "last")
        #expect(await client.next() == .close(code: 1008))
        client.flush()
        #expect(await client.rest() == [])
        await recorder.wait(for: .closed)
        #expect(!recorder.calls.contains(.received("on its way")), "messages after the close are discarded")
        socket.send(Array("after the end".utf8))
        #expect(socket.unsentBytes == 0)
        await server.stop()
    }

    @Test func aDroppedSocketClosesWithoutACloseFrame() async throws {
        let server = try server()
        let client = try await WebSocketClient(server)
        await recorder.wait(for: .opened)
        recorder.socket?.drop()
        #expect(await client.rest() == [])
        await recorder.wait(for: .closed)
        await server.stop()
    }

    @Test(
        arguments: [
            ([0x81, 0x01, 0x61], UInt16(1002)), ([0x89, 0xFE, 0, 126, 0, 0, 0, 0], 1002),
            ([0x82, 0x81, 0, 0, 0, 0, 0x61], 1003),
            ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007), ([0x81, 0xFF, 0, 0, 0, 0, 0, 0x10, 0, 1, 0, 0, 0, 0, 0x61], 1009),
        ] as [([UInt8], UInt16)])
    func aWrongFrameClosesTheSocket(frame: [UInt8], code: UInt16) async throws {
        let server = try server()
        let client = try await WebSocketClient(server)
        // The bytes after the frame are discarded, and do not reset the connection.
        client.connection.send(frame + [UInt8](repeating: 0, count: 100_000))
        #expect(await client.rest() == [.close(code: code)])
        await recorder.wait(for: .closed)
        #expect(recorder.calls == [.opened, .closed])
        await server.stop()
    }

    @Test func theLimitOfAMessageIsASetting() async throws {
        let server = try server(.init(threads: 2, webSocketMessageBytesMax: 10))
        let client = try await WebSocketClient(server)
        client.send("0123456789")
        #expect(await client.nextText() == "0123456789")
        client.send("0123456789A")
        #expect(await client.rest() == [.close(code: 1009)])
        await server.stop()
    }

    @Test func incompleteMessagesShareTheMemoryOfBodies() async throws {
        let server = try server(.init(threads: 2, bodyBytesInFlightMax: 100_000))
        let client = try await WebSocketClient(server)
        client.send(String(repeating: "a", count: 90_000))
        #expect(await client.nextText()?.utf8.count == 90_000)
        // The first fragment of a message that never ends.
        let fragment: [UInt8] = [0x01, 0xFF, 0, 0, 0, 0, 0, 0x02, 0, 0, 0, 0, 0, 0]
        client.connection.send(fragment + [UInt8](repeating: 97, count: 131_072))
        #expect(await client.rest() == [.close(code: 1011)])
        await recorder.wait(for: .closed)
        await server.stop()
    }

    @Test func regularPingsCarryThePayloadOfTheHandler() async throws {
        let pings = PingTimes()
        let server = try server(pings: pings)
        let client = try await WebSocketClient(server)
        await recorder.wait(for: .opened)
        for payload in UInt8(1)...4 {
            pings.pass()
            #expect(await client.nextAnswer().count == 7)
            client.flush()
            await recorder.wait(for: .ponged([payload]))
        }
        await server.stop(grace: .zero)
    }

    @Test func aSilentClientIsDropped() async throws {
        let pings = PingTimes()
        let server = try server(pings: pings)
        let client = try await WebSocketClient(server)
        await recorder.wait(for: .opened)
        pings.pass()
        _ = await client.nextAnswer()
        client.send("instead of a pong")
        await recorder.wait(for: .received("instead of a pong"))
        pings.pass()
        #expect(await client.nextText() == "instead of a pong")
        #expect(!recorder.calls.contains(.closed))
        pings.pass()
        await recorder.wait(for: .closed)
        #expect(await client.rest() == [])
        await server.stop()
    }

    @Test func aCloseWithoutAnAnswerEndsAfterTwoPings() async throws {
        let pings = PingTimes()
        let server = try server(pings: pings)
        let client = try await WebSocketClient(server)
        await recorder.wait(for: .opened)
        recorder.socket?.close(code: 1000, reason: "")
        #expect(await client.next() == .close(code: 1000))
        pings.pass()
        pings.pass()
        await recorder.wait(for: .closed)
        #expect(await client.rest() == [])
        await server.stop()
    }

    @Test func aClientThatDoesNotReadIsDropped() async throws {
        let server = try server(.init(threads: 2, webSocketUnsentBytesMax: 1 << 20))
        let connection = try RawConnection(port: server.port)
        connection.limitReceiveBuffer()
        let client = try await WebSocketClient(connection)
        await recorder.wait(for: .opened)
        let socket = try #require(recorder.socket)
        let text = [UInt8](repeating: 97, count: 10_000)
        while !recorder.calls.contains(.closed) {
            socket.send(text)
            // The largest text does not count, and the text that exceeds the limit is counted.
            #expect(socket.unsentBytes <= 1 << 20 + 2 * (text.count + 32))
            await Task.yield()
        }
        #expect(socket.unsentBytes == 0)
        #expect(await client.rest().allSatisfy { $0 == .text(text) })
        await server.stop()
    }

    @Test func aSlowClientReceivesEverything() async throws {
        let server = try server()
        let connection = try RawConnection(port: server.port)
        connection.limitReceiveBuffer()
        let client = try await WebSocketClient(connection)
        await recorder.wait(for: .opened)
        let socket = try #require(recorder.socket)
        let text = [UInt8](repeating: 97, count: 100_000)
        var sent = 0
        while socket.unsentBytes < 300_000 {
            socket.send(text)
            sent += 1
            await Task.yield()
        }
        for _ in 0..<sent { #expect(await client.next() == .text(text)) }
        await recorder.wait(for: .drained)
        #expect(socket.unsentBytes == 0)
        await server.stop(grace: .zero)
    }

    @Test func aLongTextIsSentToASlowClient() async throws {
        let server = try server(.init(threads: 2, webSocketUnsentBytesMax: 1 << 20))
        let connection = try RawConnection(port: server.port)
        connection.limitReceiveBuffer()
        let client = try await WebSocketClient(connection)
        await recorder.wait(for: .opened)
        let socket = try #require(recorder.socket)
        // The kernel's buffers do not take the whole text.
        let text = [UInt8](repeating: 97, count: 20 << 20)
        socket.send(text)
        socket.ping([1])
        #expect(await client.next() == .text(text))
        await recorder.wait(for: .drained)
        #expect(!recorder.calls.contains(.closed))
        await server.stop(grace: .zero)
    }

    @Test func unsentBytesShareTheMemoryOfResponses() async throws {
        let server = try server(.init(threads: 2, answerBytesInFlightMax: 300_000))
        let connection = try RawConnection(port: server.port)
        connection.limitReceiveBuffer()
        let client = try await WebSocketClient(connection)
        await recorder.wait(for: .opened)
        let socket = try #require(recorder.socket)
        while !recorder.calls.contains(.closed) {
            socket.send([UInt8](repeating: 97, count: 50_000))
            await Task.yield()
        }
        _ = await client.rest()
        await server.stop()
    }
}
