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
    /// The ids of operations that the row's `opField` holds, where that was taken out of the fields.
    package var operationMarks: [String] = []
    /// `jsonText`, where it has been written already.
    private var written: String?

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
    }

    /// The object as a store keeps it.
    package var jsonText: String { written ?? state.jsonText(objectId: objectId) }

    /// The record with its text written. Other writes wait while a page is taken in, and writing the rows'
    /// texts was a seventh of that time, so it is done where the answer is read.
    package func withText() -> RemoteRecord {
        var record = self
        record.written = jsonText
        return record
    }

    // Of two that are equal the fields may stand in another order.
    package static func == (a: RemoteRecord, b: RemoteRecord) -> Bool {
        (a.className, a.objectId, a.isDeleted) == (b.className, b.objectId, b.isDeleted) && a.state == b.state
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(className)
        hasher.combine(objectId)
        hasher.combine(state)
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
