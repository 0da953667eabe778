import Foundation

extension SocketAddress {
    /// The IP addresses (4 or 16 bytes in network order) of this machine's interfaces; empty if `getifaddrs` fails.
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
