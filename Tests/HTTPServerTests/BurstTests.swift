import Dispatch
import HTTPServer
import Synchronization
import Testing

/// Tests bursts of connections and of requests on open connections. The threads of libmicrohttpd ask for at most 128
/// events at a time, and must not wait for further events after a larger burst. The bursts are small: other tests
/// start processes, and Foundation reads beyond its buffer while it lists over a thousand open descriptors.
@Suite(.serialized)
struct BurstTests {
    /// Blocks the threads that handle requests, so that a burst reaches each of them as a whole.
    private final class Barrier: Sendable {
        private let entered = DispatchSemaphore(value: 0)
        private let opened = DispatchSemaphore(value: 0)

        func hold() {
            entered.signal()
            opened.wait()
        }

        func waitForOne() { entered.wait() }
        func open(for count: Int) { for _ in 0..<count { opened.signal() } }
    }

    private static func server(_ barrier: Barrier, threads: Int = 2, connectionsMax: Int = 1024) throws -> HTTPServer {
        try HTTPServer.make(.init(threads: threads, connectionsMax: connectionsMax)) { request in
            if request.path == "/hold" { barrier.hold() }
            return .now(.text("done"))
        }
    }

    private static let request = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

    /// Opens connections until both threads of the server wait in `hold`. A waiting thread takes no further
    /// connection.
    private static func holdBoth(_ server: HTTPServer, _ barrier: Barrier) throws -> [RawConnection] {
        var holding: [RawConnection] = []
        for path in ["/hold", "/hold"] {
            let connection = try RawConnection(port: server.port)
            connection.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            holding.append(connection)
            // libmicrohttpd chooses the thread by the number of the socket. Waiting here keeps the numbers such that
            // each thread gets one connection.
            if holding.count == 1 { barrier.waitForOne() }
        }
        return holding
    }

    /// Waits until the accepting thread has passed all earlier connections to libmicrohttpd. The accepting thread
    /// itself answers a malformed head. Its second answer comes after it has passed the earlier connections on.
    private static func waitUntilHandedOver(_ server: HTTPServer) async throws {
        for _ in 0..<2 {
            let marker = try RawConnection(port: server.port)
            marker.send("GET\r\n\r\n")
            #expect(await marker.receive(until: "refused").contains("400"))
        }
    }

    @Test(arguments: [128, 256])
    func burstOfConnectionsIsAnsweredAtOnce(count: Int) async throws {
        let barrier = Barrier()
        let server = try Self.server(barrier)
        let holding = try Self.holdBoth(server, barrier)
        let clients = try (0..<count).map { _ in try RawConnection(port: server.port) }
        for client in clients { client.send(Self.request) }
        try await Self.waitUntilHandedOver(server)
        barrier.open(for: 2)
        for client in clients { #expect(await client.receive(until: "done").hasSuffix("done")) }
        withExtendedLifetime(holding) {}
        await server.stop()
    }

    @Test(arguments: [128, 256])
    func burstOfRequestsOnOpenConnectionsIsAnsweredAtOnce(count: Int) async throws {
        let barrier = Barrier()
        let server = try Self.server(barrier)
        let clients = try (0..<count).map { _ in try RawConnection(port: server.port) }
        for client in clients {
            client.send(Self.request)
            #expect(await client.receive(until: "done").hasSuffix("done"))
        }
        let holding = try Self.holdBoth(server, barrier)
        for client in clients { client.send(Self.request) }
        barrier.open(for: 2)
        for client in clients { #expect(await client.receive(until: "done").hasSuffix("done")) }
        withExtendedLifetime(holding) {}
        await server.stop()
    }

    @Test func burstBeyondTheConnectionLimitIsAnsweredAtOnce() async throws {
        let barrier = Barrier()
        let server = try Self.server(barrier, connectionsMax: 130)
        let holding = try Self.holdBoth(server, barrier)
        let clients = try (0..<200).map { _ in try RawConnection(port: server.port) }
        for client in clients { client.send(Self.request) }
        barrier.open(for: 2)
        for client in clients { #expect(await client.receive(until: "done").hasSuffix("done")) }
        withExtendedLifetime(holding) {}
        await server.stop()
    }

    /// The only thread has two connections and handles the request of the first. The request of the second has
    /// arrived, but the thread has not read it. Two further connections need room.
    @Test func connectionWithUnreadRequestIsNotClosedToMakeRoom() async throws {
        let barrier = Barrier()
        let server = try Self.server(barrier, threads: 1, connectionsMax: 3)
        func hold(_ field: String = "") throws -> RawConnection {
            let connection = try RawConnection(port: server.port)
            connection.send("GET /hold HTTP/1.1\r\nHost: a\r\n\(field)\r\n")
            return connection
        }
        let first = try hold("Connection: close\r\n")
        barrier.waitForOne()
        let started = [try hold(), try hold()]
        try await Self.waitUntilHandedOver(server)
        barrier.open(for: 1)
        barrier.waitForOne()
        let late = [try hold(), try hold()]
        try await Self.waitUntilHandedOver(server)
        barrier.open(for: 4)
        for client in [first] + started + late { #expect(await client.receive(until: "done").hasSuffix("done")) }
        await server.stop()
    }
}
