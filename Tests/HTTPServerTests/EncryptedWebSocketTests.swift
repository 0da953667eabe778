import HTTPClient
import HTTPTypes
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.minutes(5)))
struct EncryptedWebSocketTests {
    private let fixture: CertificateFixture
    private let recorder = WebSocketRecorder()

    init() throws { fixture = try CertificateFixture() }

    private func server(_ handler: (@Sendable () -> WebSocketRecorder)? = nil) throws -> HTTPServer {
        var configuration = HTTPServer.Configuration(threads: 2)
        configuration.certificate = try fixture.certificate()
        return try HTTPServer.webSockets(configuration) { [recorder] in handler?() ?? recorder }
    }

    private func connect(_ server: HTTPServer) async throws -> HTTPClient.WebSocketClient {
        try await HTTPClient.WebSocketClient.connect(
            HTTPClientRequest(method: .get, url: "https://127.0.0.1:\(server.port)/ws", isRepeatable: true),
            configuration: .init(caBundle: fixture.certificatePath), messageBytesMax: 2 << 20,
            sources: .init(
                sleep: { try await Task.sleep(for: $0) },
                randomBytes: { count in (0..<count).map { UInt8(truncatingIfNeeded: $0) } }))
    }

    private func answers(_ server: HTTPServer) async throws -> Bool {
        let client = CurlTransport(configuration: .init(caBundle: fixture.certificatePath))
        let request = HTTPClientRequest(method: .get, url: "https://127.0.0.1:\(server.port)/", isRepeatable: true)
        return try await client.send(request).text == "A"
    }

    @Test func shortAndLongMessagesAreAnsweredInOrder() async throws {
        let server = try server()
        let client = try await connect(server)
        let messages = client.messages.makeAsyncIterator()
        for size in [1, 100, 70_000, 900_000, 5] {
            let text = [UInt8](repeating: UInt8(ascii: "x"), count: size)
            client.send(text)
            #expect(await messages.next() == text)
        }
        #expect(try await answers(server))
        await server.stop()
    }

    @Test func theHandlerLearnsThatTheClientHasLeft() async throws {
        let server = try server()
        let client = try await connect(server)
        client.close(code: 1000, reason: "")
        await recorder.wait(for: .closed)
        #expect(try await answers(server))
        await server.stop()
    }

    @Test func aStopOfTheServerClosesTheWebSocket() async throws {
        let server = try server()
        let client = try await connect(server)
        await server.stop(grace: .seconds(5))
        #expect(await client.messages.makeAsyncIterator().next() == nil)
        await recorder.wait(for: .closed)
    }

    @Test func manyWebSocketsOpenAndCloseBesideRequests() async throws {
        let server = try server { WebSocketRecorder() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<24 {
                group.addTask {
                    let client = try await connect(server)
                    let text = Array("hello \(number)".utf8)
                    client.send(text)
                    #expect(await client.messages.makeAsyncIterator().next() == text)
                    #expect(try await answers(server))
                    client.close(code: 1000, reason: "")
                }
            }
            try await group.waitForAll()
        }
        await server.stop()
    }
}
