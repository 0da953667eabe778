import ParseModel
import SyncModel

/// A stored object that the remote does not show, or shows in an unexpected state.
package struct KnownObject: Sendable, Hashable {
    /// Whether the remote has shown the object's base, the last known remote state.
    package enum Standing: Sendable, Hashable {
        /// The remote has shown the last known remote state, or has deleted the object.
        case shown
        /// The remote has shown the object, and has acknowledged a later change. No row with this change has been read
        /// yet.
        case acknowledged
        /// The remote has acknowledged the create, but has never shown the object.
        case unshown
    }

    package let objectId: String
    package let base: ObjectState
    package let standing: Standing
    /// The reason why the removal of the object waits for a user's decision; nil if it does not wait.
    package let heldBecause: RemovalReason?
    /// Whether the object waits for a decision because the remote has an earlier state of it.
    package let isReverted: Bool
    /// Whether the object is deleted locally, and the remote has not acknowledged the deletion.
    package let isDeletedHere: Bool
    /// The number of syncs that searched for the acknowledged state and did not find it.
    package let looks: Int
    /// The server time of the first sync that searched for the acknowledged state and did not find it; nil if there was none.
    package let lookedSince: ParseDate?

    package init(
        objectId: String, base: ObjectState, standing: Standing, heldBecause: RemovalReason? = nil,
        isReverted: Bool = false, isDeletedHere: Bool = false, looks: Int = 0, lookedSince: ParseDate? = nil
    ) {
        self.objectId = objectId
        self.base = base
        self.standing = standing
        self.heldBecause = heldBecause
        self.isReverted = isReverted
        self.isDeletedHere = isDeletedHere
        self.looks = looks
        self.lookedSince = lookedSince
    }

    /// Whether everybody may read the object, by the ACL in its last known remote state.
    package var isPublic: Bool { base.isPublic }
}

extension ObjectState {
    /// Whether the ACL lets everybody read the object. True without an ACL.
    package var isPublic: Bool {
        guard let acl = fields["ACL"]?.object else { return true }
        return acl["*"]?.object?["read"] == true
    }
}

/// The reason why a user must decide about objects that are missing on the remote or have an earlier state there.
package enum RemovalReason: String, Sendable, Hashable, CaseIterable {
    /// So many objects are missing that a deletion of all of them is implausible.
    case tooMany
    /// The remote was probably restored from a backup.
    case restoredBackup
    /// The remote acknowledged the create, never showed the object, and now reports that it does not exist.
    case neverShown
}

/// An object that is missing on the remote, or has an earlier state there.
package struct LostObject: Sendable, Hashable {
    package let objectId: String
    /// The row that the remote shows now, with the earlier state; nil for a missing object.
    package let row: RemoteRecord?

    package init(objectId: String, row: RemoteRecord? = nil) {
        self.objectId = objectId
        self.row = row
    }
}

/// A comparison of the objects that a sync found missing with the newest objects of their classes. It shows whether the remote
/// may have been restored from a backup.
package struct RollbackShape: Sendable, Hashable {
    /// Whether every missing object was created later than all other objects of its class that were known before this sync.
    package let isNewestOnly: Bool
    /// Whether the newest object of at least one class is missing. Only objects known before this sync count.
    package let includesNewest: Bool
    /// The number of missing objects with evidence that they existed on the remote: an acknowledged create or edit of this
    /// gateway, or an edit after the creation.
    package let attested: Int

    package init(isNewestOnly: Bool, includesNewest: Bool, attested: Int) {
        self.isNewestOnly = isNewestOnly
        self.includesNewest = includesNewest
        self.attested = attested
    }
}
