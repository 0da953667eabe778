/// Sees every commit of a store, and may make it look like the end of the process.
package struct CommitWatch: Sendable {
    /// Where it throws, the transaction is undone, as by a crash just before the commit.
    package var willCommit: @Sendable () throws -> Void
    /// Where it throws, the transaction is on disk and its caller does not learn of it, as by a crash just after.
    package var didCommit: @Sendable () throws -> Void

    package init(
        willCommit: @escaping @Sendable () throws -> Void = {}, didCommit: @escaping @Sendable () throws -> Void = {}
    ) {
        self.willCommit = willCommit
        self.didCommit = didCommit
    }
}
