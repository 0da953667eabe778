import ParseModel

/// What waits and what is there, for the status.
package struct SyncFigures: Sendable, Hashable {
    package struct Class: Sendable, Hashable {
        package let name: String
        package let objects: Int
        package let pending: Int
        package let isPulled: Bool
        package let initialSyncComplete: Bool
        /// Why the remote refuses to list the class, in its words; nil where it does not.
        package let refusal: String?
        /// Why the class is not pulled any further; nil where it is.
        package let stoppedBecause: String?
        /// Rows that are more than is taken in, the latest first, and not all where there are many.
        package let skipped: [SkippedRow]
        /// Objects that the remote has acknowledged and does not show.
        package let hidden: Int
        /// Objects that the remote has acknowledged and not shown yet.
        package let unshown: Int

        package init(
            name: String, objects: Int, pending: Int, isPulled: Bool, initialSyncComplete: Bool, refusal: String? = nil,
            stoppedBecause: String? = nil, skipped: [SkippedRow] = [], hidden: Int = 0, unshown: Int = 0
        ) {
            self.stoppedBecause = stoppedBecause
            self.skipped = skipped
            self.name = name
            self.objects = objects
            self.pending = pending
            self.isPulled = isPulled
            self.initialSyncComplete = initialSyncComplete
            self.refusal = refusal
            self.hidden = hidden
            self.unshown = unshown
        }
    }

    /// Objects with work that waits to be sent.
    package let pending: Int
    package let rejections: Int
    package let conflicts: Int
    package let removals: Int
    package let isPaused: Bool
    package let lastSyncAt: ParseDate?
    package let classes: [Class]

    package init(
        pending: Int, rejections: Int, conflicts: Int, removals: Int, isPaused: Bool, lastSyncAt: ParseDate?,
        classes: [Class]
    ) {
        self.pending = pending
        self.rejections = rejections
        self.conflicts = conflicts
        self.removals = removals
        self.isPaused = isPaused
        self.lastSyncAt = lastSyncAt
        self.classes = classes
    }
}
