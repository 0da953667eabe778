import HTTPServer
import Testing

/// Messages of clients that send faster than the handler of their WebSocket handles them.
@Suite("Waiting messages of WebSockets", .timeLimit(.minutes(5)))
struct WebSocketWaitingTests {
    private func server(_ recorder: WebSocketRecorder, _ pings: PingTimes = PingTimes()) throws -> HTTPServer {
        try HTTPServer.webSockets(.init(threads: 2), pings: pings) { recorder }
    }

    private static func count(_ calls: [WebSocketRecorder.Call]) -> Int {
        calls.count { if case .received = $0 { true } else { false } }
    }

    /// Waits until the server has looked at the WebSocket a few times.
    private func letTheServerRead(_ client: WebSocketClient, _ pings: PingTimes) async {
        for _ in 0..<5 {
            pings.pass()
            _ = await client.nextAnswer()
            client.flush()
        }
    }

    @Test func nothingIsReadWhileTooManyMessagesWait() async throws {
        let pings = PingTimes()
        let recorder = WebSocketRecorder(handlesAtOnce: false, answer: { _, _ in })
        let server = try server(recorder, pings)
        let client = try await WebSocketClient(server)
        // 24 messages of 100,000 bytes. The limit is 2 MiB, so the 21st exceeds it.
        let text = String(repeating: "a", count: 100_000)
        for _ in 0..<24 { client.send(text) }
        await recorder.wait { Self.count($0) >= 21 }
        // The server pings without an answer, and takes the client for alive, because it does not read the answers.
        await letTheServerRead(client, pings)
        #expect(Self.count(recorder.calls) <= 22)
        #expect(!recorder.calls.contains(.closed))
        recorder.handle()
        await recorder.wait { Self.count($0) == 24 }
        await server.stop(grace: .zero)
    }

    @Test func shortMessagesThatWaitAreFew() async throws {
        let pings = PingTimes()
        let recorder = WebSocketRecorder(handlesAtOnce: false, answer: { _, _ in })
        let server = try server(recorder, pings)
        let client = try await WebSocketClient(server)
        // A read takes 64 KiB, and so up to 9,362 of these messages of 7 bytes.
        for _ in 0..<15_000 { client.send("a") }
        await recorder.wait { Self.count($0) > 2_000 }
        await letTheServerRead(client, pings)
        #expect(Self.count(recorder.calls) <= 2_048 + 9_363)
        recorder.handle()
        await server.stop(grace: .zero)
    }

    @Test func endOfAConnectionIsNoticedAfterThePause() async throws {
        let recorder = WebSocketRecorder(isTrusted: false, handlesAtOnce: false, answer: { _, _ in })
        let server = try server(recorder)
        var client: WebSocketClient? = try await WebSocketClient(server)
        client?.send("waits")
        await recorder.wait(for: .received("waits"))
        client = nil
        recorder.handle()
        await recorder.wait(for: .closed)
        await server.stop()
    }

    @Test func clientWithoutTrustSendsOneMessageAtATime() async throws {
        let pings = PingTimes()
        let recorder = WebSocketRecorder(isTrusted: false, handlesAtOnce: false, answer: { _, _ in })
        let server = try server(recorder, pings)
        let client = try await WebSocketClient(server)
        client.send("first")
        await recorder.wait(for: .received("first"))
        for _ in 0..<10 { client.send(String(repeating: "b", count: 10_000)) }
        await letTheServerRead(client, pings)
        #expect(Self.count(recorder.calls) == 1)
        recorder.handle(trustsFromNow: true)
        await recorder.wait { Self.count($0) == 11 }
        await server.stop(grace: .zero)
    }

    @Test func longMessageNeedsTrust() async throws {
        let long = String(repeating: "a", count: 16_385)
        let stranger = WebSocketRecorder(isTrusted: false)
        let server = try server(stranger)
        let client = try await WebSocketClient(server)
        client.send(String(long.dropLast()))
        #expect(await client.nextText()?.utf8.count == 16_384)
        client.send(long)
        #expect(await client.rest() == [.close(code: 1009)])
        await server.stop()
        let known = WebSocketRecorder()
        let other = try self.server(known)
        let friend = try await WebSocketClient(other)
        friend.send(long)
        #expect(await friend.nextText() == long)
        await other.stop(grace: .zero)
    }

    @Test func waitingMessagesShareTheMemoryOfBodies() async throws {
        let recorder = WebSocketRecorder(handlesAtOnce: false, answer: { _, _ in })
        let server = try HTTPServer.webSockets(.init(threads: 2, bodyBytesInFlightMax: 100_000)) { recorder }
        let client = try await WebSocketClient(server)
        for _ in 0..<2 { client.send(String(repeating: "a", count: 60_000)) }
        #expect(await client.rest() == [.close(code: 1011)])
        await recorder.wait(for: .closed)
        await server.stop()
    }
}
