import Foundation
import HTTPClient
import HTTPServer
import HTTPTypes
import Testing

@Suite("Responses from a file", .timeLimit(.minutes(5)))
struct FileAnswerTests {
    private let client = CurlTransport()
    private let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    private let file: OpenFile

    /// An unlinked file with an open descriptor.
    init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "tidegate-\(UUID().uuidString)")
        try Data(bytes).write(to: url)
        file = try #require(OpenFile(path: url.path))
        try FileManager.default.removeItem(at: url)
    }

    private func server(_ range: FileRange, later: Bool = false) throws -> HTTPServer {
        let response = HTTPServerResponse(status: .ok, headers: [.contentType: "image/png"], content: .file(range))
        return try HTTPServer.make { _ in later ? .later { response } : .now(response) }
    }

    @Test(arguments: [(0, 3_000_000), (1, 1), (2_999_000, 1000), (70_000, 500_000), (5, 0)], [false, true])
    func aRangeOfAFileArrives(_ range: (offset: Int, count: Int), later: Bool) async throws {
        let range = FileRange(file, offset: Int64(range.offset), count: Int64(range.count))
        let server = try server(range, later: later)
        for _ in 0..<2 {
            let response = try await client.send(
                HTTPClientRequest(method: .get, url: server.url("/"), isRepeatable: true))
            #expect(response.body == bytes[Int(range.offset)..<Int(range.offset + range.count)].map { $0 })
            #expect(response.headers[.contentLength] == "\(range.count)")
            #expect(response.headers[.contentType] == "image/png")
        }
        await server.stop()
    }

    @Test func aHeadRequestForAFileReturnsItsLength() async throws {
        let server = try server(FileRange(file, offset: 10, count: 2_000_000))
        let connection = try RawConnection(port: server.port)
        connection.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let answer = await connection.receiveAll()
        #expect(answer.contains("Content-Length: 2000000\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
        await server.stop()
    }

    @Test func concurrentResponsesShareTheFile() async throws {
        let server = try server(FileRange(file, offset: 0, count: 3_000_000))
        let sent = await withTaskGroup { group in
            for _ in 0..<20 {
                group.addTask {
                    let request = HTTPClientRequest(method: .get, url: server.url("/"), isRepeatable: true)
                    return try? await client.send(request).body == bytes
                }
            }
            return await group.reduce(into: [Bool?]()) { $0.append($1) }
        }
        #expect(sent == Array(repeating: true, count: 20))
        await server.stop()
    }

    @Test func aFileThatHasBecomeShorterIsAnError() async throws {
        let server = try server(FileRange(file, offset: 2_999_990, count: 100))
        let connection = try RawConnection(port: server.port)
        connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 500 "))
        #expect(answer.hasSuffix("refused"))
        await server.stop()
    }

    @Test func aFileRangeCanBeReadWithoutAServer() async {
        let response = HTTPServerResponse(status: .ok, content: .file(FileRange(file, offset: 7, count: 100_000)))
        #expect(response.wholeBody == Array(bytes[7..<100_007]))
        #expect(response.body.isEmpty)
        #expect(FileRange(file, offset: 2_999_990, count: 100).bytes().count == 10)
        #expect(file.byteCount == 3_000_000)
        #expect(HTTPServerResponse(status: .ok, body: [1, 2]).wholeBody == [1, 2])
    }

    @Test func openingAMissingFileReturnsNil() {
        #expect(OpenFile(path: "/nonexistent/file") == nil)
    }
}
