import Foundation
import HTTPClient
import HTTPServer
import HTTPTypes
import HeaderNames
import Synchronization

/// A handler that forwards requests to another server.
struct RelayHandler: HTTPHandler {
    /// The origin of the other server: `http://127.0.0.1:1338`.
    let origin: String
    private let transport = CurlTransport()

    init(to origin: String) { self.origin = origin }

    /// The headers that concern a single connection and are not forwarded.
    private static let ofConnection: [HTTPField.Name] =
        ["Host", "Connection", "Content-Length", "Transfer-Encoding", "Accept-Encoding", "Content-Encoding", "Date"]
        .compactMap { HTTPField.Name($0) }

    func handle(_ request: HTTPServerRequest) -> HTTPReply {
        .later {
            let query = request.query.map { "?" + $0 } ?? ""
            let sent = HTTPClientRequest(
                method: request.method, url: origin + request.path + query,
                headers: Self.withoutConnection(request.headers), body: request.body, isRepeatable: false)
            do {
                let answer = try await transport.send(sent)
                return HTTPServerResponse(
                    status: answer.status, headers: Self.withoutConnection(answer.headers), body: answer.body)
            } catch {
                return HTTPServerResponse(status: .badGateway)
            }
        }
    }

    private static func withoutConnection(_ headers: HTTPFields) -> HTTPFields {
        var headers = headers
        for name in ofConnection { headers[name] = nil }
        return headers
    }
}

/// A server that forwards requests to another one. While it is cut, it refuses connections.
final class Relay: Sendable {
    let url: String
    private let handler: RelayHandler
    private let server: Mutex<HTTPServer?>

    init(to origin: String) throws {
        handler = RelayHandler(to: origin)
        let server = try Self.server(handler, port: 0)
        url = "http://127.0.0.1:\(server.port)"
        self.server = Mutex(server)
    }

    func cut() async {
        let running = server.withLock { server in
            defer { server = nil }
            return server
        }
        await running?.stop(grace: .zero)
    }

    /// Accepts connections again, on the same port.
    func restore() throws {
        let running = try Self.server(handler, port: UInt16(url.split(separator: ":").last ?? "") ?? 0)
        server.withLock { $0 = running }
    }

    private static func server(_ handler: RelayHandler, port: UInt16) throws -> HTTPServer {
        let clock = ContinuousClock()
        let start = clock.now
        return try HTTPServer(
            configuration: HTTPServer.Configuration(host: "127.0.0.1", port: port), handler: handler,
            uptime: { clock.now - start }, sleep: { try await Task.sleep(for: $0) },
            refusal: { status, _ in HTTPServerResponse(status: status) })
    }
}
