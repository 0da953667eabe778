import Foundation

/// An IPv6 address, or an IPv4 address in its IPv4-mapped form (`::ffff:10.0.0.1`).
package struct IPAddress: Sendable, Hashable, CustomStringConvertible {
    /// The first eight bytes of the address, as a number.
    let high: UInt64
    /// The last eight bytes of the address, as a number.
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// `127.0.0.1`.
    package static let loopback = IPAddress(ipv4: 0x7F00_0001)
    /// `::`, the address of a client whose address is unknown.
    static let unknown = IPAddress(high: 0, low: 0)

    private static let ipv4Prefix: UInt64 = 0xFFFF << 32

    private init(ipv4: UInt32) { self.init(high: 0, low: Self.ipv4Prefix | UInt64(ipv4)) }

    /// Reads an address such as `10.0.0.1` or `fd00::1`. Returns nil for any other text.
    package init?(_ text: String) {
        var ipv4 = in_addr()
        if inet_pton(AF_INET, text, &ipv4) == 1 {
            self.init(ipv4: UInt32(bigEndian: ipv4.s_addr))
            return
        }
        var ipv6 = in6_addr()
        guard inet_pton(AF_INET6, text, &ipv6) == 1 else { return nil }
        self.init(ipv6)
    }

    private init(_ address: in6_addr) {
        let (high, low) = withUnsafeBytes(of: address) { bytes in
            (
                bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            )
        }
        self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }

    /// The address of the peer of a connected socket; `unknown` if the socket has none.
    init(ofPeer descriptor: Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        guard result == 0 else {
            self = .unknown
            return
        }
        switch Int32(storage.ss_family) {
        case AF_INET:
            let address = withUnsafeBytes(of: storage) { $0.loadUnaligned(as: sockaddr_in.self) }
            self.init(ipv4: UInt32(bigEndian: address.sin_addr.s_addr))
        case AF_INET6:
            self.init(withUnsafeBytes(of: storage) { $0.loadUnaligned(as: sockaddr_in6.self) }.sin6_addr)
        default: self = .unknown
        }
    }

    var isIPv4: Bool { high == 0 && low & ~0xFFFF_FFFF == Self.ipv4Prefix }

    /// Whether the address is in `127.0.0.0/8`, or is `::1`.
    package var isLoopback: Bool { isIPv4 ? (low >> 24) & 0xFF == 127 : high == 0 && low == 1 }

    package var description: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        if isIPv4 {
            var address = in_addr(s_addr: UInt32(truncatingIfNeeded: low).bigEndian)
            inet_ntop(AF_INET, &address, &text, socklen_t(text.count))
        } else {
            var parts = (high.bigEndian, low.bigEndian)
            inet_ntop(AF_INET6, &parts, &text, socklen_t(text.count))
        }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
