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
    /// Another process has the data directory.
    case directoryInUse(path: String)
    /// The file belongs to something else: another remote, another mode, or it was copied.
    case identityMismatch(reason: String, hint: String)
    /// No such pending change, rejection, conflict, removal or class.
    case notFound(what: String)
    /// The state of things does not allow it.
    case notPossible(reason: String)
    /// SQLite's own word.
    case sqlite(operation: String, code: Int, message: String)
    /// The file system's own word.
    case file(operation: String, path: String, message: String)
}
