import Foundation
import Synchronization

/// A server that answers each connection by a script, byte for byte.
final class RawServer: Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let accepted = Atomic(0)
    private let isClosing = Atomic(false)

    /// Connections so far.
    var connections: Int { accepted.load(ordering: .acquiring) }

    /// - Parameter script: runs once for each connection, on a thread of its own; at its end the connection closes.
    init(_ script: @escaping @Sendable (RawPeer) -> Void) throws {
        descriptor = Self.makeSocket()
        port = try Self.bindToFreePort(descriptor)
        guard listen(descriptor, SOMAXCONN) == 0 else { throw POSIXError(.EINVAL) }
        Thread { [self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0, !isClosing.load(ordering: .acquiring) else { break }
                accepted.add(1, ordering: .releasing)
                Thread { script(RawPeer(descriptor: connection)) }.start()
            }
            Foundation.close(descriptor)
        }.start()
    }

    /// A port on which nobody listens, and nobody else can for the rest of the run.
    static func closedPort() throws -> UInt16 {
        try bindToFreePort(makeSocket())
    }

    func url(_ target: String, scheme: String = "http") -> String { "\(scheme)://127.0.0.1:\(port)\(target)" }

    /// Accepts nothing more. The accepting thread closes the socket, which it might otherwise use while its number
    /// already belongs to another one.
    func close() {
        isClosing.store(true, ordering: .releasing)
        let waker = Self.makeSocket()
        _ = Self.withLoopbackAddress(port) { connect(waker, $0, $1) }
        Foundation.close(waker)
    }

    private static func makeSocket() -> Int32 {
        #if canImport(Darwin)
            socket(AF_INET, SOCK_STREAM, 0)
        #else
            socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
    }

    private static func bindToFreePort(_ descriptor: Int32) throws -> UInt16 {
        guard withLoopbackAddress(0, { bind(descriptor, $0, $1) }).code == 0 else { throw POSIXError(.EADDRINUSE) }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return UInt16(
            bigEndian: withLoopbackAddress(0) { address, _ in
                getsockname(descriptor, address, &length)
            }.address.sin_port)
    }

    private static func withLoopbackAddress(
        _ port: UInt16, _ body: (UnsafeMutablePointer<sockaddr>, socklen_t) -> Int32
    ) -> (code: Int32, address: sockaddr_in) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let code = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return (code, address)
    }
}

/// The server's side of one connection. Its waits end after 20 s.
final class RawPeer: Sendable {
    private let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
        var limit = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        Foundation.close(descriptor)
    }

    /// Request line, headers and as much of the body as came with them; nil when the client has left.
    func receiveRequest() -> String? {
        var received = ""
        while !received.contains("\r\n\r\n") {
            guard let piece = receive() else { return nil }
            received += piece
        }
        return received
    }

    /// Whatever comes next; nil at the end.
    func receive() -> String? {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    func send(_ text: String) {
        send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        _ = Foundation.send(descriptor, bytes, bytes.count, flags)
    }

    /// Answers every request with 200 and `body` until the client leaves.
    func serve(_ body: String = "ok") {
        while receiveRequest() != nil { send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)") }
    }
}
