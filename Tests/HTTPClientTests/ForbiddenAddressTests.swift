import HTTPClient
import HTTPTypes
import Synchronization
import Testing

/// The `mayConnect` check of a request applies to the address of the actual connection.
@Suite(.timeLimit(.minutes(5)))
struct ForbiddenAddressTests {
    private let client = CurlTransport()

    private func get(
        _ url: String, _ mayConnect: @escaping @Sendable (SocketAddress) -> Bool
    ) async throws -> HTTPClientResponse {
        try await client.send(
            HTTPClientRequest(method: .get, url: url, isRepeatable: true, mayConnect: mayConnect, mayUseProxy: false))
    }

    @Test(arguments: ["127.0.0.1", "localhost", "127.1", "0x7f000001"])
    func rejectedAddressIsNotConnectedTo(_ host: String) async throws {
        let server = try RawServer { $0.serve() }
        defer { server.close() }
        let error = await #expect(throws: HTTPTransportError.self) {
            try await get("http://\(host):\(server.port)/") { $0.isPublic }
        }
        guard case .forbidden(let address) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(["127.0.0.1", "::1"].contains(address))
        #expect(server.connections == 0)
    }

    @Test func connectionCheckReceivesAddressAndPort() async throws {
        let server = try RawServer { $0.serve() }
        defer { server.close() }
        let asked = Mutex<[SocketAddress]>([])
        let response = try await get(server.url("/")) { address in
            asked.withLock { $0.append(address) }
            return true
        }
        #expect(response.status == .ok)
        #expect(asked.withLock { $0 } == [SocketAddress("127.0.0.1", port: server.port)])
    }

    @Test func unreachableServerIsNotReportedAsForbidden() async throws {
        let port = try RawServer.closedPort()
        await #expect {
            try await get("http://127.0.0.1:\(port)/") { _ in true }
        } throws: { error in
            if case HTTPTransportError.notSent = error { true } else { false }
        }
    }
}
