/// Observes every commit of a store, and can inject a fault into it.
package struct CommitWatch: Sendable {
    /// An error undoes the transaction, as a crash just before the commit does.
    package var willCommit: @Sendable () throws -> Void
    /// After an error the transaction is on disk and its writers get the error, as after a crash just after the commit.
    package var didCommit: @Sendable () throws -> Void

    package init(
        willCommit: @escaping @Sendable () throws -> Void = {}, didCommit: @escaping @Sendable () throws -> Void = {}
    ) {
        self.willCommit = willCommit
        self.didCommit = didCommit
    }
}
