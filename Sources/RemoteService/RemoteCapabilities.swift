/// What a remote offers beyond reading and writing single objects.
package struct RemoteCapabilities: Sendable, Hashable {
    /// The most operations that one push may carry.
    package var batchMax: Int
    /// The most rows asked for in one page; a remote may give fewer.
    package var pageSize: Int
    /// Deletions are told by the pull itself; otherwise the engine sweeps for them.
    package var hasTombstones: Bool
    /// A write can be made to fail where the object has changed meanwhile; otherwise the engine reads just before it writes.
    package var hasConditionalWrites: Bool
    /// Increment and array operations are carried out by the remote itself.
    package var hasFieldOperations: Bool

    package init(
        batchMax: Int, pageSize: Int, hasTombstones: Bool, hasConditionalWrites: Bool, hasFieldOperations: Bool
    ) {
        self.batchMax = batchMax
        self.pageSize = pageSize
        self.hasTombstones = hasTombstones
        self.hasConditionalWrites = hasConditionalWrites
        self.hasFieldOperations = hasFieldOperations
    }
}
