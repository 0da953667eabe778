import Foundation
import Synchronization

/// A TCP server that runs a script for each connection and sends its bytes unchanged.
final class RawServer: Sendable {
    let port: UInt16
    private let descriptor: Int32
    private let accepted = Atomic(0)
    private let isClosing = Atomic(false)

    /// The number of connections accepted so far.
    var connections: Int { accepted.load(ordering: .acquiring) }

    /// - Parameter script: runs once for each connection on its own thread. The connection closes at its end.
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

    /// A port without a listener. The port stays reserved for the rest of the test run, so no other server gets it.
    static func closedPort() throws -> UInt16 {
        try bindToFreePort(makeSocket())
    }

    func url(_ target: String, scheme: String = "http") -> String { "\(scheme)://127.0.0.1:\(port)\(target)" }

    /// Stops accepting. The accepting thread itself closes the socket, because its descriptor number could be reused
    /// while `accept` still runs on it.
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

/// The server side of one connection. Each wait times out after 60 s.
final class RawPeer: Sendable {
    private let descriptor: Int32

    init(descriptor: Int32) {
        self.descriptor = descriptor
        var limit = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        Foundation.close(descriptor)
    }

    /// The request line, the headers and the part of the body received with them; nil if the client has disconnected.
    func receiveRequest() -> String? {
        var received = ""
        while !received.contains("\r\n\r\n") {
            guard let piece = receive() else { return nil }
            received += piece
        }
        return received
    }

    /// The next received bytes; nil at the end of the input.
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

    /// Responds to every request with status 200 and `body` until the client disconnects.
    func serve(_ body: String = "ok") {
        while receiveRequest() != nil { send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)") }
    }
}
