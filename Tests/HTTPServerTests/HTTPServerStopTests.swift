import HTTPClient
import HTTPServer
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(5)))
struct HTTPServerStopTests {
    private let client = CurlTransport()

    @Test func stopLetsPendingResponsesFinish() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let server = try HTTPServer.make { _ in
            .later {
                arrived.open()
                await gate.pass()
                return .text("done")
            }
        }
        async let response = client.send(get(server))
        await arrived.pass()
        async let stopped: Void = server.stop()
        // The stop refuses new connections at once, also while it waits for requests.
        await waitUntilRefused(server)
        gate.open()
        #expect(try await response.text == "done")
        #expect(try await response.headers[.connection] == "close")
        await stopped
    }

    @Test func stopEndsAfterItsGracePeriod() async throws {
        let arrived = Gate()
        let cancelled = Gate()
        let server = try HTTPServer.make { _ in
            .later {
                arrived.open()
                await withTaskCancellationHandler {
                    await cancelled.pass()
                } onCancel: {
                    cancelled.open()
                }
                return .text("too late")
            }
        }
        async let response = client.send(get(server))
        await arrived.pass()
        await server.stop(grace: .zero)
        await cancelled.pass()
        #expect(try await response.status == .serviceUnavailable)
        #expect(try await response.text == "refused")
    }

    @Test func secondStopWaitsForTheFirst() async throws {
        let server = try HTTPServer.make { _ in .now(.text("")) }
        async let first: Void = server.stop()
        async let second: Void = server.stop(grace: .zero)
        _ = await (first, second)
        await server.stop()
        await #expect(throws: HTTPTransportError.self) { try await client.send(get(server)) }
    }

    @Test func stopClosesIdleConnections() async throws {
        let server = try HTTPServer.make { _ in .now(.text("A")) }
        let connection = try RawConnection(port: server.port)
        connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await connection.receive(until: "\r\n\r\nA").hasSuffix("A"))
        await server.stop()
        #expect(await connection.receiveAll() == "")
    }

    @Test func releasedServerCloses() async throws {
        var server: HTTPServer? = try HTTPServer.make { _ in .now(.text("A")) }
        let connection = try RawConnection(port: try #require(server?.port))
        connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await connection.receive(until: "\r\n\r\nA").hasSuffix("A"))
        server = nil
        #expect(await connection.receiveAll() == "")
    }

    @Test func clientCanDisconnectWhileItsResponseIsPending() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let server = try HTTPServer.make { request in
            guard request.path == "/slow" else { return .now(.text("A")) }
            return .later {
                arrived.open()
                await gate.pass()
                return HTTPServerResponse(status: .ok, body: [UInt8](repeating: 0, count: 1_000_000))
            }
        }
        var connection: RawConnection? = try RawConnection(port: server.port)
        connection?.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        await arrived.pass()
        connection = nil
        gate.open()
        #expect(try await client.send(get(server)).text == "A")
        // Returns when no request is in progress, long before the end of the grace period.
        await server.stop()
    }

    @Test func stopUnderLoadRespondsOrCloses() async throws {
        let server = try HTTPServer.make { request in
            request.path == "/later" ? .later { .text("A") } : .now(.text("A"))
        }
        let answered = Gate()
        try await withThrowingTaskGroup { group in
            for number in 0..<16 {
                group.addTask {
                    let url = server.url(number.isMultiple(of: 2) ? "/now" : "/later")
                    do {
                        while true {
                            let request = HTTPClientRequest(method: .get, url: url, isRepeatable: false)
                            let response = try await client.send(request)
                            #expect(["A", "refused"].contains(response.text))
                            answered.open()
                        }
                    } catch is HTTPTransportError {}
                }
            }
            group.addTask {
                await answered.pass()
                await server.stop(grace: .zero)
            }
            try await group.waitForAll()
        }
    }

    @Test func portInUseIsReported() async throws {
        let server = try HTTPServer.make { _ in .now(.text("A")) }
        #expect(throws: HTTPServerError.addressInUse(host: "localhost", port: server.port)) {
            _ = try HTTPServer.make(.init(host: "localhost", port: server.port)) { _ in .now(.text("B")) }
        }
        #expect(try await client.send(get(server)).text == "A")
        await server.stop()
        let again = try HTTPServer.make(.init(port: server.port)) { _ in .now(.text("B")) }
        #expect(try await client.send(get(again)).text == "B")
        await again.stop()
    }

    @Test(arguments: ["example.org", "", "999.1.1.1"])
    func hostMustBeNumeric(host: String) throws {
        #expect {
            _ = try HTTPServer.make(.init(host: host)) { _ in .now(.text("")) }
        } throws: { error in
            guard case .cannotListen(let reason) = error as? HTTPServerError else { return false }
            return reason.hasPrefix("\(host) is not a numeric address")
        }
    }

    private func get(_ server: HTTPServer) -> HTTPClientRequest {
        HTTPClientRequest(method: .get, url: server.url("/"), isRepeatable: true)
    }

    private func waitUntilRefused(_ server: HTTPServer) async {
        while (try? RawConnection(port: server.port)) != nil { await Task.yield() }
    }
}
