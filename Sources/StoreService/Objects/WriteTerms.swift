import ParseModel
import SyncModel

/// The conditions of a write on the object's current state, and options of the write.
package struct WriteTerms: Sendable, Hashable {
    /// The allowed entity tags of the object (`If-Match`); nil to allow any state.
    package var match: TagMatch?
    /// The `updatedAt` of the state that the client has edited (`_base`); nil if not given.
    package var base: ParseDate?
    /// Whether the receipt includes the object's `_sync`.
    package var wantsMark: Bool
    /// The installation id in the client's headers. It identifies the installation that a create of `_Installation` concerns.
    package var installationId: String?
    /// Whether a new object keeps the id in its body, also in a store in which clients may not choose ids. For imports.
    package var keepsId = false
    /// Whether an update leaves `updatedAt` as it is. For imports of relation members with the maintenance key.
    package var keepsUpdatedAt = false
    /// The parts of a write of a user or session that are not fields; nil for none.
    package var account: AccountChange?

    /// Whether the write is allowed in every state of an existing object.
    package var isForAnyState: Bool { (match == nil || match == .exists) && base == nil }

    package init(match: TagMatch? = nil, base: ParseDate? = nil, wantsMark: Bool = false) {
        self.match = match
        self.base = base
        self.wantsMark = wantsMark
    }
}

/// The condition of a write on the object's entity tag (`If-Match`).
package enum TagMatch: Sendable, Hashable {
    /// Any state of an existing object (`*`).
    case exists
    /// A state with one of these tags.
    case tags(Set<String>)
}

/// The content of an object's `_sync` field, which describes its sync state to clients.
package struct ObjectMark: Sendable, Hashable {
    package let state: SyncState
    /// Whether the remote has acknowledged the object's create, but does not show the object to this gateway.
    package let isHidden: Bool
    /// The object's tag (`ContentMark.tag`); nil for a deleted object.
    package let tag: String?
    /// The names of the object's fields that are pulled and stored; nil for all fields.
    package let fetched: [String]?
    /// The writes of the object that the reader may not make. In a replica that does not enforce rights: the writes
    /// that the remote will refuse, by the ACL that the remote last showed.
    package let denied: [DeniedWrite]

    /// A kind of write that a client may not make. The raw value is its name in `_sync`.
    package enum DeniedWrite: String, Sendable, Hashable { case update, delete }

    package init(
        state: SyncState, isHidden: Bool = false, tag: String?, fetched: [String]?, denied: [DeniedWrite] = []
    ) {
        self.state = state
        self.denied = denied
        self.isHidden = isHidden
        self.tag = tag
        self.fetched = fetched
    }
}
