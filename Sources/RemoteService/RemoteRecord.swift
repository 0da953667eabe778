import ParseModel

/// An object as the remote has it.
package struct RemoteRecord: Sendable, Hashable {
    package let className: String
    package let objectId: String
    package let createdAt: ParseDate
    package let updatedAt: ParseDate
    /// The fields without objectId, createdAt and updatedAt, in the remote's order; ACL is one of them.
    package let fields: JSONObject
    /// The remote's version of the row, where it has such a thing; compared for equality only.
    package let version: String?

    package init(
        className: String, objectId: String, createdAt: ParseDate, updatedAt: ParseDate, fields: JSONObject,
        version: String? = nil
    ) {
        self.className = className
        self.objectId = objectId
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.fields = fields
        self.version = version
    }
}

/// What a pull brings: an object in its present state, or the news that one is gone.
package enum RemoteChange: Sendable, Hashable {
    case upsert(RemoteRecord)
    case tombstone(className: String, objectId: String, version: String?)
}
