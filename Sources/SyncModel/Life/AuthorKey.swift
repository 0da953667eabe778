/// The key of an author in the local store. An author is the identity under which a sync sends and reads at the remote:
/// the gateway or, in a site replica, also each author of changes (`SyncAuthor`). Pending changes, pulls and their
/// cursors belong to one author. The state that clients read is the same for all authors.
package struct AuthorKey: Sendable, Hashable {
    /// The primary key in the table `identities`.
    package let key: Int64

    package init(key: Int64) { self.key = key }

    /// The gateway itself, which uses the keys in its settings. Its name in the table `identities` is `gateway`.
    package static let gateway = AuthorKey(key: 1)
}
