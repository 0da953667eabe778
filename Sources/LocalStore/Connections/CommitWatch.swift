/// Callbacks before and after each commit, by which tests inject faults.
package struct CommitWatch: Sendable {
    /// Called before each commit. A thrown error rolls the transaction back, which simulates a crash just before the commit.
    package var willCommit: @Sendable () throws -> Void
    /// Called after each commit. A thrown error reaches the callers of the writes although the transaction is on disk. This
    /// simulates a crash just after the commit.
    package var didCommit: @Sendable () throws -> Void

    package init(
        willCommit: @escaping @Sendable () throws -> Void = {}, didCommit: @escaping @Sendable () throws -> Void = {}
    ) {
        self.willCommit = willCommit
        self.didCommit = didCommit
    }
}
