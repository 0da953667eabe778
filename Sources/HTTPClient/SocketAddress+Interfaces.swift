import Foundation

extension SocketAddress {
    /// The addresses of this machine's network interfaces: 4 or 16 bytes each, in network byte order.
    package static func localInterfaceAddresses() -> Set<[UInt8]> {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var known: Set<[UInt8]> = []
        var next = first
        while let interface = next {
            if let address = interface.pointee.ifa_addr, let read = SocketAddress(address) { known.insert(read.bytes) }
            next = interface.pointee.ifa_next
        }
        return known
    }
}
