/// An error of a store. Errors in the content of a request are `ParseError`.
package enum StoreError: Error, Sendable, Hashable {
    /// The disk is full. The transaction was rolled back.
    case diskFull
    /// A query exceeded its time limit, or its client disconnected.
    case tookTooLong
    /// A query exceeded its memory limit.
    case tooMuchMemory
    /// A query needs memory that other queries have in use. A later attempt can succeed.
    case memoryInUse
    /// The change feed cannot continue after the requested number: later entries were trimmed, or the feed has not reached the
    /// number.
    case feedTrimmed(oldest: Int64, newest: Int64)
    /// The file was written by a newer version of the program.
    case newerFile(version: Int, supported: Int)
    /// The file belongs to another program.
    case foreignFile(path: String, reason: String)
    /// The database file is missing or empty, although other files of a gateway (`beside`) are present.
    case fileMissing(path: String, isEmpty: Bool, beside: [String])
    /// Another process uses the data directory.
    case directoryInUse(path: String)
    /// The data directory belongs to another remote or to the other mode (replica or standalone), or is a copy of another
    /// gateway's directory.
    case identityMismatch(reason: String, hint: String)
    /// The pending change, rejection, conflict, removal or class does not exist.
    case notFound(what: String)
    /// The current state does not allow the operation.
    case notPossible(reason: String)
    /// A pending change, rejection or conflict has changed since the state that a decision was made for.
    case entryChanged
    /// The stored JSON of an object is unreadable.
    case damaged(className: String, objectId: String)
    /// The object's current state, which is attached, does not meet the conditions of the write (`WriteTerms`).
    case stale(StoredObject)
    /// A write with `If-Match` failed because there is no such object.
    case gone
    /// The database failed, or its content is unreadable. `reason` ends with the database's error code.
    case database(operation: String, reason: String)
    /// A file operation failed. `message` describes the `errno`.
    case file(operation: String, path: String, message: String)
}

/// A description for users: one sentence without a full stop.
extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .diskFull: "the disk is full"
        case .tookTooLong: "the query took too long"
        case .tooMuchMemory: "the query needs too much memory"
        case .memoryInUse: "other queries are using all the memory that queries may use"
        case .feedTrimmed(let oldest, let newest): "the change feed holds the changes \(oldest) to \(newest)"
        case .newerFile(let version, let supported):
            "the file in the data directory has version \(version), and this program knows versions up to \(supported): "
                + "use a newer tidegate, or the copy of the data directory from before the upgrade"
        case .foreignFile(let path, let reason):
            "\(path) is not a file of Tidegate (\(reason)): choose another data directory with --data"
        case .fileMissing(let path, let isEmpty, let beside):
            "\(path) is \(isEmpty ? "empty" : "missing"), but \(beside.joined(separator: " and ")) of an earlier gateway "
                + "\(beside.count == 1 ? "is" : "are") beside it: put the file back from a backup; to begin anew without its "
                + "objects, move \(beside.count == 1 ? "that" : "those") away first"
        case .directoryInUse(let path): "\(path) is in use by another tidegate"
        case .identityMismatch(let reason, let hint): "\(reason): \(hint)"
        case .notFound(let what): "not found: \(what)"
        case .notPossible(let reason): reason
        case .entryChanged: "the entry has changed since the state that a decision was made for"
        case .damaged(let className, let objectId):
            "the object \(objectId) of \(className) is damaged in the local file"
        case .stale(let object): "the object \(object.objectId) has changed since the state that a change was made for"
        case .gone: "the object that a change was made for is gone"
        case .database(let operation, let reason): "cannot \(operation): \(reason)"
        case .file(let operation, let path, let message): "cannot \(operation) \(path): \(message)"
        }
    }
}
