import ParseModel

/// A row of the remote that a pull skipped, because the row is too large. After its next change, the row is requested again.
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
