import ParseModel

/// A class that takes part in syncing, and how far it has come.
package struct SyncClass: Sendable, Hashable {
    package let name: String
    /// Registered classes are pulled; one that was only written to here is pushed and not pulled.
    package let isPulled: Bool
    package let cursor: PullCursor?
    /// Server time at which the last complete pull began; nil before the first one has ended.
    package let completeSince: ParseDate?
    /// Server time at which the first pull began, while it has not come to its end.
    package let pullBegan: ParseDate?

    package var initialSyncComplete: Bool { completeSince != nil }

    package init(name: String, isPulled: Bool, cursor: PullCursor?, completeSince: ParseDate?, pullBegan: ParseDate?) {
        self.name = name
        self.isPulled = isPulled
        self.cursor = cursor
        self.completeSince = completeSince
        self.pullBegan = pullBegan
    }
}
