import ParseModel

/// The numbers of objects, pending changes and open decisions in a store, for the sync status and the metrics.
package struct SyncFigures: Sendable, Hashable {
    package struct Class: Sendable, Hashable {
        package let name: String
        package let objects: Int
        package let pending: Int
        package let isPulled: Bool
        package let initialSyncComplete: Bool
        /// The remote's message if it refuses to list the class; nil otherwise.
        package let refusal: String?
        /// Why the pulls of the class are stopped; nil if they are not.
        package let stoppedBecause: String?
        /// Rows that were skipped because they are too large, newest first. The list is limited.
        package let skipped: [SkippedRow]
        /// The number of hidden objects. The remote has acknowledged their creates, but has not shown them for so long
        /// that it is no longer expected to.
        package let hidden: Int
        /// The number of new objects that the remote has acknowledged but not shown yet. Hidden objects are not
        /// counted.
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

    /// The number of objects with changes that wait to be sent, or with sent changes without a known outcome.
    package let pending: Int
    package let rejections: Int
    package let conflicts: Int
    package let removals: Int
    /// Whether an uploaded file is not on the remote yet. Files without a change that refers to them count, too.
    package let hasLocalFiles: Bool
    package let isPaused: Bool
    package let lastSyncAt: ParseDate?
    package var classes: [Class]

    package init(
        pending: Int, rejections: Int, conflicts: Int, removals: Int, hasLocalFiles: Bool, isPaused: Bool,
        lastSyncAt: ParseDate?, classes: [Class]
    ) {
        self.pending = pending
        self.rejections = rejections
        self.conflicts = conflicts
        self.removals = removals
        self.hasLocalFiles = hasLocalFiles
        self.isPaused = isPaused
        self.lastSyncAt = lastSyncAt
        self.classes = classes
    }
}
