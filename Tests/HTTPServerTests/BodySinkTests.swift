import HTTPClient
import HTTPServer
import HTTPTypes
import Synchronization
import Testing

@Suite("Request bodies in a sink", .timeLimit(.minutes(5)))
struct BodySinkTests {
    /// Counts the received bytes, and refuses a piece that begins with `!`.
    private final class CountingSink: HTTPBodySink {
        let bytesMax = 1_000_000
        private let state = Mutex((bytes: 0, abandoned: 0))
        let isAbandoned = Gate()

        var bytes: Int { state.withLock { $0.bytes } }
        var abandoned: Int { state.withLock { $0.abandoned } }

        func write(_ bytes: UnsafeRawBufferPointer) throws(HTTPBodyRefusal) {
            state.withLock { $0.bytes += bytes.count }
            if bytes.first == UInt8(ascii: "!") { throw HTTPBodyRefusal(.unprocessableContent) }
        }

        func abandon() {
            state.withLock { $0.abandoned += 1 }
            isAbandoned.open()
        }
    }

    /// Gives each request to `/sink` a sink, and responds with the counted bytes.
    private final class SinkHandler: HTTPHandler {
        private let made = Mutex<[CountingSink]>([])
        let hasMade = Gate()
        var sinks: [CountingSink] { made.withLock { $0 } }

        func bodyPlace(for head: HTTPServerRequest) -> HTTPBodyPlace {
            if head.path == "/refused" { return .refused(.text("no key", .forbidden)) }
            guard head.path == "/sink" else { return .memory(bytesMax: head.path == "/large" ? 2000 : nil) }
            #expect(head.body.isEmpty && head.sink == nil)
            let sink = CountingSink()
            made.withLock { $0.append(sink) }
            hasMade.open()
            return .sink(sink)
        }

        func handle(_ request: HTTPServerRequest) -> HTTPReply {
            let sink = (request.sink as? CountingSink).map { "\($0.bytes)" } ?? "none"
            return .now(.text("\(sink) \(request.body.count)"))
        }
    }

    private let handler = SinkHandler()
    private let client = CurlTransport()

    private func server(_ configuration: HTTPServer.Configuration) throws -> HTTPServer {
        try HTTPServer(
            configuration: configuration, handler: handler, uptime: HTTPServer.realUptime,
            sleep: { try await Task.sleep(for: $0) },
            refusal: { status, _ in HTTPServerResponse(status: status, body: Array("refused".utf8)) })
    }

    private func server() throws -> HTTPServer { try server(.init(threads: 2, bodyBytesMax: 1000)) }

    private func post(_ server: HTTPServer, _ body: [UInt8], path: String = "/sink") -> HTTPClientRequest {
        HTTPClientRequest(method: .post, url: server.url(path), body: body, isRepeatable: true)
    }

    @Test(arguments: [1, 1_000_000])
    func sinkReceivesABodyOverTheMemoryLimit(_ count: Int) async throws {
        let server = try server(.init(threads: 2, bodyBytesMax: 1000, bodyBytesInFlightMax: 10))
        #expect(try await client.send(post(server, .init(repeating: 97, count: count))).text == "\(count) 0")
        #expect(handler.sinks.map(\.abandoned) == [0])
        await server.stop()
    }

    @Test(arguments: [1, 100_000])
    func aRefusedBodyIsDiscarded(_ count: Int) async throws {
        let server = try server()
        for _ in 0..<2 {
            let response = try await client.send(post(server, .init(repeating: 97, count: count), path: "/refused"))
            #expect(response.status == .forbidden)
            #expect(response.text == "no key")
        }
        #expect(handler.sinks.isEmpty)
        await server.stop()
    }

    @Test func refusalIsSentInsteadOf100Continue() async throws {
        let server = try server()
        let connection = try RawConnection(port: server.port)
        connection.send("POST /refused HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n")
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 403 "))
        #expect(answer.hasSuffix("no key"))
        await server.stop()
    }

    @Test func handlerCanRaiseTheMemoryLimitOfABody() async throws {
        let server = try server()
        let body = [UInt8](repeating: 97, count: 1500)
        #expect(try await client.send(post(server, body, path: "/large")).text == "none 1500")
        #expect(try await client.send(post(server, body, path: "/small")).status == .contentTooLarge)
        await server.stop()
    }

    @Test func bodiesWithoutASinkGoToMemory() async throws {
        let server = try server()
        #expect(try await client.send(post(server, .init(repeating: 97, count: 900), path: "/")).text == "none 900")
        #expect(try await client.send(post(server, [])).text == "none 0")
        #expect(handler.sinks.isEmpty)
        await server.stop()
    }

    @Test func chunkedBodyReachesItsSink() async throws {
        let server = try server()
        let connection = try RawConnection(port: server.port)
        connection.send("POST /sink HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
        connection.send("5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n")
        #expect(await connection.receiveAll().hasSuffix("11 0"))
        await server.stop()
    }

    @Test func clientWithExpectHeaderGets100Continue() async throws {
        let server = try server()
        let connection = try RawConnection(port: server.port)
        connection.send("POST /sink HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
        #expect(await connection.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        connection.send("body")
        #expect(await connection.receive(until: "4 0").hasSuffix("4 0"))
        await server.stop()
    }

    @Test(arguments: ["Content-Length: 9000000000", "Content-Length: 1000001\r\nExpect: 100-continue"])
    func tooLargeContentLengthForASinkIsRefusedBeforeTheBodyArrives(headers: String) async throws {
        let server = try server()
        let connection = try RawConnection(port: server.port)
        connection.send("POST /sink HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\r\n")
        #expect(await connection.receiveAll().hasPrefix("HTTP/1.1 413 "))
        #expect(handler.sinks.map(\.abandoned) == [1])
        await server.stop()
        #expect(handler.sinks.map(\.abandoned) == [1])
    }

    @Test func chunkedBodyOverTheLimitOfItsSinkIsRefused() async throws {
        let server = try server()
        let connection = try RawConnection(port: server.port)
        connection.send("POST /sink HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
        let chunk = "10000\r\n" + String(repeating: "a", count: 0x10000) + "\r\n"
        connection.send(String(repeating: chunk, count: 17) + "0\r\n\r\n")
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
        #expect(answer.hasSuffix("refused"))
        #expect(handler.sinks.map(\.abandoned) == [1])
        #expect(handler.sinks[0].bytes <= 1_000_000)
        await server.stop()
    }

    @Test func refusalByTheSinkIsSentAfterTheBody() async throws {
        let server = try server()
        let refused = try await client.send(post(server, Array("!".utf8) + .init(repeating: 97, count: 500_000)))
        #expect(refused.status == .unprocessableContent)
        #expect(refused.text == "refused")
        #expect(handler.sinks.map(\.abandoned) == [1])
        #expect(try await client.send(post(server, [97])).text == "1 0")
        await server.stop()
        #expect(handler.sinks.map(\.abandoned) == [1, 0])
    }

    @Test(arguments: [false, true])
    func lostConnectionAbandonsTheSinkOfItsUpload(byStop: Bool) async throws {
        let server = try server()
        var connection: RawConnection? = try RawConnection(port: server.port)
        connection?.send("POST /sink HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf")
        await handler.hasMade.pass()
        if byStop { await server.stop(grace: .zero) } else { connection = nil }
        await handler.sinks[0].isAbandoned.pass()
        await server.stop()
        #expect(handler.sinks.map(\.abandoned) == [1])
        _ = connection
    }
}
