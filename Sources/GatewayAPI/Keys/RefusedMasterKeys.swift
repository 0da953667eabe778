import HTTPServer
import Logging
import Synchronization

/// Logs the addresses from which a master key was refused, each once.
final class RefusedMasterKeys: Sendable {
    private let logger: Logger
    private let known = Mutex<Set<IPAddress>>([])
    /// The largest number of logged addresses. An attacker with many addresses cannot fill the log or the memory.
    private static let addressesMax = 256

    init(logger: Logger) { self.logger = logger }

    func note(_ address: IPAddress) {
        let isNew = known.withLock { $0.count < Self.addressesMax && $0.insert(address).inserted }
        guard isNew else { return }
        logger.error(
            """
            a master key was refused because it came from \(address); \
            --local-master-key-ips \(address) (TIDEGATE_LOCAL_MASTER_KEY_IPS) would allow it
            """)
    }
}
