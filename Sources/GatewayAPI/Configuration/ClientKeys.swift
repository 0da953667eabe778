/// The keys of Parse clients. The text that this value is printed as holds none of them.
package struct ClientKeys: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// Requests of the Parse dialect must name it; nil: any, or none.
    package var applicationId: String?
    /// Clients must send it as one of their keys; nil: any, or none.
    package var restKey: String?
    /// Lifts each restriction for the client that sends it; nil: there is no such key.
    package var masterKey: String?
    /// The remote's. A client with it needs no other key, and has rights on the remote only. Nil where it is not known.
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
