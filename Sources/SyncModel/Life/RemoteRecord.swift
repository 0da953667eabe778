import ParseModel

/// The remote row of an object, or the tombstone of a deleted object.
package struct RemoteRecord: Sendable, Hashable {
    package let className: String
    package let objectId: String
    package let createdAt: ParseDate
    package let updatedAt: ParseDate
    /// All fields, including ACL, except objectId, createdAt and updatedAt, in the remote's order.
    package let fields: JSONObject
    /// The remote's version of the row; nil if the remote has no versions. Versions are only compared for equality.
    package let version: String?
    /// Whether the record is the tombstone of a deleted object.
    package let isDeleted: Bool
    /// The operation ids (ids of executed changes) that `LifeContext.withoutMarks` has moved here from the row's
    /// `opField`.
    package var operationMarks: [String] = []
    /// Whether the remote knows when the object was created. If not, `createdAt` is the time of the row's last change, and the
    /// store keeps the time with which it first saw the object.
    package var hasCreationTime = true
    /// The cached `jsonText`; nil if no text is cached.
    private var written: String?

    package init(
        className: String, objectId: String, createdAt: ParseDate, updatedAt: ParseDate, fields: JSONObject,
        version: String? = nil, isDeleted: Bool = false
    ) {
        self.className = className
        self.objectId = objectId
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.fields = fields.withCanonicalACL
        self.version = version
        self.isDeleted = isDeleted
    }

    /// The object as Parse JSON text.
    package var jsonText: String { written ?? state.jsonText(objectId: objectId) }

    /// The record with its JSON text cached. Called when the remote's answer is read, because making the text in the transaction
    /// that stores the page would block other writes.
    package func withText() -> RemoteRecord {
        var record = self
        record.written = jsonText
        return record
    }

    /// The record with the creation time that the store knows, if the remote has no creation times.
    package func keepingCreationTime(_ known: ParseDate?) -> RemoteRecord {
        guard !hasCreationTime, let known, known != createdAt else { return self }
        var record = RemoteRecord(
            className: className, objectId: objectId, createdAt: known, updatedAt: updatedAt, fields: fields,
            version: version, isDeleted: isDeleted)
        record.operationMarks = operationMarks
        return record
    }

    // The order of the fields, the operation ids and the cached text are not compared.
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

extension JSONObject {
    /// The fields with the ACL in its canonical form (`AccessControlList.canonical`), for comparison. A remote may
    /// store the ACL in another form.
    fileprivate var withCanonicalACL: JSONObject {
        guard let acl = self["ACL"] else { return self }
        let canonical = AccessControlList.canonical(acl)
        guard canonical != acl else { return self }
        var fields = self
        fields["ACL"] = canonical
        return fields
    }
}

/// A pulled change of an object: its current row, or its deletion.
package enum RemoteChange: Sendable, Hashable {
    case upsert(RemoteRecord)
    case tombstone(className: String, objectId: String)
}
