import ParseModel

/// An event in the life of an object.
package enum LifeEvent: Sendable, Hashable {
    // MARK: Local clients
    /// - Parameter hasChosenId: the client chose the id, so others may have created an object with it.
    case created(FieldOperations, hasChosenId: Bool)
    /// - Parameter stale: the changes since the state that the client's edit was made on; nil where there are none.
    case edited(FieldOperations, stale: StaleWrite?)
    case deleted(stale: StaleWrite?)

    // MARK: Push
    /// The first step was chosen for a request: from now on it is frozen.
    /// - Parameters:
    ///   - markedIn: the array field in which the request leaves the id of its operation.
    ///   - serverTime: when the request goes out.
    case chosen(OutboxEntry, serverTime: ParseDate)
    case settled(OutboxEntry, Settlement)
    /// The first step, a create in a cycle of pointers, is sent without these fields. An update that follows sets them.
    case split(OutboxEntry, deferring: [String])
    /// The remote refused a file, and with it the pending changes that carry the file.
    case fileRefused(name: String, code: Int, message: String)
    /// The remote gave a file another name and an address.
    case fileAdopted(name: String, as: FileReference)
    /// The remote gave another object another id.
    case pointerAdopted(from: Pointer, to: Pointer)

    // MARK: Remote
    /// The row as the remote has it now.
    case row(RemoteRecord)
    /// The remote does not have the object: a read has not found it, or a tombstone says so.
    case absent
    /// - Parameter isShown: whether a client may see the copy; false while a conflict asks about it.
    case secondCopy(isShown: Bool)
    /// Another conflict was answered with the candidate that this object's conflict shows.
    case candidateTaken

    // MARK: People
    /// The answer to the open conflict.
    case decided(keep: String?, Correction?)
    /// The rejected step is sent again.
    case retried(seq: Int64, Correction?)
    /// The rejected step is given up.
    case givenUp(seq: Int64)
    /// A step that was never sent is taken back.
    case undone(seq: Int64)
    /// The remote lost the object, and the local state counts.
    case createdAgain
    /// The remote shows the object as it was before a restored backup, and the local state counts.
    /// - Parameters:
    ///   - latest: the row as it is now.
    ///   - ancestor: the row as the backup had it.
    case setAgain(latest: RemoteRecord, ancestor: RemoteRecord)
    /// All local changes are dropped.
    case purged
}

/// A local write that was made on an earlier state than the present one.
package struct StaleWrite: Sendable, Hashable {
    /// The state that the write was made on; nil where it is no longer known.
    package let seen: ObjectState?
    /// The fields that have changed since and that the write sets to another value; for a deletion empty.
    package let fields: [String]
    /// The object's fields as the write wants them; for a deletion empty.
    package let wanted: JSONObject

    package init(seen: ObjectState?, fields: [String] = [], wanted: JSONObject = [:]) {
        self.seen = seen
        self.fields = fields
        self.wanted = wanted
    }
}

/// Values that a person sets on top of a decision, or in place of refused ones.
package struct Correction: Sendable, Hashable {
    package let operations: FieldOperations
    /// Fields that were given as null.
    package let nulls: Set<String>
    /// The `objectId` that was given beside the values.
    package let objectId: String?

    package init(operations: FieldOperations, nulls: Set<String> = [], objectId: String? = nil) {
        self.operations = operations
        self.nulls = nulls
        self.objectId = objectId
    }
}

/// The reasons for which an event cannot be taken. The object stays as it was.
package enum LifeError: Error, Sendable, Hashable {
    /// The step with that number is not there, or not in the phase that the event is for.
    case noSuchStep
    /// A sent change cannot be taken back.
    case alreadySent
    /// There is no open conflict.
    case noConflict
    /// A deletion would have to wait for a decision while the outcome of a request is unknown.
    case outcomeUnknown
    /// The named object of the remote is not known here.
    case unknownObject(String)
}
