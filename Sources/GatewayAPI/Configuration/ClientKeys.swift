/// The application id and the keys that `KeyCheck` accepts. The printed form of this value contains no key.
package struct ClientKeys: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The only application id that a request may name; nil to accept any.
    package var applicationId: String?
    /// The REST key. Client keys of all kinds (REST, JavaScript and so on) are compared with this key. Nil to accept any or none.
    package var restKey: String?
    /// This gateway's master key; nil for none. A request with this key has the master principal.
    package var masterKey: String?
    /// The remote's master key; nil if unknown. A client with this key needs no REST key. The key gives extra rights only on the
    /// remote.
    package var remoteMasterKey: String?

    package init(
        applicationId: String? = nil, restKey: String? = nil, masterKey: String? = nil,
        remoteMasterKey: String? = nil
    ) {
        self.remoteMasterKey = remoteMasterKey
        self.applicationId = applicationId
        self.restKey = restKey
        self.masterKey = masterKey
    }

    package var description: String { "Keys of \(applicationId ?? "any application")" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
