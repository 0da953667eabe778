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
    /// A tombstone: the object is deleted, and this is all that is left of it.
    package let isDeleted: Bool
    /// The object as a store keeps it. It is written where the answer is read, since whoever takes the record in keeps others
    /// from writing meanwhile: it was a seventh of that.
    package let jsonText: String

    package init(
        className: String, objectId: String, createdAt: ParseDate, updatedAt: ParseDate, fields: JSONObject,
        version: String? = nil, isDeleted: Bool = false
    ) {
        self.className = className
        self.objectId = objectId
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.fields = fields
        self.version = version
        self.isDeleted = isDeleted
        jsonText = ObjectState(createdAt: createdAt, updatedAt: updatedAt, fields: fields).jsonText(objectId: objectId)
    }
}

extension RemoteRecord {
    package init(className: String, objectId: String, state: ObjectState) {
        self.init(
            className: className, objectId: objectId, createdAt: state.createdAt, updatedAt: state.updatedAt,
            fields: state.fields, version: state.version)
    }

    package var state: ObjectState {
        ObjectState(createdAt: createdAt, updatedAt: updatedAt, fields: fields, version: version)
    }
}

/// What a pull brings: an object in its present state, or the news that one is gone.
package enum RemoteChange: Sendable, Hashable {
    case upsert(RemoteRecord)
    case tombstone(className: String, objectId: String)
}
