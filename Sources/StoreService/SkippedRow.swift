import ParseModel

/// A remote row that was skipped because it is too large. It is requested again when it changes.
package struct SkippedRow: Sendable, Hashable {
    package let className: String
    package let objectId: String
    /// The row's `updatedAt` on the remote.
    package let updatedAt: ParseDate
    /// The limit that the row exceeds, in words.
    package let reason: String

    package init(className: String, objectId: String, updatedAt: ParseDate, reason: String) {
        self.className = className
        self.objectId = objectId
        self.updatedAt = updatedAt
        self.reason = reason
    }
}
