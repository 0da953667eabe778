import ParseModel

/// A row that is more than is taken in from the remote: it is left out, named, and asked for again when it changes.
package struct SkippedRow: Sendable, Hashable {
    package let className: String
    package let objectId: String
    /// When it was last changed remotely.
    package let updatedAt: ParseDate
    /// The bound that it goes over, in words.
    package let reason: String

    package init(className: String, objectId: String, updatedAt: ParseDate, reason: String) {
        self.className = className
        self.objectId = objectId
        self.updatedAt = updatedAt
        self.reason = reason
    }
}
