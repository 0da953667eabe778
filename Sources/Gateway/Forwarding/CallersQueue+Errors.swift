import GatewayAPI
import ParseModel
import StoreService

extension CallersQueue {
    /// - Throws: `APIError.queuedWrites` if the call names an object with a refused change or an open conflict.
    func checkUndecided() throws(APIError) {
        guard let undecided else { return }
        throw isUnsent(
            "\(undecided.className)/\(undecided.objectId), which the call names, has a refused change or an open conflict."
        )
    }

    /// - Throws: `APIError.queuedWrites` if one of the caller's changes waits for a change of another user. The call
    ///   does not wait for that user's session.
    func checkOthers() throws(APIError) {
        if waitsForOthers { throw isUnsent("Some wait for changes of another user.") }
    }

    /// The error of a call that is not sent because of the earlier writes.
    func isUnsent(_ reason: String) -> APIError {
        .queuedWrites(
            ahead: unacknowledged,
            reason: "Not sent: \(unacknowledged.counted("earlier write")) not on the remote yet. \(reason) "
                + "X-Tidegate-Forward: now sends it all the same.")
    }
}
