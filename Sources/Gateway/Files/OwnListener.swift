import HTTPClient
import Synchronization

/// Keeps the gateway's own listening address. The gateway downloads no file from itself, whichever host name or IP
/// address the file's URL contains.
final class OwnListener: Sendable {
    private let address = Mutex<SocketAddress?>(nil)

    /// Sets the gateway's listening address.
    /// - Parameter host: an IP address; `0.0.0.0` or `::` for all interfaces.
    func listens(at host: String, port: UInt16) {
        address.withLock { $0 = SocketAddress(host, port: port)?.unmapped }
    }

    func hasAddress(_ other: SocketAddress) -> Bool {
        guard let own = address.withLock({ $0 }), own.port == other.port else { return false }
        let other = other.unmapped
        // A connection to the unspecified address (`0.0.0.0` or `::`) reaches this machine.
        if own.bytes == other.bytes || other.isUnspecified { return true }
        return own.isUnspecified && (other.isLoopback || SocketAddress.localInterfaceAddresses().contains(other.bytes))
    }
}
