import StoreService

/// What a store could not do, and why. Errors of a request's content are `ParseError`.
package enum StoreError: Error, Sendable, Hashable {
    /// The disk is full; nothing of the transaction was kept.
    case diskFull
    /// A query has taken longer than its caller would wait.
    case tookTooLong
    /// The change feed does not reach to the number asked for: no longer, or not yet.
    case feedTrimmed(oldest: Int64, newest: Int64)
    /// The file was written by a newer version of the program.
    case newerFile(version: Int, supported: Int)
    /// The file has another program's contents.
    case foreignFile(path: String, reason: String)
    /// The file is missing or empty, beside other parts of a gateway's data, named by `beside`.
    case fileMissing(path: String, isEmpty: Bool, beside: [String])
    /// Another process has the data directory.
    case directoryInUse(path: String)
    /// The file belongs to something else: another remote, another mode, or it was copied.
    case identityMismatch(reason: String, hint: String)
    /// No such pending change, rejection, conflict, removal or class.
    case notFound(what: String)
    /// The state of things does not allow it.
    case notPossible(reason: String)
    /// The stored JSON of an object cannot be read.
    case damaged(className: String, objectId: String)
    /// The object is not in the state that a write was made for, but in this one.
    case stale(StoredObject)
    /// The object that a write was made for is gone.
    case gone
    /// SQLite's own word.
    case sqlite(operation: String, code: Int, message: String)
    /// The file system's own word.
    case file(operation: String, path: String, message: String)
}

extension StoreError: StoreFailure {
    package var isForWantOfRoom: Bool { self == .diskFull }
}

/// One line for a person, without a full stop.
extension StoreError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .diskFull: "the disk is full"
        case .tookTooLong: "the query took too long"
        case .feedTrimmed(let oldest, let newest): "the change feed holds the changes \(oldest) to \(newest)"
        case .newerFile(let version, let supported):
            "the file in the data directory has version \(version), and this program knows versions up to \(supported): "
                + "use a newer tidegate"
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
        case .damaged(let className, let objectId):
            "the object \(objectId) of \(className) is damaged in the local file"
        case .stale(let object): "the object \(object.objectId) has changed since the state that a change was made for"
        case .gone: "the object that a change was made for is gone"
        case .sqlite(let operation, let code, let message): "cannot \(operation): \(message) (SQLite \(code))"
        case .file(let operation, let path, let message): "cannot \(operation) \(path): \(message)"
        }
    }
}
