/// The keys of Parse clients. The printed form of this value contains no key.
package struct ClientKeys: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The application id that requests to routes of Parse Server must name; nil to accept any or none.
    package var applicationId: String?
    /// The key that clients must send as a client key of any kind (REST, JavaScript and so on); nil to accept any or none.
    package var restKey: String?
    /// This gateway's master key, which lifts every restriction; nil for none.
    package var masterKey: String?
    /// The remote's master key; nil if unknown. A client with this key needs no REST key, and has extra rights on the remote
    /// only.
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
