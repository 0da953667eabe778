/// The keys of Parse clients. The printed form of this value contains no key.
package struct ClientKeys: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The application id that requests of the Parse dialect must name; nil to accept any or none.
    package var applicationId: String?
    /// The REST key that clients must send as one of their keys; nil to accept any or none.
    package var restKey: String?
    /// The key that lifts every restriction; nil for no master key.
    package var masterKey: String?
    /// The remote's master key; nil if unknown. A client with it needs no REST key, and has extra rights on the remote only.
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
