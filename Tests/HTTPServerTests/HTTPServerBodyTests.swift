import HTTPClient
import HTTPServer
import HTTPTypes
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPServerBodyTests {
    private static let limited = HTTPServer.Configuration(threads: 2, bodyBytesMax: 1000)
    private let client = CurlTransport()

    @Test func aChunkedBodyArrives() async throws {
        let server = try HTTPServer.make { .now(.echo(of: $0)) }
        let connection = try RawConnection(port: server.port)
        connection.send("POST /a HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
        connection.send("5\r\nhello\r\n6;extension\r\n world\r\n0\r\n\r\n")
        #expect(await connection.receiveAll().hasSuffix("POST /a -  hello world"))
        await server.stop()
    }

    @Test func bodyAtTheSizeLimitIsAccepted() async throws {
        let server = try HTTPServer.make(Self.limited) { .now(.text("\($0.body.count)")) }
        #expect(try await client.send(post(to: server, bytes: 1000)).text == "1000")
        await server.stop()
    }

    @Test func bodyOverTheSizeLimitIsRefusedAndTheConnectionStaysOpen() async throws {
        let server = try HTTPServer.make(Self.limited) { .now(.text("\($0.body.count)")) }
        for _ in 0..<3 {
            let response = try await client.send(post(to: server, bytes: 200_000))
            #expect(response.status == .contentTooLarge)
            #expect(response.text == "refused")
        }
        let connection = try RawConnection(port: server.port)
        let body = String(repeating: "a", count: 2000)
        connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2000\r\n\r\n\(body)")
        #expect(await connection.receive(until: "refused").hasPrefix("HTTP/1.1 413 "))
        connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nb")
        #expect(await connection.receive(until: "\r\n\r\n1").hasPrefix("HTTP/1.1 200 "))
        await server.stop()
    }

    @Test(arguments: ["Content-Length: 9000000000", "Content-Length: 1001\r\nExpect: 100-continue"])
    func tooLargeContentLengthIsRefusedBeforeTheBodyArrives(headers: String) async throws {
        let server = try HTTPServer.make(Self.limited) { .now(.echo(of: $0)) }
        let connection = try RawConnection(port: server.port)
        connection.send("POST / HTTP/1.1\r\nHost: a\r\n\(headers)\r\n\r\n")
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
        #expect(answer.contains("Connection: close\r\n"))
        #expect(answer.hasSuffix("refused"))
        await server.stop()
    }

    @Test func chunkedBodyOverTheSizeLimitIsRefused() async throws {
        let server = try HTTPServer.make(Self.limited) { .now(.echo(of: $0)) }
        let connection = try RawConnection(port: server.port)
        connection.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
        let chunk = "400\r\n" + String(repeating: "a", count: 0x400) + "\r\n"
        connection.send(String(repeating: chunk, count: 100) + "0\r\n\r\n")
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
        #expect(answer.hasSuffix("refused"))
        await server.stop()
    }

    @Test func endlessBodyClosesTheConnection() async throws {
        let server = try HTTPServer.make(Self.limited) { .now(.echo(of: $0)) }
        let connection = try RawConnection(port: server.port)
        connection.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        let chunk = "10000\r\n" + String(repeating: "a", count: 0x10000) + "\r\n"
        connection.send(String(repeating: chunk, count: 100))
        #expect(await connection.receiveAll() == "")
        await server.stop()
    }

    @Test func clientWithExpectHeaderGets100Continue() async throws {
        let server = try HTTPServer.make(Self.limited) { .now(.echo(of: $0)) }
        let connection = try RawConnection(port: server.port)
        connection.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
        #expect(await connection.receive(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
        connection.send("body")
        #expect(await connection.receive(until: "body").contains("POST /a -  body"))
        await server.stop()
    }

    @Test func theMemoryOfAllRequestBodiesTogetherIsBounded() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let server = try HTTPServer.make(.init(threads: 2, bodyBytesInFlightMax: 100_000)) { request in
            guard request.path == "/slow" else { return .now(.text("\(request.body.count)")) }
            return .later {
                arrived.open()
                await gate.pass()
                return .text("\(request.body.count)")
            }
        }
        async let slow = client.send(post(to: server, "/slow", bytes: 60_000))
        await arrived.pass()
        #expect(try await client.send(post(to: server, bytes: 60_000)).status == .serviceUnavailable)
        #expect(try await client.send(post(to: server, bytes: 30_000)).text == "30000")
        gate.open()
        #expect(try await slow.text == "60000")
        #expect(try await client.send(post(to: server, bytes: 60_000)).text == "60000")
        await server.stop()
    }

    @Test func theMemoryOfARequestBodyIsFreeWhileItsResponseIsSent() async throws {
        let stream = StreamAnswerTests.QueueStream([.bytes(Array("begun".utf8))])
        let server = try HTTPServer.make(.init(threads: 2, bodyBytesInFlightMax: 100_000)) { request in
            guard request.path == "/stream" else { return .now(.text("\(request.body.count)")) }
            return .later { HTTPServerResponse(status: .ok, content: .stream(stream)) }
        }
        let connection = try RawConnection(port: server.port)
        let body = String(repeating: "a", count: 60_000)
        connection.send("POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\n\r\n\(body)")
        #expect(await connection.receive(until: "begun").contains("HTTP/1.1 200 "))
        #expect(try await client.send(post(to: server, bytes: 60_000)).text == "60000")
        await server.stop()
    }

    @Test func theValuesOfAJSONBodyCountTowardTheMemoryLimit() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let server = try HTTPServer.make(.init(threads: 2, bodyBytesInFlightMax: 100_000, valueBytes: 50)) { request in
            guard request.path == "/slow" else { return .now(.text("\(request.body.count)")) }
            return .later {
                arrived.open()
                await gate.pass()
                return .text("\(request.body.count)")
            }
        }
        func send(_ path: String, _ text: String) async throws -> HTTPClientResponse {
            try await client.send(
                HTTPClientRequest(
                    method: .post, url: server.url(path), headers: [:], body: Array(text.utf8), isRepeatable: false))
        }
        let values = String(repeating: "[", count: 1500)
        async let slow = send("/slow", values)
        await arrived.pass()
        #expect(try await send("/", values).status == .serviceUnavailable)
        #expect(try await send("/", String(repeating: "a", count: 1500)).text == "1500")
        // The values of this body alone exceed the memory limit.
        #expect(try await send("/", values + values).status == .contentTooLarge)
        gate.open()
        #expect(try await slow.text == "1500")
        #expect(try await send("/", values).text == "1500")
        await server.stop()
    }

    @Test(arguments: [
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n",
        "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST / HTTP/1.1\r\nContent-Length : 1\r\n\r\na", "GET /\u{E4} HTTP/1.1\r\n\r\n", "GET a HTTP/1.1\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\n\r\n", "G(T / HTTP/1.1\r\n\r\n", "GET /a b HTTP/1.1\r\n\r\n",
    ])
    func ambiguousRequestIsRefused(request: String) async throws {
        let calls = Atomic(0)
        let server = try HTTPServer.make { _ in
            calls.add(1, ordering: .relaxed)
            return .now(.text("answered"))
        }
        let connection = try RawConnection(port: server.port)
        connection.send(request)
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
        #expect(answer.hasSuffix("refused"))
        #expect(calls.load(ordering: .relaxed) == 0)
        await server.stop()
    }

    private func post(to server: HTTPServer, _ path: String = "/", bytes: Int) -> HTTPClientRequest {
        HTTPClientRequest(
            method: .post, url: server.url(path), body: [UInt8](repeating: 97, count: bytes), isRepeatable: true)
    }
}
