/// The place of a running sync.
package struct SyncProgress: Sendable, Hashable {
    package enum Phase: String, Sendable, CaseIterable { case prove, pull, files, push, relations, audit, sweep }

    package let phase: Phase
    package let className: String?
    /// How many objects this phase has worked through.
    package let done: Int
    /// How many there are to work through, where that is known.
    package let total: Int?

    package init(phase: Phase, className: String?, done: Int, total: Int?) {
        self.phase = phase
        self.className = className
        self.done = done
        self.total = total
    }
}
