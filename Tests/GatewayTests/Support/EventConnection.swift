import Foundation

/// A client of `GET /changes` over a socket. Its waits end after 60 s without a byte, and after five minutes of heartbeats,
/// so that a broken server fails a test.
///
/// It uses HTTP/1.0, whose answers of unknown length are not chunked.
final class EventConnection: @unchecked Sendable {
    // One read at a time: each test awaits a read before it starts another.
    private let descriptor: Int32
    private var received = Data()

    init(port: UInt16, _ query: String = "", lastEventID: Int? = nil, token: String? = nil) throws {
        #if canImport(Darwin)
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #else
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let code = withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { throw POSIXError(.ECONNREFUSED) }
        let last = lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
        let session = token.map { "X-Parse-Session-Token: \($0)\r\n" } ?? ""
        let request =
            "GET /changes\(query) HTTP/1.0\r\nHost: localhost\r\nAccept: text/event-stream\r\n\(last)\(session)\r\n"
        _ = request.withCString { send(descriptor, $0, strlen($0), 0) }
    }

    deinit { close(descriptor) }

    /// Reads until `text` has arrived, or until the connection closes.
    /// - Returns: everything that has arrived.
    @discardableResult
    func read(until text: String) async -> String {
        let wanted = Data(text.utf8)
        return await read { $0.suffix($1 + wanted.count).range(of: wanted) != nil }
    }

    /// Reads until the server closes the connection.
    func readAll() async -> String { await read { _, _ in false } }

    /// The numbers of the changes in a text.
    static func numbers(_ text: String) -> [Int] {
        text.matches(of: #/id: (\d+)\nevent: change\n/#).compactMap { Int($0.1) }
    }

    /// Reads on a thread outside the pool of Swift tasks, because reading blocks.
    /// - Parameter isEnough: receives the text so far, and the length of its new part.
    private func read(until isEnough: @escaping @Sendable (Data, Int) -> Bool) async -> String {
        await withCheckedContinuation { continuation in
            let thread = Thread { [self] in
                var buffer = [UInt8](repeating: 0, count: 65536)
                var count = received.count
                let end = ContinuousClock.now + .seconds(300)
                while !isEnough(received, count), ContinuousClock.now < end {
                    count = recv(descriptor, &buffer, buffer.count, 0)
                    guard count > 0 else { break }
                    received += buffer[..<count]
                }
                continuation.resume(returning: String(decoding: received, as: UTF8.self))
            }
            thread.start()
        }
    }
}
