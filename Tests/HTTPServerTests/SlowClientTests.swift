import HTTPServer
import HTTPTypes
import Synchronization
import Testing

/// Clients that send or read slowly, stay silent, or disconnect.
@Suite("Slow clients", .timeLimit(.minutes(5)))
struct SlowClientTests {
    /// A virtual clock that moves only by `pass`.
    private final class Clock: Sendable {
        private let time = Mutex(Duration.seconds(1000))
        var uptime: @Sendable () -> Duration { { self.time.withLock { $0 } } }

        func pass(_ duration: Duration) { time.withLock { $0 += duration } }
    }

    private let clock = Clock()

    private func server(
        _ configuration: HTTPServer.Configuration = .init(threads: 2),
        _ handle: @escaping @Sendable (HTTPServerRequest) -> HTTPReply = { .now(.text($0.path)) }
    ) throws -> HTTPServer { try HTTPServer.make(configuration, uptime: clock.uptime, handle) }

    private func ask(_ path: String, _ server: HTTPServer) async throws -> String {
        let connection = try RawConnection(port: server.port)
        connection.send("GET \(path) HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        return await connection.receiveAll()
    }

    @Test(arguments: [
        "", "GET / HT", "GET / HTTP/1.1\r\nHost: a\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
    ])
    func connectionWithIncompleteRequestIsClosedAfterItsTimeLimit(_ text: String) async throws {
        let server = try server()
        let connection = try RawConnection(port: server.port)
        connection.send(text)
        // Each polling thread answers one of these requests. Afterwards all earlier bytes have been read.
        for _ in 0..<4 { #expect(try await ask("/a", server).hasSuffix("/a")) }
        clock.pass(.seconds(31))
        let answer = await connection.receiveAll()
        #expect(answer == "" || text.hasPrefix("GET") && answer.hasPrefix("HTTP/1.1 408 "))
        await server.stop()
    }

    @Test func connectionWithBodyAboveTheMinimumRateIsNotClosed() async throws {
        let server = try server(.init(threads: 2)) { .now(.text("\($0.body.count)")) }
        let connection = try RawConnection(port: server.port)
        let piece = String(repeating: "a", count: 1 << 20)
        connection.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(2 << 20)\r\n\r\n" + piece)
        for _ in 0..<4 { #expect(try await ask("/a", server).hasSuffix("0")) }
        clock.pass(.seconds(60))
        connection.send(piece)
        #expect(await connection.receive(until: "\(2 << 20)").hasSuffix("\(2 << 20)"))
        await server.stop()
    }

    @Test(arguments: [
        "", "GET / HTTP/1.1\r\nHost: a\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc",
        "GET /idle HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
    func inactiveConnectionsAreClosedAtTheConnectionLimit(_ text: String) async throws {
        // The idle time-out never passes, so a connection ends only if the server closes it at the limit.
        let server = try server(.init(threads: 2, connectionsMax: 4, idleTimeout: .seconds(1_000_000)))
        let slow = try (0..<4).map { _ in
            let connection = try RawConnection(port: server.port)
            connection.send(text)
            return connection
        }
        let ticking = Task { [clock] in
            // The grace period of a new body is one second.
            while !Task.isCancelled {
                clock.pass(.milliseconds(10))
                await Task.yield()
            }
        }
        for _ in 0..<20 { #expect(try await ask("/a", server).hasSuffix("/a")) }
        ticking.cancel()
        _ = slow
        await server.stop()
    }

    @Test func connectionsWithIncompleteHeadsDoNotCountTowardTheLimit() async throws {
        let server = try server(.init(threads: 2, connectionsMax: 1))
        let slow = try (0..<600).map { number in
            let connection = try RawConnection(port: server.port)
            connection.send(String("GET / HTTP/1.1\r\nHost: a\r\n".prefix(number % 27)))
            return connection
        }
        for _ in 0..<20 { #expect(try await ask("/a", server).hasSuffix("/a")) }
        // The oldest connections are closed, and the newest are still open.
        #expect(await slow[0].receiveAll() == "")
        slow[599].send("\r\n\r\n\r\n")
        #expect(await slow[599].receive(until: "HTTP/1.1 ").hasPrefix("HTTP/1.1 "))
        await server.stop()
    }

    @Test func headSentByteByByteIsAnswered() async throws {
        let server = try server()
        let connection = try RawConnection(port: server.port)
        for letter in "\r\nGET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".unicodeScalars {
            connection.send(String(letter))
            await Task.yield()
        }
        #expect(await connection.receiveAll().hasSuffix("/slow"))
        await server.stop()
    }

    @Test func connectionOfARequestInTheHandlerIsNotClosed() async throws {
        let gate = Gate()
        let arrived = Gate()
        let server = try server(.init(threads: 2, connectionsMax: 2)) { request in
            guard request.path == "/work" else { return .now(.text(request.path)) }
            return .later {
                arrived.open()
                await gate.pass()
                return .text("worked")
            }
        }
        let worker = try RawConnection(port: server.port)
        worker.send("GET /work HTTP/1.1\r\nHost: a\r\n\r\n")
        await arrived.pass()
        for _ in 0..<5 { #expect(try await ask("/a", server).hasSuffix("/a")) }
        clock.pass(.seconds(10_000))
        for _ in 0..<5 { #expect(try await ask("/a", server).hasSuffix("/a")) }
        gate.open()
        #expect(await worker.receive(until: "worked").hasSuffix("worked"))
        await server.stop()
    }

    @Test func unreadResponsesShareAMemoryBudget() async throws {
        let large = [UInt8](repeating: 97, count: 30 << 20)
        let configuration = HTTPServer.Configuration(
            threads: 2, idleTimeout: .seconds(3600), answerBytesInFlightMax: 40 << 20)
        let server = try server(configuration) { request in
            .now(request.path == "/large" ? HTTPServerResponse(status: .ok, body: large) : .text(request.path))
        }
        let idle = try RawConnection(port: server.port)
        idle.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await idle.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        // The budget has no room for a second large response; small responses need no reservation.
        #expect(try await ask("/large", server).hasPrefix("HTTP/1.1 503 "))
        #expect(try await ask("/small", server).hasSuffix("/small"))
        clock.pass(.seconds(5))
        #expect(try await ask("/large", server).hasPrefix("HTTP/1.1 503 "))
        // The connection with the unread response was closed to free memory.
        while true {
            let answer = try await ask("/large", server)
            guard answer.hasPrefix("HTTP/1.1 503 ") else {
                #expect(answer.utf8.count > large.count)
                break
            }
        }
        #expect(await idle.receiveAll().utf8.count < large.count)
        await server.stop()
    }

    @Test func connectionWithSlowlyReadResponseIsClosed() async throws {
        let large = [UInt8](repeating: 97, count: 30 << 20)
        let server = try server { _ in .now(HTTPServerResponse(status: .ok, body: large)) }
        let idle = try RawConnection(port: server.port)
        idle.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(await idle.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
        clock.pass(.seconds(31 + 30 * 64))
        #expect(await idle.receiveAll().utf8.count < large.count)
        await server.stop()
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\nHost: a\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc",
        "GET /idle HTTP/1.1\r\nHost: a\r\n\r\n",
    ])
    func endOfTheClientsInputIsDetectedAtOnce(_ text: String) async throws {
        let server = try HTTPServer.make(.init(threads: 2, idleTimeout: .seconds(3600))) { .now(.text($0.path)) }
        let connection = try RawConnection(port: server.port)
        connection.send(text)
        connection.endSending()
        let answer = await connection.receiveAll()
        #expect(text.contains("idle") ? answer.hasSuffix("/idle") : answer == "")
        await server.stop()
    }

    @Test func handlerSeesThatItsClientHasDisconnected() async throws {
        let (arrived, noticed) = (Gate(), Gate())
        let server = try HTTPServer.make { request in
            .later {
                arrived.open()
                while !request.client.hasDisconnected { await Task.yield() }
                noticed.open()
                return .text("too late")
            }
        }
        var connection: RawConnection? = try RawConnection(port: server.port)
        connection?.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        await arrived.pass()
        connection = nil
        await noticed.pass()
        await server.stop()
    }

    @Test func clientWithClosedSendingSideGetsItsResponse() async throws {
        let (arrived, gate) = (Gate(), Gate())
        let server = try HTTPServer.make { request in
            .later {
                arrived.open()
                await gate.pass()
                while !request.client.hasDisconnected { await Task.yield() }
                return .text("answered")
            }
        }
        let connection = try RawConnection(port: server.port)
        connection.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        connection.endSending()
        await arrived.pass()
        gate.open()
        #expect(await connection.receiveAll().hasSuffix("answered"))
        await server.stop()
    }

    @Test func streamOverTheMemoryBudgetEnds() async throws {
        final class LargePieces: HTTPBodyStream {
            func next() -> HTTPBodyPiece { .bytes([UInt8](repeating: 97, count: 1 << 20)) }
            func setWaker(_ wake: @escaping @Sendable () -> Void) {}
            func closed() {}
        }
        let server = try server(.init(threads: 2, answerBytesInFlightMax: 1 << 19)) { _ in
            .now(HTTPServerResponse(status: .ok, content: .stream(LargePieces())))
        }
        #expect(try await ask("/stream", server).utf8.count < 10_000)
        await server.stop()
    }
}
