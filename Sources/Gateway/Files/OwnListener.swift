import HTTPClient
import Synchronization

/// Where this gateway itself listens: it fetches no file from there, under any name of the address.
final class OwnListener: Sendable {
    private let address = Mutex<SocketAddress?>(nil)

    /// - Parameter host: an IP address; `0.0.0.0` or `::` for all of this machine's.
    func listens(at host: String, port: UInt16) {
        address.withLock { $0 = SocketAddress(host, port: port)?.unmapped }
    }

    func hasAddress(_ other: SocketAddress) -> Bool {
        guard let own = address.withLock({ $0 }), own.port == other.port else { return false }
        let other = other.unmapped
        // To connect to no address is to connect to this machine.
        if own.bytes == other.bytes || other.isUnspecified { return true }
        return own.isUnspecified && (other.isLoopback || SocketAddress.localInterfaceAddresses().contains(other.bytes))
    }
}
