import ParseModel
import SyncModel

/// A local change that waits to be sent or for the outcome of its request, with the stored facts that tell why.
package struct WaitingChange: Sendable, Hashable {
    /// A file in the change that is not on the remote yet.
    package struct File: Sendable, Hashable {
        package let name: String
        /// The number of failed uploads.
        package let attempts: Int
        /// The reason of the last failed upload; nil for none.
        package let error: String?

        package init(name: String, attempts: Int, error: String?) {
            (self.name, self.attempts, self.error) = (name, attempts, error)
        }
    }

    /// A new object that the change points to and that the remote does not have yet.
    package struct Target: Sendable, Hashable {
        /// What the create of the object waits for.
        package enum Standing: String, Sendable, Hashable { case waiting, rejected, inConflict }

        package let object: Pointer
        package let standing: Standing

        package init(object: Pointer, standing: Standing) { (self.object, self.standing) = (object, standing) }
    }

    package let id: Int64
    /// The author of the change. In a replica that is not a site, this is the gateway.
    package let author: SyncAuthor
    package let object: Pointer
    package let kind: PendingStep.Kind
    package let phase: PendingStep.Phase
    /// The time of the change's first local write.
    package let madeAt: ParseDate
    package let attempts: Int
    /// The Parse error code of the last failure; nil for none.
    package let code: Int?
    /// The message of the last failure; nil for none.
    package let error: String?
    /// The files and the new objects for which the change waits. Each list has at most `listMax` entries.
    package let files: [File]
    package let targets: [Target]

    package static let listMax = 20

    package init(
        id: Int64, author: SyncAuthor = .gateway, object: Pointer, kind: PendingStep.Kind, phase: PendingStep.Phase,
        madeAt: ParseDate, attempts: Int = 0, code: Int? = nil, error: String? = nil, files: [File] = [],
        targets: [Target] = []
    ) {
        self.id = id
        self.author = author
        self.object = object
        self.kind = kind
        self.phase = phase
        self.madeAt = madeAt
        self.attempts = attempts
        self.code = code
        self.error = error
        self.files = files
        self.targets = targets
    }
}

/// The changes that have waited since a given time.
package struct OldChanges: Sendable, Hashable {
    /// The number of objects with such a change. At most `countMax` changes are examined.
    package let count: Int
    /// The first change of each object, oldest first; at most `WaitingChange.listMax`.
    package let first: [WaitingChange]

    package static let none = OldChanges(count: 0, first: [])
    package static let countMax = 1000

    package init(count: Int, first: [WaitingChange]) { (self.count, self.first) = (count, first) }
}
