import Foundation

/// Creates and binds TCP sockets on 127.0.0.1.
enum SocketAddressing {
    static func makeSocket() -> Int32 {
        #if canImport(Darwin)
            socket(AF_INET, SOCK_STREAM, 0)
        #else
            socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #endif
    }

    /// Binds the socket to a free port, and returns the port.
    /// - Throws: `POSIXError` if no port is free.
    static func bindToFreePort(_ descriptor: Int32) throws -> UInt16 {
        guard withLoopbackAddress(0, { bind(descriptor, $0, $1) }).code == 0 else { throw POSIXError(.EADDRINUSE) }
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        return UInt16(
            bigEndian: withLoopbackAddress(0) { address, _ in
                getsockname(descriptor, address, &length)
            }.address.sin_port)
    }

    /// Calls `body` with the address 127.0.0.1 and a port.
    static func withLoopbackAddress(
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
