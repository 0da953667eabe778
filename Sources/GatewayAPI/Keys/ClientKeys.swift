import HTTPServer

/// The application id and the keys that `KeyCheck` accepts. The printed form of this value contains no key.
package struct ClientKeys: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The only application id that a request may name; nil to accept any.
    package var applicationId: String?
    /// The client keys, by kind of client. If there is none, requests need no client key. Otherwise each request needs
    /// the key of its kind. If the REST key is the only one, it counts for all kinds.
    package var clients: [ClientKind: String]
    /// This gateway's master key; nil for none. A request with this key has the master principal.
    package var masterKey: String?
    /// The read-only master key; nil for none. A request with this key reads like one with the master key, and cannot write.
    package var readOnlyMasterKey: String?
    /// The maintenance key; nil for none. A request with this key reads and writes all objects.
    package var maintenanceKey: String?
    /// The networks besides loopback whose clients may use the master key, the read-only master key and the maintenance key.
    package var masterKeyNetworks: [IPNetwork] = []
    /// The remote's master key; nil if unknown. A client with this key needs no client key. The key gives extra rights only on the
    /// remote.
    package var remoteMasterKey: String?

    package init(
        applicationId: String? = nil, clients: [ClientKind: String] = [:], masterKey: String? = nil,
        remoteMasterKey: String? = nil
    ) {
        self.remoteMasterKey = remoteMasterKey
        self.applicationId = applicationId
        self.clients = clients
        self.masterKey = masterKey
    }

    package var description: String { "Keys of \(applicationId ?? "any application")" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
