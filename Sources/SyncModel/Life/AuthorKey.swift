/// The key of an author in the local store. A sync sends and reads at the remote as one author: the gateway, or in a site
/// replica an author of changes (`SyncAuthor`). Steps, pulls, cursors and proofs belong to one author. The view of an object is the same for all authors.
package struct AuthorKey: Sendable, Hashable {
    /// The primary key in the table `identities`.
    package let key: Int64

    package init(key: Int64) { self.key = key }

    /// The gateway itself, which uses the keys in its settings. Its name in the table `identities` is `gateway`.
    package static let gateway = AuthorKey(key: 1)
}
