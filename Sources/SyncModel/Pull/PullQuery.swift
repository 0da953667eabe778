import ParseModel

/// The conditions and fields of a pull: which objects it covers, and which of their fields.
package struct PullQuery: Sendable, Hashable {
    package let className: String
    /// A `where` condition; empty for all objects.
    package let conditions: JSONObject
    /// The requested fields; nil for all. objectId, createdAt and updatedAt are always included.
    package let keys: [String]?

    package init(className: String, conditions: JSONObject = [:], keys: [String]? = nil) {
        self.className = className
        self.conditions = conditions
        self.keys = keys
    }
}

/// A range of creation times on the remote: `from` inclusive, `to` exclusive. Nil means no bound.
package struct CreatedRange: Sendable, Hashable {
    package let from: ParseDate?
    package let to: ParseDate?

    package init(from: ParseDate? = nil, to: ParseDate? = nil) {
        self.from = from
        self.to = to
    }

    package static let all = CreatedRange()
}

/// An object's id and the time of its last change.
package struct ObjectStamp: Sendable, Hashable {
    package let objectId: String
    package let updatedAt: ParseDate

    package init(objectId: String, updatedAt: ParseDate) {
        self.objectId = objectId
        self.updatedAt = updatedAt
    }
}

/// A page of ids with their update times.
package struct ObjectStampPage: Sendable, Hashable {
    package let stamps: [ObjectStamp]
    /// Whether the page was empty, which means that every id has been listed.
    package let isLast: Bool

    package init(stamps: [ObjectStamp], isLast: Bool) {
        self.stamps = stamps
        self.isLast = isLast
    }
}
