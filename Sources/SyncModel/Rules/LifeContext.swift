import ParseModel

/// The facts outside an object that the handling of an event may need. A fact that an event does not need has its
/// default value.
package struct LifeContext: Sendable {
    /// The time of the transaction, by the local clock.
    package let now: ParseDate
    /// The author in whose name the event happens: of the local write, of the sync, or of the change that a user
    /// decides about.
    package let author: AuthorKey
    /// Returns a new request id at each call.
    package let requestId: @Sendable () -> String
    /// The id of the user under whose session the sync reads the remote; nil for none.
    package var reader: String?
    /// The rule for an object's pending changes when its remote row changes. The simulation replaces this rule by
    /// faulty ones.
    package var rebase: RebaseRules.Rebase = RebaseRules.decide
    /// The sync options of the object's class.
    package var options = ClassOptions()
    /// The name of this gateway in operation ids, the ids that requests leave in rows; nil if no step of the object has
    /// left one.
    package var replicaId: String?
    /// The fields of the object that are kept locally; nil for all.
    package var keptFields: Set<String>?
    /// Whether an earlier request on the object, which got no answer, may still arrive at the remote. Only set if the
    /// first step is a create.
    package var isUnanswered = false
    /// Whether the remote accepts client-chosen ids; nil if unknown.
    package var acceptsChosenIds: Bool?
    /// The current members of the object's relations, as operations that add these members.
    package var members = FieldOperations()
    /// The object's remote state before the remote deleted the object; nil if that state is not stored.
    package var ancestor: ObjectState?
    /// The local object with the id that `ObjectLife.otherId(in:)` returns, for example an object that a pull has stored;
    /// nil if there is none.
    package var other: ObjectLife?
    /// Whether a complete pull of the whole class has shown that the remote has no object with the id from
    /// `ObjectLife.otherId(in:)`.
    package var otherIsUnknown = false

    package init(now: ParseDate, author: AuthorKey, requestId: @escaping @Sendable () -> String) {
        self.now = now
        self.author = author
        self.requestId = requestId
    }

    /// Whether the object's ACL lets everybody or the reader read the object.
    func readerMayRead(_ state: ObjectState?) -> Bool { state?.isReadable(by: reader) ?? true }

    /// The row without its `opField`. The operation ids in the field, which prove executed changes, become
    /// `operationMarks`.
    package func withoutMarks(_ record: RemoteRecord) -> RemoteRecord {
        guard let opField = options.opField, let marks = record.fields[opField] else { return record }
        var fields = record.fields
        fields[opField] = nil
        return record.replacing(fields: fields, marks: (marks.array ?? [marks]).compactMap(\.string))
    }

    /// The row without its `opField` and without the fields that are not kept locally.
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
        row.hasCreationTime = hasCreationTime
        return row
    }
}
