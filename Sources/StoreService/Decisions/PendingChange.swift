import ParseModel
import SyncModel

/// A local change of one object that waits to be sent, has an unknown outcome, or was rejected.
package struct PendingChange: Sendable {
    package let id: Int64
    /// The user who made the change. Present only in lists for the master key of a site replica (a replica for several
    /// users). Nil for the gateway, and for a client without a session.
    package let userId: String?
    package let className: String
    package let objectId: String
    package let step: PendingStep
    package let attempts: Int
    /// The Parse error code of the last failure; nil for none.
    package let code: Int?
    /// The message of the last failure; nil for none.
    package let error: String?
    /// For a deletion: the last known state of the object on the remote, as JSON text. Nil for other changes, and for
    /// system classes such as `_User`.
    package var base: String?

    package init(
        userId: String? = nil, id: Int64, className: String, objectId: String, step: PendingStep, attempts: Int,
        code: Int?, error: String?, base: String?
    ) {
        self.userId = userId
        self.id = id
        self.className = className
        self.objectId = objectId
        self.step = step
        self.attempts = attempts
        self.code = code
        self.error = error
        self.base = base
    }

    /// A text in the form of an entity tag, which changes if the change itself changes, for example because a client
    /// edits the object again. Attempts to send the change leave it as it is.
    package var tag: String { EntryTag.tag(of: [step.kind.rawValue, step.operations.json.jsonText]) }
}
