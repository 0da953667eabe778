import ParseModel

/// An object as the remote has it.
package struct RemoteRecord: Sendable, Hashable {
    package let className: String
    package let objectId: String
    package let createdAt: ParseDate
    package let updatedAt: ParseDate
    /// All fields, including ACL, except objectId, createdAt and updatedAt, in the remote's order.
    package let fields: JSONObject
    /// The remote's version of the row; nil if the remote has no versions. Versions are only compared for equality.
    package let version: String?
    /// Whether the record is a tombstone of a deleted object.
    package let isDeleted: Bool
    /// The operation ids that `LifeContext.withoutMarks` has taken out of the row's `opField`.
    package var operationMarks: [String] = []
    /// The cached `jsonText`; nil if it has not been written yet.
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

    /// The object in the form that a store keeps.
    package var jsonText: String { written ?? state.jsonText(objectId: objectId) }

    /// The record with the JSON text cached. The text is made when the remote's answer is read, because making the text in the
    /// transaction that stores the page would block other writes.
    package func withText() -> RemoteRecord {
        var record = self
        record.written = jsonText
        return record
    }

    // Compares fields without their order. Ignores operation ids and the cached text.
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

/// A pulled change: an object's current state, or its deletion.
package enum RemoteChange: Sendable, Hashable {
    case upsert(RemoteRecord)
    case tombstone(className: String, objectId: String)
}
