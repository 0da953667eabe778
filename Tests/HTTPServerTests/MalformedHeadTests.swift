import HTTPServer
import HTTPTypes
import Synchronization
import Testing

/// Request heads that a proxy and the server could parse differently. The server refuses each head with one response,
/// and never parses the bytes after it.
@Suite(.timeLimit(.minutes(5)))
struct MalformedHeadTests {
    private static let smuggled = "GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"

    static let heads: [(name: String, head: String)] = [
        ("line without a name", "GET / HTTP/1.1\r\nHost: a\r\n: x\r\nX-A: b\r\n\r\n"),
        ("line without a name and value", "GET / HTTP/1.1\r\nHost: a\r\n:\r\nX-A: b\r\n\r\n"),
        ("line without a name at first", "GET / HTTP/1.1\r\n: x\r\nHost: a\r\n\r\n"),
        ("line without a name at last", "GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n"),
        ("folded line", "GET / HTTP/1.1\r\nHost: a\r\nX-A: a\r\n b\r\n\r\n"),
        ("folded first line", "GET / HTTP/1.1\r\n X-A: a\r\nHost: a\r\n\r\n"),
        ("bare CR", "GET / HTTP/1.1\r\nHost: a\r\nX-A: a\rX-B: c\r\n\r\n"),
        ("bare LF", "GET / HTTP/1.1\r\nHost: a\r\nX-A: a\nX-B: c\r\n\r\n"),
        ("bare LFs alone", "GET / HTTP/1.1\nHost: a\n\n"),
        ("NUL in a value", "GET / HTTP/1.1\r\nHost: a\r\nX-A: a\0b\r\n\r\n"),
        ("NUL in a name", "GET / HTTP/1.1\r\nHost: a\r\nX\0A: b\r\n\r\n"),
        ("NUL in the host", "GET / HTTP/1.1\r\nHost: a\0b\r\n\r\n"),
        ("NUL in the path", "GET /a\0b HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("NUL in the method", "G\0ET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("control character in a value", "GET / HTTP/1.1\r\nHost: a\r\nX-A: a\u{1}b\r\n\r\n"),
        ("blank before a colon", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length : 3\r\n\r\nabc"),
        ("two blanks in the first line", "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
        ("two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}"),
        ("two lengths that differ", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 0\r\n\r\n{}"),
        (
            "length and chunks",
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        ("unknown coding", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n"),
        ("two codings", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"),
        (
            "coding twice",
            "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        (
            "chunks in HTTP/1.0",
            "POST / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        ("target of another host", "GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("target with a user", "GET http://b@a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("target with a host and none in the headers", "GET http://a/ HTTP/1.1\r\n\r\n"),
        ("target of a tunnel", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n"),
        ("byte outside of ASCII in the path", "GET /ü HTTP/1.1\r\nHost: a\r\n\r\n"),
    ]

    @Test(arguments: heads)
    func aMalformedHeadIsRefusedAndEndsTheConnection(name: String, head: String) async throws {
        let paths = Mutex<[String]>([])
        let server = try HTTPServer.make { request in
            paths.withLock { $0.append(request.path) }
            return .now(.text("answered"))
        }
        let connection = try RawConnection(port: server.port)
        connection.send(head + Self.smuggled)
        let answer = await connection.receiveAll()
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
        #expect(answer.count(of: "HTTP/1.1 ") == 1)
        #expect(paths.withLock { $0 } == [])
        await server.stop()
    }

    /// A proxy sends the requests of many clients over one kept-alive connection.
    @Test(arguments: heads)
    func aMalformedHeadOfALaterRequestIsRefused(name: String, head: String) async throws {
        let paths = Mutex<[String]>([])
        let server = try HTTPServer.make { request in
            paths.withLock { $0.append(request.path) }
            return .now(.text("answered"))
        }
        let connection = try RawConnection(port: server.port)
        connection.send("GET /first HTTP/1.1\r\nHost: a\r\n\r\n" + head + Self.smuggled)
        let answer = await connection.receiveAll()
        #expect(answer.count(of: "HTTP/1.1 200 ") == 1)
        #expect(answer.count(of: "HTTP/1.1 400 ") == 1)
        #expect(paths.withLock { $0 } == ["/first"])
        await server.stop()
    }

    @Test func aTooLongMethodIsAnsweredWith501() async throws {
        let server = try HTTPServer.make { _ in .now(.text("answered")) }
        let connection = try RawConnection(port: server.port)
        connection.send("\(String(repeating: "A", count: 5000)) / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await connection.receiveAll().hasPrefix("HTTP/1.1 501 "))
        await server.stop()
    }

    @Test(arguments: ["", ": x\r\n", "X-A: b\r\n: x\r\nX-B: c\r\n"])
    func aConnectionClosesAfterAChunkedBody(trailer: String) async throws {
        let paths = Mutex<[String]>([])
        let server = try HTTPServer.make { request in
            paths.withLock { $0.append(request.path) }
            return .now(.text("answered"))
        }
        let connection = try RawConnection(port: server.port)
        let chunks = "2\r\n{}\r\n0\r\n\(trailer)\r\n"
        connection.send(
            "POST /first HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks + Self.smuggled)
        let answer = await connection.receiveAll()
        #expect(answer.count(of: "HTTP/1.1 200 ") <= 1)
        #expect(!paths.withLock { $0 }.contains("/smuggled"))
        await server.stop()
    }

    @Test(arguments: [
        "X-Echoed:\r\n", "X-Echoed: \r\n", "X-Echoed:a\r\n", "X-Echoed: \t a \t\r\n", "X-Echoed: a:b\r\n",
        "Cookie: a=b; c=d\r\nX-Echoed: a\r\n", "X-Echoed: ü\r\n",
    ])
    func unusualValidHeadersAreAccepted(lines: String) async throws {
        let server = try HTTPServer.make { _ in .now(.text("answered")) }
        let connection = try RawConnection(port: server.port)
        let request = "GET http://A/x?y=z&a=%20b HTTP/1.1\r\nHost: a\r\n\(lines)"
        connection.send("\r\n" + request + "\r\n" + request + "Connection: close\r\n\r\n")
        #expect(await connection.receiveAll().count(of: "HTTP/1.1 200 ") == 2)
        await server.stop()
    }
}

extension String {
    fileprivate func count(of text: String) -> Int { ranges(of: text).count }
}
