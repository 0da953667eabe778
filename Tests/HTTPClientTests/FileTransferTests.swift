import Foundation
import HTTPClient
import HTTPTypes
import Synchronization
import Testing

/// Uploads from files, and downloads into sinks.
@Suite(.timeLimit(.minutes(5)))
struct FileTransferTests {
    private let client = CurlTransport()
    private let path = FileManager.default.temporaryDirectory.appending(path: "tidegate-\(UUID().uuidString)").path

    private func upload(_ bytes: [UInt8], size: Int? = nil, to url: String) async throws -> HTTPClientResponse {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try await client.send(
            HTTPClientRequest(
                method: .post, url: url, headers: [.contentType: "image/png"],
                bodyFile: .init(path: path, size: size ?? bytes.count), isRepeatable: false))
    }

    private func download(_ url: String) async throws -> (response: HTTPClientResponse, text: String) {
        let bytes = Mutex<[UInt8]>([])
        let response = try await client.send(.get(url)) { piece in
            bytes.withLock { $0 += piece }
            return true
        }
        return (response, bytes.withLock { String(decoding: $0, as: UTF8.self) })
    }

    @Test(arguments: [0, 1, 3_000_000])
    func aFileIsUploadedUnchanged(size: Int) async throws {
        let received = Mutex("")
        let server = try RawServer { peer in
            var text = peer.receiveRequest() ?? ""
            // The body can arrive separately from the headers, even a short one.
            while !text.hasSuffix("z"), size > 0, let piece = peer.receive() { text += piece }
            received.withLock { [text] in $0 = text }
            peer.send("HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
        }
        defer { server.close() }
        // The only `z` marks the end of the body.
        let bytes = (0..<size).map { $0 == size - 1 ? UInt8(ascii: "z") : UInt8(ascii: "a") + UInt8($0 % 25) }
        #expect(try await upload(bytes, to: server.url("/files/a")).status == .created)
        let text = received.withLock { $0 }
        #expect(text.contains("\r\nContent-Length: \(size)\r\n"))
        #expect(text.contains("\r\nContent-Type: image/png\r\n"))
        #expect(text.hasSuffix("\r\n\r\n" + String(decoding: bytes, as: UTF8.self)))
    }

    @Test func fileWhoseSizeHasChangedIsNotSent() async throws {
        let server = try RawServer { $0.serve() }
        defer { server.close() }
        await #expect(throws: HTTPTransportError.notSent(reason: "the file of the request body cannot be read")) {
            try await upload([1, 2, 3], size: 4, to: server.url("/"))
        }
        #expect(server.connections == 0)
    }

    @Test(arguments: [("/b", "/b"), ("http://example.org/x", "http://example.org/x"), ("file:///etc/hostname", nil)])
    func redirectIsReportedAndNotFollowed(_ location: String, _ target: String?) async throws {
        let server = try RawServer { peer in
            _ = peer.receiveRequest()
            peer.send("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 5\r\n\r\nthere")
        }
        defer { server.close() }
        let (response, text) = try await download(server.url("/a"))
        #expect(response.status == .found)
        #expect(text.isEmpty)
        let expected = target.map { $0.hasPrefix("/") ? server.url($0) : $0 }
        // The caller rejects redirects to other schemes.
        if target != nil { #expect(response.redirectURL == expected) }
        #expect(server.connections == 1)
    }

    @Test func bodyOfASuccessfulResponseIsPassedToTheSink() async throws {
        let server = try RawServer { $0.serve(String(repeating: "abc", count: 100_000)) }
        defer { server.close() }
        let (response, text) = try await download(server.url("/"))
        #expect(response.status == .ok)
        #expect(response.body.isEmpty)
        #expect(text == String(repeating: "abc", count: 100_000))
    }

    @Test func bodyOfAnErrorResponseStaysInMemory() async throws {
        let server = try RawServer { peer in
            _ = peer.receiveRequest()
            peer.send("HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\nnone")
        }
        defer { server.close() }
        let (response, text) = try await download(server.url("/"))
        #expect(response.status == .notFound)
        #expect(String(decoding: response.body, as: UTF8.self) == "none")
        #expect(text.isEmpty)
    }

    @Test(arguments: ["Content-Length: 10\r\n\r\n1234", "Transfer-Encoding: chunked\r\n\r\n4\r\n1234\r\n"])
    func truncatedBodyIsAnError(rest: String) async throws {
        let server = try RawServer { peer in
            _ = peer.receiveRequest()
            peer.send("HTTP/1.1 200 OK\r\n" + rest)
        }
        defer { server.close() }
        await #expect(throws: HTTPTransportError.self) { try await download(server.url("/")) }
    }

    @Test func refusalByTheSinkAbortsTheTransfer() async throws {
        let server = try RawServer { $0.serve("0123456789") }
        defer { server.close() }
        await #expect(throws: HTTPTransportError.outcomeUnknown(reason: "the response could not be stored")) {
            try await client.send(.get(server.url("/"))) { _ in false }
        }
    }

    @Test func memoryLimitDoesNotApplyToBodiesInASink() async throws {
        let server = try RawServer { $0.serve(String(repeating: "a", count: 1001)) }
        defer { server.close() }
        let client = CurlTransport(configuration: .init(responseBytesMax: 1000))
        let count = Mutex(0)
        _ = try await client.send(.get(server.url("/"))) { piece in
            count.withLock { $0 += piece.count }
            return true
        }
        #expect(count.withLock { $0 } == 1001)
    }
}
