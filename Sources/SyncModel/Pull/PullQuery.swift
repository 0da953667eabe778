import ParseModel

/// The objects that a pull is about.
package struct PullQuery: Sendable, Hashable {
    package let className: String
    /// A `where`; empty for all objects.
    package let conditions: JSONObject
    /// The fields that are wanted; nil for all. objectId, createdAt and updatedAt always come.
    package let keys: [String]?

    package init(className: String, conditions: JSONObject = [:], keys: [String]? = nil) {
        self.className = className
        self.conditions = conditions
        self.keys = keys
    }
}

/// Objects by when they were created, as the remote has it: `from` and later, before `to`. Nil is no bound.
package struct CreatedRange: Sendable, Hashable {
    package let from: ParseDate?
    package let to: ParseDate?

    package init(from: ParseDate? = nil, to: ParseDate? = nil) {
        self.from = from
        self.to = to
    }

    package static let all = CreatedRange()
}

/// An object's id, and when it was last changed.
package struct ObjectStamp: Sendable, Hashable {
    package let objectId: String
    package let updatedAt: ParseDate

    package init(objectId: String, updatedAt: ParseDate) {
        self.objectId = objectId
        self.updatedAt = updatedAt
    }
}

package struct ObjectStampPage: Sendable, Hashable {
    package let stamps: [ObjectStamp]
    /// The page was empty: every id has been listed.
    package let isLast: Bool

    package init(stamps: [ObjectStamp], isLast: Bool) {
        self.stamps = stamps
        self.isLast = isLast
    }
}
