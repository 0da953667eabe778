import StoreService

/// The gateway of a data directory.
package enum DirectoryGateway {
    /// A gateway runs, and answers at the URL.
    case running(url: String)
    /// No gateway runs, or it has no address yet. The store of a gateway without an address cannot be opened.
    case stopped

    package init(in directory: String, stores: any StoreKind) {
        // Asks only with an address: the question takes the lock for a moment, and a gateway that starts would miss it.
        if let url = AddressFile(in: directory).url, stores.isInUse(directory) {
            self = .running(url: url)
        } else {
            self = .stopped
        }
    }
}
