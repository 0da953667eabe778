import Foundation
import HTTPClient
import HTTPTypes
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct CurlTransportTests {
    /// A transport that keeps idle connections for an hour, so that a slow test run opens no additional one.
    private let client = CurlTransport(configuration: .init(idleConnectionMax: .seconds(3600)))

    @Test func connectionIsReusedForRepeatableRequestsOnly() async throws {
        let server = try RawServer { $0.serve() }
        defer { server.close() }
        for _ in 0..<3 { #expect(try await client.send(.get(server.url("/"))).status == .ok) }
        #expect(server.connections == 1)
        for _ in 0..<3 { #expect(try await client.send(.post(server.url("/"))).status == .ok) }
        #expect(server.connections == 4)
    }

    @Test func onlyRepeatableRequestsAreResent() async throws {
        let requests = Atomic(0)
        // Each connection answers one request and closes when the next one has arrived.
        let server = try RawServer { peer in
            for isFirst in [true, false] where peer.receiveRequest() != nil {
                requests.add(1, ordering: .relaxed)
                if isFirst { peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok") }
            }
        }
        defer { server.close() }
        #expect(try await client.send(.get(server.url("/"))).status == .ok)
        #expect(try await client.send(.get(server.url("/"))).status == .ok)
        #expect(requests.load(ordering: .relaxed) == 3)
        #expect(try await client.send(.post(server.url("/"))).status == .ok)
        #expect(requests.load(ordering: .relaxed) == 4)
    }

    @Test func requestIsSentUnchanged() async throws {
        let received = Mutex("")
        let server = try RawServer { peer in
            received.withLock { $0 = peer.receiveRequest() ?? "" }
            peer.send("HTTP/1.1 204 No Content\r\n\r\n")
        }
        defer { server.close() }
        var request = HTTPClientRequest.post(server.url("/a/../b%2Fc?d=%00"))
        request.headers = [.contentType: "application/json", HTTPField.Name("X-Empty")!: ""]
        request.body = Array("{}".utf8)
        #expect(try await client.send(request).status == .noContent)
        let lines = received.withLock { $0 }.components(separatedBy: "\r\n")
        #expect(lines.first == "POST /a/../b%2Fc?d=%00 HTTP/1.1")
        #expect(lines.last == "{}")
        for line in ["Content-Type: application/json", "X-Empty:", "Content-Length: 2", "User-Agent: Tidegate"] {
            #expect(lines.contains(line))
        }
        #expect(!lines.contains { $0.hasPrefix("Expect") })
    }

    @Test(arguments: [HTTPRequest.Method.post, .put])
    func emptyBodyHasALengthAndNoContentType(method: HTTPRequest.Method) async throws {
        let received = Mutex("")
        let server = try RawServer { peer in
            received.withLock { $0 = peer.receiveRequest() ?? "" }
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.close() }
        let request = HTTPClientRequest(method: method, url: server.url("/"), isRepeatable: false)
        #expect(try await client.send(request).status == .ok)
        let text = received.withLock { $0 }
        #expect(text.hasPrefix("\(method.rawValue) / HTTP/1.1\r\n"))
        #expect(text.contains("\r\nContent-Length: 0\r\n"))
        #expect(!text.contains("Content-Type"))
    }

    @Test func responseArrivesUnchanged() async throws {
        let server = try RawServer { peer in
            _ = peer.receiveRequest()
            peer.send("HTTP/1.1 103 Early Hints\r\nLink: early\r\n\r\n")
            peer.send("HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nX-Two: 1\r\nx-two:\t2 \r\n")
            peer.send("Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")
        }
        defer { server.close() }
        let response = try await client.send(.get(server.url("/")))
        #expect(response.status == .found)
        #expect(response.headers[.location] == "/elsewhere")
        #expect(response.headers[values: HTTPField.Name("X-Two")!] == ["1", "2"])
        #expect(response.headers[HTTPField.Name("Link")!] == nil)
        #expect(response.body == Array("abcde".utf8))
        #expect(server.connections == 1)
    }

    @Test func compressedResponseIsDecoded() async throws {
        let packed: [UInt8] = [
            0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0, 0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0,
        ]
        let server = try RawServer { peer in
            guard peer.receiveRequest()?.contains("Accept-Encoding: ") == true else { return }
            peer.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(packed.count)\r\n\r\n")
            peer.send(packed)
        }
        defer { server.close() }
        let response = try await client.send(.get(server.url("/")))
        #expect(response.body == Array("hello".utf8))
        #expect(response.headers[.contentEncoding] == nil)
        #expect(response.headers[.contentLength] == nil)
    }

    @Test func headResponseHasNoBody() async throws {
        let server = try RawServer { peer in
            guard peer.receiveRequest()?.hasPrefix("HEAD ") == true else { return }
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 17\r\n\r\n")
        }
        defer { server.close() }
        let request = HTTPClientRequest(method: .head, url: server.url("/"), isRepeatable: true)
        let response = try await client.send(request)
        #expect(response.headers[.contentLength] == "17")
        #expect(response.body.isEmpty)
    }

    @Test func manyRequestsShareFewConnections() async throws {
        let server = try RawServer { $0.serve() }
        defer { server.close() }
        let client = CurlTransport(configuration: .init(transfersMax: 4))
        try await withThrowingTaskGroup { group in
            for _ in 0..<100 { group.addTask { try await client.send(.get(server.url("/"))).status } }
            for try await status in group { #expect(status == .ok) }
        }
        #expect(server.connections <= 4)
    }
}

extension HTTPClientRequest {
    static func get(_ url: String) -> HTTPClientRequest {
        HTTPClientRequest(method: .get, url: url, isRepeatable: true)
    }

    static func post(_ url: String) -> HTTPClientRequest {
        HTTPClientRequest(method: .post, url: url, body: [123, 125], isRepeatable: false)
    }
}
