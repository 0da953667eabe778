import HTTPClient
import HTTPServer
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPServerTests {
    private let client = CurlTransport()

    @Test func requestArrivesUnchanged() async throws {
        let server = try HTTPServer.make { .now(.echo(of: $0)) }
        let response = try await client.send(
            HTTPClientRequest(
                method: .put, url: server.url("/classes/Holiday?where=%7B%7D&a=b"), headers: [.echoed: "yes"],
                body: Array("{}".utf8), isRepeatable: true))
        #expect(response.status == .ok)
        #expect(response.text == "PUT /classes/Holiday where=%7B%7D&a=b yes {}")
        #expect(response.headers[.date] != nil)
        await server.stop()
    }

    @Test(arguments: [
        ("/files/a%2Fb", "/files/a%2Fb -"), ("/a%00b?c=%00%26+d", "/a%00b c=%00%26+d"), ("/a?", "/a "),
        ("/a?b?c", "/a b?c"), ("//a/../b", "//a/../b -"), ("http://A/a?b", "/a b"),
    ])
    func theRequestTargetStaysPercentEncoded(target: String, expected: String) async throws {
        let server = try HTTPServer.make { .now(.echo(of: $0)) }
        let connection = try RawConnection(port: server.port)
        connection.send("GET \(target) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        #expect(await connection.receiveAll().hasSuffix("GET \(expected)  "))
        await server.stop()
    }

    @Test(arguments: ["GET", "PATCH", "OPTIONS", "PURGE"])
    func requestsOfEveryMethodArrive(method: String) async throws {
        let server = try HTTPServer.make { .now(.echo(of: $0)) }
        let request = HTTPClientRequest(
            method: try #require(HTTPRequest.Method(method)), url: server.url("/"), isRepeatable: true)
        #expect(try await client.send(request).text.hasPrefix(method + " / "))
        await server.stop()
    }

    @Test func repeatedHeadersAreKept() async throws {
        let server = try HTTPServer.make { .now(.echo(of: $0)) }
        let connection = try RawConnection(port: server.port)
        connection.send("GET / HTTP/1.1\r\nX-Echoed: 1\r\nx-echoed: 2\r\nConnection: close\r\n\r\n")
        #expect(await connection.receiveAll().contains("1|2"))
        await server.stop()
    }

    @Test func headResponseHasNoBody() async throws {
        let server = try HTTPServer.make { .now(.text($0.method == .head ? "12345" : "wrong")) }
        let connection = try RawConnection(port: server.port)
        connection.send("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let answer = await connection.receiveAll()
        #expect(answer.contains("Content-Length: 5\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n"))
        await server.stop()
    }

    @Test func urlOf28KilobytesIsAccepted() async throws {
        let server = try HTTPServer.make { .now(.text("\($0.query?.count ?? 0)")) }
        let long = "where=" + String(repeating: "a", count: 28_000)
        let request = HTTPClientRequest(method: .get, url: server.url("/classes/A?" + long), isRepeatable: true)
        #expect(try await client.send(request).text == "28006")
        await server.stop()
    }

    @Test func largeResponseArrivesWhole() async throws {
        let body = [UInt8](repeating: 7, count: 5_000_000)
        let server = try HTTPServer.make { _ in .now(HTTPServerResponse(status: .created, body: body)) }
        let response = try await client.send(
            HTTPClientRequest(method: .get, url: server.url("/"), isRepeatable: true))
        #expect(response.status == .created)
        #expect(response.body == body)
        await server.stop()
    }

    @Test func twoHundredConcurrentRequestsAreHandled() async throws {
        let server = try HTTPServer.make { request in
            request.path.hasSuffix("7") ? .later { .echo(of: request) } : .now(.echo(of: request))
        }
        let client = CurlTransport(configuration: .init(transfersMax: 200))
        try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                group.addTask {
                    let request = HTTPClientRequest(
                        method: .post, url: server.url("/\(number)"), body: Array("\(number)".utf8), isRepeatable: true)
                    let text = try await client.send(request).text
                    #expect(text == "POST /\(number) -  \(number)")
                }
            }
            try await group.waitForAll()
        }
        await server.stop()
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        let server = try HTTPServer.make { request in
            request.path == "/later" ? .later { .text("B") } : .now(.text(request.path == "/a" ? "A" : "C"))
        }
        let connection = try RawConnection(port: server.port)
        connection.send(
            "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /later HTTP/1.1\r\nHost: a\r\n\r\n"
                + "GET /c HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        let bodies = await connection.receiveAll().split(separator: "\r\n\r\n").dropFirst().map(\.first)
        #expect(bodies == ["A", "B", "C"])
        await server.stop()
    }

    @Test(.enabled(if: canListenOnIPv6)) func theServerListensOnIPv6() async throws {
        let server = try HTTPServer.make(.init(host: "::1")) { .now(.text($0.path)) }
        let url = "http://[::1]:\(server.port)/six"
        #expect(try await client.send(HTTPClientRequest(method: .get, url: url, isRepeatable: true)).text == "/six")
        await server.stop()
    }

    private static var canListenOnIPv6: Bool {
        (try? HTTPServer.make(.init(host: "::1")) { _ in .now(.text("")) }) != nil
    }

    @Test func connectionsBeyondTheLimitWait() async throws {
        let server = try HTTPServer.make(.init(threads: 2, connectionsMax: 2)) { .now(.text($0.path)) }
        var connections: [RawConnection] = []
        for name in ["a", "b"] {
            let connection = try RawConnection(port: server.port)
            connection.send("GET /\(name) HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(await connection.receive(until: "\r\n\r\n/\(name)").hasSuffix("/\(name)"))
            connections.append(connection)
        }
        let third = try RawConnection(port: server.port)
        third.send("GET /c HTTP/1.1\r\nHost: a\r\n\r\n")
        connections.removeFirst()
        #expect(await third.receive(until: "\r\n\r\n/c").hasSuffix("/c"))
        await server.stop()
    }
}
