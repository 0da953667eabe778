import ParseModel

/// A row of the remote that pulls skip because it is too large. It is listed, and requested again when it changes.
package struct SkippedRow: Sendable, Hashable {
    package let className: String
    package let objectId: String
    /// The time of its last change on the remote.
    package let updatedAt: ParseDate
    /// The exceeded limit, in words.
    package let reason: String

    package init(className: String, objectId: String, updatedAt: ParseDate, reason: String) {
        self.className = className
        self.objectId = objectId
        self.updatedAt = updatedAt
        self.reason = reason
    }
}
