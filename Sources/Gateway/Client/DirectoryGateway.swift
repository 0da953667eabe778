import StoreService

/// The gateway of a data directory.
package enum DirectoryGateway {
    /// A gateway runs, and answers at the address.
    case running(GatewayAddress)
    /// No gateway runs, or it has no address yet. The store of a gateway without an address cannot be opened.
    case stopped

    package init(in directory: String, stores: any StoreKind) {
        // Asks only with an address: the question takes the lock for a moment, and a gateway that starts would miss it.
        if let address = AddressFile(in: directory).address, stores.isInUse(directory) {
            self = .running(address)
        } else {
            self = .stopped
        }
    }
}
