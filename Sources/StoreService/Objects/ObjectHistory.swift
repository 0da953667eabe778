import ParseModel
import SyncModel

/// The facts about the life of one object that a store keeps. What the store does not keep is missing here.
package struct ObjectHistory: Sendable, Hashable {
    /// The present row of the object.
    package struct Row: Sendable, Hashable {
        package let createdAt: ParseDate
        package let updatedAt: ParseDate
        /// Whether clients with all rights see the object.
        package let isShown: Bool
        /// The last known remote state: nil if the remote is not known to have the object.
        package let standing: BaseStanding?
        /// Whether the remote has acknowledged a request of this gateway about the object.
        package let wasAcknowledged: Bool
        /// Whether clients do not see the object because the remote no longer shows it.
        package let isWithheld: Bool
        /// The users (by id), roles (`role:editors`) and `*` that the ACL allows to read; nil without an ACL.
        package let readers: [String]?

        package init(
            createdAt: ParseDate, updatedAt: ParseDate, isShown: Bool, standing: BaseStanding?, wasAcknowledged: Bool,
            isWithheld: Bool, readers: [String]?
        ) {
            self.createdAt = createdAt
            self.updatedAt = updatedAt
            self.isShown = isShown
            self.standing = standing
            self.wasAcknowledged = wasAcknowledged
            self.isWithheld = isWithheld
            self.readers = readers
        }
    }

    /// An entry of the change feed.
    package struct Change: Sendable, Hashable {
        package let kind: ChangeEntry.Kind
        package let at: ParseDate

        package init(kind: ChangeEntry.Kind, at: ParseDate) { (self.kind, self.at) = (kind, at) }
    }

    /// A local change that the remote has not acknowledged, in any phase.
    package struct Step: Sendable, Hashable {
        package let change: WaitingChange
        package let fields: [String]
        /// The server time of the first attempt to send the change; nil before it.
        package let attemptedAt: ParseDate?

        package init(change: WaitingChange, fields: [String], attemptedAt: ParseDate?) {
            (self.change, self.fields, self.attemptedAt) = (change, fields, attemptedAt)
        }
    }

    /// A conflict, open or resolved.
    package struct Conflict: Sendable, Hashable {
        package let kind: ConflictKind
        package let fields: [String]
        package let foundAt: ParseDate
        /// The decision; nil for an open conflict.
        package let resolution: String?
        package let resolvedAt: ParseDate?

        package init(
            kind: ConflictKind, fields: [String], foundAt: ParseDate, resolution: String?, resolvedAt: ParseDate?
        ) {
            self.kind = kind
            self.fields = fields
            self.foundAt = foundAt
            self.resolution = resolution
            self.resolvedAt = resolvedAt
        }
    }

    /// A pull of the object's class.
    package struct Pull: Sendable, Hashable {
        package let name: String
        /// Whether the pull reads the whole class.
        package let isWholeClass: Bool
        /// Whether the object belongs to the pull.
        package let hasObject: Bool
        /// The server time at which the last complete pull began; nil before the first one.
        package let completeSince: ParseDate?
        /// The remote's message if it refuses the pull; nil otherwise.
        package let refusal: String?

        package init(
            name: String, isWholeClass: Bool, hasObject: Bool, completeSince: ParseDate?, refusal: String?
        ) {
            self.name = name
            self.isWholeClass = isWholeClass
            self.hasObject = hasObject
            self.completeSince = completeSince
            self.refusal = refusal
        }
    }

    /// A removal of the object that waits for a decision.
    package struct Removal: Sendable, Hashable {
        package let reason: String
        package let foundAt: ParseDate

        package init(reason: String, foundAt: ParseDate) { (self.reason, self.foundAt) = (reason, foundAt) }
    }

    /// The class of the object under sync.
    package struct Syncing: Sendable, Hashable {
        package let policy: ConflictPolicy
        package let pulls: [Pull]
        /// Why the pulls of the class are stopped; nil if they are not.
        package let stoppedBecause: String?

        package init(policy: ConflictPolicy, pulls: [Pull], stoppedBecause: String?) {
            (self.policy, self.pulls, self.stoppedBecause) = (policy, pulls, stoppedBecause)
        }
    }

    /// The object by its present id.
    package let object: Pointer
    /// The earlier ids of the object, which still find it.
    package let earlierIds: [String]
    /// Nil if the file has no row of the object.
    package let row: Row?
    /// The newest entries of the object in the change feed, oldest first; at most `changesMax`. Nil if the reader may not
    /// see them.
    package let changes: [Change]?
    /// Whether the change feed or `changes` may lack earlier entries.
    package let lacksEarlierChanges: Bool
    /// The changes that the reader may list, oldest first.
    package let steps: [Step]
    /// The newest conflicts that the reader may list, oldest first; at most `conflictsMax`.
    package let conflicts: [Conflict]
    package let removal: Removal?
    /// Why the last pulls have skipped the object; nil if they have not.
    package let skippedBecause: String?
    /// Nil for a class that is not under sync.
    package let syncing: Syncing?

    package static let changesMax = 50
    package static let conflictsMax = 20

    package init(
        object: Pointer, earlierIds: [String] = [], row: Row? = nil, changes: [Change]? = [],
        lacksEarlierChanges: Bool = false, steps: [Step] = [], conflicts: [Conflict] = [], removal: Removal? = nil,
        skippedBecause: String? = nil, syncing: Syncing? = nil
    ) {
        self.object = object
        self.earlierIds = earlierIds
        self.row = row
        self.changes = changes
        self.lacksEarlierChanges = lacksEarlierChanges
        self.steps = steps
        self.conflicts = conflicts
        self.removal = removal
        self.skippedBecause = skippedBecause
        self.syncing = syncing
    }
}
