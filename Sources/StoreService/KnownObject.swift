import ParseModel
import SyncModel

/// A store's knowledge of an object of which the remote shows another state than expected, or none.
package struct KnownObject: Sendable, Hashable {
    /// How the base has come to be known.
    package enum Standing: Sendable, Hashable {
        /// The remote has shown it.
        case shown
        /// The remote has shown the object before, and has acknowledged a later change without showing that.
        case acknowledged
        /// The remote has acknowledged the create and has never shown the object.
        case unshown
    }

    package let objectId: String
    package let base: ObjectState
    package let standing: Standing
    /// Why a person is being asked about it; nil where there is no question.
    package let heldBecause: RemovalReason?
    /// An older row of the object is kept until that person has decided.
    package let isReverted: Bool
    /// How many syncs have looked in vain for the acknowledged state, and the server time of the first.
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

    /// Whether the ACL that was sent, if one was, lets everybody read the object.
    package var isPublic: Bool { base.isPublic }
}

extension ObjectState {
    /// Whether everybody may read the object, as far as its ACL tells.
    package var isPublic: Bool {
        guard let acl = fields["ACL"]?.object else { return true }
        return acl["*"]?.object?["read"] == true
    }
}

/// Why objects that seem gone, or older than they were, wait for a person's word.
package enum RemovalReason: String, Sendable, Hashable, CaseIterable {
    /// More of the class is gone at once than is believed.
    case tooMany
    /// The remote seems to be an older backup of itself.
    case restoredBackup
    /// The remote has acknowledged the create, has never shown the object, and says that there is no such object.
    case neverShown
}

/// An object that the remote no longer shows, or shows as it was before.
package struct LostObject: Sendable, Hashable {
    package let objectId: String
    /// The remote's older row; nil where there is none.
    package let row: RemoteRecord?

    package init(objectId: String, row: RemoteRecord? = nil) {
        self.objectId = objectId
        self.row = row
    }
}

/// The objects that are gone in one sync, compared with the newest ones of their classes.
package struct RollbackShape: Sendable, Hashable {
    /// Each object that is gone is newer than every other one of its class that was known before.
    package let isNewestOnly: Bool
    /// The newest object of one of the classes that was known before is gone.
    package let includesNewest: Bool
    /// How many of them were acknowledged here or have been edited since their making.
    package let attested: Int

    package init(isNewestOnly: Bool, includesNewest: Bool, attested: Int) {
        self.isNewestOnly = isNewestOnly
        self.includesNewest = includesNewest
        self.attested = attested
    }
}
