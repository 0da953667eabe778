/// Whom a sync acts as at the remote. Steps, pulls, cursors and proofs belong to one identity; the view of an object is
/// the same for all.
package struct SyncIdentity: Sendable, Hashable {
    /// The key of a row in the table `identities`.
    package let key: Int64

    package init(key: Int64) { self.key = key }

    /// The gateway itself, which uses the keys in its settings. Its name in the table `identities` is `gateway`.
    package static let gateway = SyncIdentity(key: 1)
}
