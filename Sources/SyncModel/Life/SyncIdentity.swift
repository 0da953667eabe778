/// The identity under which a sync sends and reads at the remote: the gateway, or an author. Steps, pulls, cursors and proofs
/// belong to one identity. The view of an object is the same for all identities.
package struct SyncIdentity: Sendable, Hashable {
    /// The key of a row in the table `identities`.
    package let key: Int64

    package init(key: Int64) { self.key = key }

    /// The gateway itself, which uses the keys in its settings. Its name in the table `identities` is `gateway`.
    package static let gateway = SyncIdentity(key: 1)
}
