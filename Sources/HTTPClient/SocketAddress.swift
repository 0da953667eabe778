import Foundation

/// An IP address and a port.
package struct SocketAddress: Sendable, Hashable {
    /// The IP address: 4 bytes for IPv4 or 16 bytes for IPv6, in network byte order.
    package let bytes: [UInt8]
    package let port: UInt16

    package init(bytes: [UInt8], port: UInt16) {
        self.bytes = bytes
        self.port = port
    }

    /// Reads a `sockaddr_in` or a `sockaddr_in6`.
    /// - Returns: nil for any other address family, and if `byteCount` is too small.
    init?(_ address: UnsafeRawPointer, byteCount: Int) {
        guard byteCount >= MemoryLayout<sockaddr_in>.size else { return nil }
        switch Int32(address.loadUnaligned(as: sockaddr.self).sa_family) {
        case AF_INET:
            let known = address.loadUnaligned(as: sockaddr_in.self)
            self.init(bytes: withUnsafeBytes(of: known.sin_addr) { Array($0) }, port: UInt16(bigEndian: known.sin_port))
        case AF_INET6 where byteCount >= MemoryLayout<sockaddr_in6>.size:
            let known = address.loadUnaligned(as: sockaddr_in6.self)
            self.init(
                bytes: withUnsafeBytes(of: known.sin6_addr) { Array($0) }, port: UInt16(bigEndian: known.sin6_port))
        default: return nil
        }
    }

    /// Reads the address of a `sockaddr`.
    /// - Returns: nil if the address is neither IPv4 nor IPv6.
    init?(_ address: UnsafeMutablePointer<sockaddr>) {
        let isLong = Int32(address.pointee.sa_family) == AF_INET6
        self.init(
            UnsafeRawPointer(address),
            byteCount: isLong ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size)
    }

    /// Reads a numeric address.
    /// - Parameter text: an address such as `192.0.2.1` or `2001:db8::1`, without brackets.
    /// - Returns: nil for any other text, such as a host name.
    package init?(_ text: String, port: UInt16) {
        var four = in_addr()
        var sixteen = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(bytes: withUnsafeBytes(of: four) { Array($0) }, port: port)
        } else if inet_pton(AF_INET6, text, &sixteen) == 1 {
            self.init(bytes: withUnsafeBytes(of: sixteen) { Array($0) }, port: port)
        } else {
            return nil
        }
    }

    /// The IPv4 address inside an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`). Any other address is returned unchanged.
    package var unmapped: SocketAddress {
        guard bytes.count == 16, bytes.prefix(10).allSatisfy({ $0 == 0 }), bytes[10...11].allSatisfy({ $0 == 0xFF })
        else { return self }
        return SocketAddress(bytes: Array(bytes[12...]), port: port)
    }

    /// Whether this is the unspecified address, `0.0.0.0` or `::`.
    package var isUnspecified: Bool { bytes.allSatisfy { $0 == 0 } }

    /// Whether this is a loopback address, `127.0.0.0/8` or `::1`.
    package var isLoopback: Bool {
        bytes.count == 4 ? bytes[0] == 127 : bytes.last == 1 && bytes.dropLast().allSatisfy { $0 == 0 }
    }

    /// The address as text, without the port, as ``init(_:port:)`` accepts it.
    package var host: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = bytes.count == 4 ? AF_INET : AF_INET6
        guard bytes.withUnsafeBytes({ inet_ntop(family, $0.baseAddress, &text, socklen_t(text.count)) }) != nil else {
            return "?"
        }
        return text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "?" }
    }
}
