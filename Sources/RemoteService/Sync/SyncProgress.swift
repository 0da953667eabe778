/// The progress of a running sync.
package struct SyncProgress: Sendable, Hashable {
    package enum Phase: String, Sendable, CaseIterable { case prove, pull, files, push, relations, audit, sweep }

    package let phase: Phase
    package let className: String?
    /// The number of processed items of this phase: objects, changes, files, relations or pages.
    package let done: Int
    /// The total number of items of this phase; nil if unknown.
    package let total: Int?

    package init(phase: Phase, className: String?, done: Int, total: Int?) {
        self.phase = phase
        self.className = className
        self.done = done
        self.total = total
    }
}
