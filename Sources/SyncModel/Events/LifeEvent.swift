import ParseModel

/// An event in the life of an object.
package enum LifeEvent: Sendable, Hashable {
    // MARK: Local clients
    /// A client created the object.
    /// - Parameter hasChosenId: whether a client chose the id, so that another client may have used the same id.
    case created(FieldOperations, hasChosenId: Bool)
    /// A client edited the object.
    /// - Parameter stale: the earlier state that the client has edited, and the fields in dispute; nil if no field is in dispute.
    case edited(FieldOperations, stale: StaleWrite?)
    case deleted(stale: StaleWrite?)
    /// A client makes a change that goes to the remote at once or nowhere. `chosen` follows in the same transaction.
    /// - Parameter hasChosenId: as for `created`; false for an update and a deletion.
    case begunOnce(PendingStep.Kind, FieldOperations, hasChosenId: Bool)

    // MARK: Push
    /// The push has chosen the object's first pending step for a request. The step is now frozen: local writes no
    /// longer change it.
    /// - Parameter serverTime: the time of sending, by the server's clock.
    case chosen(OutboxEntry, serverTime: ParseDate)
    case settled(OutboxEntry, Settlement)
    /// The first pending step is a create in a cycle of pointers. It is sent without the fields `deferring`. A later
    /// update sets these fields.
    case split(OutboxEntry, deferring: [String])
    /// The remote refused a file. In this object, the first pending change with the file by the sync's author is
    /// rejected.
    case fileRefused(name: String, code: Int, message: String)
    /// The remote gave a file its final name and URL.
    case fileAdopted(name: String, as: FileReference)
    /// The remote gave another object a new id. Pointers to that object take the new id.
    case pointerAdopted(from: Pointer, to: Pointer)

    // MARK: Remote
    /// A read returned the object's current remote row.
    case row(RemoteRecord)
    /// The remote does not have the object, according to a read or a tombstone.
    case absent
    /// A conflict about another object's create begins or ceases to show this object as the possible result of that
    /// create.
    /// - Parameter isShown: whether clients may see this object; false while the conflict is open.
    case secondCopy(isShown: Bool)
    /// Another object has adopted the remote object that this object's conflict shows as the possible result of its
    /// create.
    case candidateTaken

    // MARK: Users
    /// A user has answered the open conflict.
    case decided(keep: String?, Correction?)
    /// A user has decided that the rejected step is sent again.
    case retried(seq: Int64, Correction?)
    /// A user has given the rejected step up.
    case givenUp(seq: Int64)
    /// A user has undone a step that was never sent.
    case undone(seq: Int64)
    /// A user has confirmed that the remote does not have the object, which was deleted locally. The deletion is sent
    /// all the same.
    case absenceConfirmed
    /// The remote lost the object, and a user keeps the local state.
    case createdAgain
    /// The remote shows an older state from a restored backup, and a user keeps the local state.
    /// - Parameters:
    ///   - latest: the current row.
    ///   - ancestor: the row with the older state from the backup.
    case setAgain(latest: RemoteRecord, ancestor: RemoteRecord)
    /// All local changes of the object are dropped.
    case purged
    /// All changes of one author are dropped, because the gateway forgets the author. The changes of other authors
    /// stay.
    case authorForgotten(AuthorKey)

    /// If the event contains a row without a creation time, the event with the known creation time in its row.
    /// Otherwise the event unchanged.
    func keepingCreationTime(_ known: ParseDate?) -> LifeEvent {
        switch self {
        case .row(let record): .row(record.keepingCreationTime(known))
        case .settled(let entry, .proven(let record)): .settled(entry, .proven(record.keepingCreationTime(known)))
        case .setAgain(let latest, let ancestor):
            .setAgain(latest: latest.keepingCreationTime(known), ancestor: ancestor)
        default: self
        }
    }

    /// Whether the event contains the object's current remote row, or says that the remote does not have the object.
    var readsTheRemote: Bool {
        switch self {
        case .row, .absent, .setAgain: true
        default: false
        }
    }
}

/// A local write that is based on an earlier state of the object.
package struct StaleWrite: Sendable, Hashable {
    /// The state on which the write is based; nil if this state is no longer known.
    package let seen: ObjectState?
    /// The fields that have changed since `seen` and that this write sets to another value. If `seen` is nil, all fields count as
    /// changed. Empty for a deletion.
    package let fields: [String]
    /// The fields that the object would have after the write; empty for a deletion.
    package let wanted: JSONObject

    package init(seen: ObjectState?, fields: [String] = [], wanted: JSONObject = [:]) {
        self.seen = seen
        self.fields = fields
        self.wanted = wanted
    }
}

/// Values that a user adds to a decision, or gives in place of refused values.
package struct Correction: Sendable, Hashable {
    package let operations: FieldOperations
    /// The fields for which the user gave null.
    package let nulls: Set<String>
    /// The `objectId` that the user gave with the values; nil if none.
    package let objectId: String?

    package init(operations: FieldOperations, nulls: Set<String> = [], objectId: String? = nil) {
        self.operations = operations
        self.nulls = nulls
        self.objectId = objectId
    }
}

/// The reasons for refusing an event. A refused event does not change the object.
package enum LifeError: Error, Sendable, Hashable {
    /// The step does not exist, or it is not in the phase that the event requires.
    case noSuchStep
    /// The change cannot be undone: it may have been sent, is in conflict, or was rejected.
    case alreadySent
    /// There is no open conflict.
    case noConflict
    /// The deletion would need a user's decision, but the outcome of an earlier request is still unknown.
    case outcomeUnknown
    /// The object has pending changes, so a change that is sent at most once cannot be made.
    case hasPendingChanges
    /// The remote object that a user named is not known locally.
    case unknownObject(String)
}
