import ParseModel

/// What the engine has decided to do with an outbox entry after a push or a proof.
package enum Settlement: Sendable, Hashable {
    /// Executed: the base takes the change in, and stays provisional until the row is pulled.
    case acknowledged(Acknowledgement)
    /// Executed, and seen so in the remote's present row.
    case proven(RemoteRecord)
    /// The object is gone remotely, which is what was wanted.
    case deletionDone
    /// Surely not executed: waits again, as if it had not been sent. `wasAttempted` tells of earlier attempts.
    case notExecuted(wasAttempted: Bool, error: String?)
    /// Not seen in the remote's row: waits to be sent again, and that the first attempt arrives late is provided for.
    case sendAgain
    /// Whether it was executed does not matter to the deletion that follows. The row is as it is now, by whatever hand; nil
    /// where it cannot be read.
    case moot(RemoteRecord?)
    /// Not sent: another replica has made the object again, and this is its row.
    case madeByOthers(RemoteRecord)
    /// `at`: the server time at which the wait for an answer ended; nil where the remote has never told its time. `code`: the
    /// remote's own number for its failure, where it answered with one.
    case unknown(reason: String, at: ParseDate? = nil, code: Int? = nil)
    /// Refused for good. `wasAttempted`: an earlier attempt may have been executed all the same.
    case rejected(code: Int, message: String, wasAttempted: Bool = false)
    /// - Parameter others: ids of further objects that a create may have made.
    case conflict(ConflictKind, remote: RemoteRecord?, others: [String] = [])
}
