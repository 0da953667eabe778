import ParseModel

/// The facts besides the object itself that an event may need.
package struct LifeContext: Sendable {
    /// The time of the transaction, by the local clock.
    package let now: ParseDate
    /// Returns a new request id at each call.
    package let requestId: @Sendable () -> String
    /// The rule for pending work under changed rows; another one than the standard is a deliberate break.
    package var rebase: RebaseRules.Rebase = RebaseRules.decide
    /// How the class is synced.
    package var options = ClassOptions()
    /// Names this gateway in the ids of operations; nil before the first sync.
    package var replicaId: String?
    /// The fields of the object that are kept here; nil for all.
    package var keptFields: Set<String>?
    /// A request on the object got no answer and may still arrive.
    package var isUnanswered = false
    /// Whether the remote accepts chosen ids; nil where that is not known.
    package var acceptsChosenIds: Bool?
    /// The present members of the object's relations, as operations that add them.
    package var members = FieldOperations()
    /// The object as the remote had it before it was deleted there; nil where that is not kept.
    package var ancestor: ObjectState?
    /// The object that is kept under the other id which the event names, such as one that a pull brought.
    package var other: ObjectLife?
    /// The other id is unknown here and cannot be the remote's, because the whole class was pulled.
    package var otherIsUnknown = false

    package init(now: ParseDate, requestId: @escaping @Sendable () -> String) {
        self.now = now
        self.requestId = requestId
    }

    /// The row without the ids of operations among its fields.
    package func withoutMarks(_ record: RemoteRecord) -> RemoteRecord {
        guard let opField = options.opField, let marks = record.fields[opField] else { return record }
        var fields = record.fields
        fields[opField] = nil
        return record.replacing(fields: fields, marks: marks.array?.compactMap(\.string) ?? [])
    }

    /// The row with the fields that are kept here.
    package func restricted(_ record: RemoteRecord) -> RemoteRecord {
        let record = withoutMarks(record)
        guard let keptFields else { return record }
        var fields = record.fields
        fields.removeAll { !keptFields.contains($0) }
        return record.replacing(fields: fields, marks: record.operationMarks)
    }
}

extension RemoteRecord {
    package func replacing(fields: JSONObject, marks: [String]) -> RemoteRecord {
        var row = RemoteRecord(
            className: className, objectId: objectId, createdAt: createdAt, updatedAt: updatedAt, fields: fields,
            version: version, isDeleted: isDeleted)
        row.operationMarks = marks
        return row
    }
}
