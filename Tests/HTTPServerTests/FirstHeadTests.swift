import HTTPServer
import HTTPTypes
import Synchronization
import Testing

/// Invalid first heads of connections. libmicrohttpd alone would answer them with its own error pages.
@Suite(.timeLimit(.minutes(5)))
struct FirstHeadTests {
    static let heads: [(status: Int, head: String)] = [
        (400, "GARBAGE\r\n\r\n"), (400, "GET /\r\n\r\n"), (400, "GET\t/\tHTTP/1.1\r\nHost: a\r\n\r\n"),
        (400, "GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n"), (400, "GET / HTTQ/1.1\r\nHost: a\r\n\r\n"),
        (505, "GET / HTTP/3.7\r\nHost: a\r\n\r\n"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -2\r\n\r\n{}"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +2\r\n\r\n{}"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2, 2\r\n\r\n{}"),
        (400, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length:\r\n\r\n{}"),
        (413, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999999\r\n\r\n"),
        (414, "GET /\(String(repeating: "a", count: 70_000)) HTTP/1.1\r\nHost: a\r\n\r\n"),
        (414, String(repeating: "A", count: 300_000)),
        (431, "GET / HTTP/1.1\r\nHost: a\r\nX-A: \(String(repeating: "a", count: 70_000))\r\n\r\n"),
        (431, "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X-A: a\r\n", count: 8000) + "\r\n"),
        (431, "GET / HTTP/1.1\r\nHost: a\r\n" + String(repeating: "X-A: a\r\n", count: 600) + "\r\n"),
    ]

    @Test(arguments: heads)
    func anInvalidHeadGetsTheServersErrorResponse(status: Int, head: String) async throws {
        let server = try HTTPServer.make { _ in .now(.text("answered")) }
        let connection = try RawConnection(port: server.port)
        connection.send(head)
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 \(status) "), "\(head.prefix(100)): \(answer)")
        #expect(answer.hasSuffix("\r\n\r\nrefused"))
        #expect(answer.ranges(of: "HTTP/1.1 ").count == 1)
        #expect(answer.contains("Content-Length: 7\r\n"))
        #expect(answer.contains("Connection: close\r\n"))
        await server.stop()
    }

    @Test func refusalOfATooLargeHeadReceivesItsOriginHeader() async throws {
        let heads = Mutex<[String?]>([])
        let server = try HTTPServer(
            configuration: .init(threads: 2), handler: ClosureHandler { .now(.text($0.path)) },
            uptime: HTTPServer.realUptime, sleep: { try await Task.sleep(for: $0) },
            refusal: { status, head in
                heads.withLock { $0.append(head?.headers[.origin]) }
                return .text("refused", status)
            })
        let large = "GET / HTTP/1.1\r\nHost: a\r\nOrigin: b\r\nX-A: \(String(repeating: "a", count: 55_000))\r\n\r\n"
        for isLater in [false, true] {
            let connection = try RawConnection(port: server.port)
            connection.send((isLater ? "GET /first HTTP/1.1\r\nHost: a\r\n\r\n" : "") + large)
            #expect(await connection.receiveAll().contains("HTTP/1.1 431 "))
        }
        #expect(heads.withLock { $0 } == ["b", "b"])
        await server.stop()
    }

    @Test func aHeadOfSeveralDozenKilobytesIsAccepted() async throws {
        let server = try HTTPServer.make { .now(.text("\($0.query?.count ?? 0)")) }
        let connection = try RawConnection(port: server.port)
        let query = String(repeating: "a", count: 40_000)
        connection.send("GET /?\(query) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(await connection.receiveAll().hasSuffix("40000"))
        await server.stop()
    }
}
