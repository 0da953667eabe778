import SyncModel

/// A change that is pending or was refused.
package struct PendingChange: Sendable {
    package let id: Int64
    package let className: String
    package let objectId: String
    package let step: PendingStep
    package let attempts: Int
    /// Parse's error code of a refusal.
    package let code: Int?
    /// The error of the last attempt, or the remote's message of a refusal.
    package let error: String?
    /// For a deletion: the remote's last known state of the object, as JSON text. Nil for classes with hidden fields.
    package let base: String?

    package init(
        id: Int64, className: String, objectId: String, step: PendingStep, attempts: Int, code: Int?, error: String?,
        base: String?
    ) {
        self.id = id
        self.className = className
        self.objectId = objectId
        self.step = step
        self.attempts = attempts
        self.code = code
        self.error = error
        self.base = base
    }
}
