import ParseModel
import SyncModel

/// The store's facts about an object that the remote shows in an unexpected state, or not at all.
package struct KnownObject: Sendable, Hashable {
    /// The source of the base.
    package enum Standing: Sendable, Hashable {
        /// The remote showed it.
        case shown
        /// The remote showed the object before, and acknowledged a later change that it has not shown.
        case acknowledged
        /// The remote acknowledged the create and never showed the object.
        case unshown
    }

    package let objectId: String
    package let base: ObjectState
    package let standing: Standing
    /// Why the object is held until a decision; nil if it is not.
    package let heldBecause: RemovalReason?
    /// Whether the remote has an earlier state of the object, which is kept until the decision.
    package let isReverted: Bool
    /// The number of syncs that did not find the acknowledged state, and the server time of the first one.
    package let looks: Int
    package let lookedSince: ParseDate?

    package init(
        objectId: String, base: ObjectState, standing: Standing, heldBecause: RemovalReason? = nil,
        isReverted: Bool = false, looks: Int = 0, lookedSince: ParseDate? = nil
    ) {
        self.objectId = objectId
        self.base = base
        self.standing = standing
        self.heldBecause = heldBecause
        self.isReverted = isReverted
        self.looks = looks
        self.lookedSince = lookedSince
    }

    /// Whether the sent ACL, if any, lets the public read the object.
    package var isPublic: Bool { base.isPublic }
}

extension ObjectState {
    /// Whether the ACL allows public read access.
    package var isPublic: Bool {
        guard let acl = fields["ACL"]?.object else { return true }
        return acl["*"]?.object?["read"] == true
    }
}

/// Why missing objects, or objects in an earlier state, are held until a decision.
package enum RemovalReason: String, Sendable, Hashable, CaseIterable {
    /// The removal is too large to be plausible.
    case tooMany
    /// The remote seems to be restored from a backup.
    case restoredBackup
    /// The remote acknowledged the create, never showed the object, and now reports that it does not exist.
    case neverShown
}

/// An object that the remote no longer shows, or shows in an earlier state.
package struct LostObject: Sendable, Hashable {
    package let objectId: String
    /// The remote's earlier row; nil for a missing object.
    package let row: RemoteRecord?

    package init(objectId: String, row: RemoteRecord? = nil) {
        self.objectId = objectId
        self.row = row
    }
}

/// The missing objects of one sync, compared with the newest ones of their classes.
package struct RollbackShape: Sendable, Hashable {
    /// Whether each missing object is newer than every other known object of its class.
    package let isNewestOnly: Bool
    /// Whether the newest known object of one of the classes is missing.
    package let includesNewest: Bool
    /// The number of missing objects with an acknowledged local write, or with an edit since their creation.
    package let attested: Int

    package init(isNewestOnly: Bool, includesNewest: Bool, attested: Int) {
        self.isNewestOnly = isNewestOnly
        self.includesNewest = includesNewest
        self.attested = attested
    }
}
