import ParseModel
import SyncModel

/// Lists the pending changes, rejections, conflicts and held removals (removals that wait for a decision), and carries
/// out decisions about them. A decision about a change or a conflict acts as the author of the change: the user who
/// made it, or the gateway. A decision about a held removal acts as the principal who decides.
///
/// Each decision throws `StoreError.notFound` for an unknown id, and `StoreError.notPossible` if the current state does
/// not allow the decision. A decision with `match` is made only if the entry has one of its tags, and throws
/// `StoreError.entryChanged` otherwise.
package protocol DecisionStore: Sendable {
    // MARK: Lists, at most `DecisionLists.entriesMax` entries each

    // `after` is the id of an entry: the list then has the entries that follow it. Nil lists the first entries.

    /// Changes that wait to be sent, and sent changes without a known outcome, sorted by id.
    func pendingChanges(after: Int64?, as principal: Principal) throws -> [PendingChange]
    /// Sent changes that may or may not have been applied, each with an open conflict that asks the user whether the
    /// remote has applied it.
    func changesInQuestion(after: Int64?, as principal: Principal) throws -> [PendingChange]
    /// Rejected changes: the remote refused the change or cannot store it, or the change failed repeatedly.
    func rejections(after: Int64?, as principal: Principal) throws -> [PendingChange]
    /// Conflicts, newest first.
    /// - Parameter resolved: true lists the resolved conflicts, false the open ones.
    func conflicts(resolved: Bool, after: Int64?, as principal: Principal) throws -> [ListedConflict]
    func removals(as principal: Principal) throws -> [HeldRemoval]
    /// The changes that have waited since `date` to be sent or for the outcome of their request. Objects with an open
    /// decision are left out: those with a rejection, a conflict or a held removal.
    func oldChanges(madeBy date: ParseDate, as principal: Principal) throws -> OldChanges

    // MARK: Decisions

    /// Withdraws a change that was never sent. Throws `StoreError.notPossible` for a change that was sent.
    func undoPending(_ id: Int64, match: TagMatch?, as principal: Principal) async throws
    /// Sends a rejected change again.
    /// - Parameter fields: values that replace those of the change; nil to send it unchanged.
    func retryRejection(_ id: Int64, fields: JSONObject?, match: TagMatch?, as principal: Principal) async throws
    /// Drops a rejected change. The object returns to its state without the change.
    func giveUpRejection(_ id: Int64, match: TagMatch?, as principal: Principal) async throws
    /// Resolves a conflict.
    /// - Parameters:
    ///   - keep: `local`, `remote` or `merge`; nil sets `fields` on top of the remote's state. For a change of unknown
    ///     outcome: `applied` (the remote has applied the change) or `sendAgain`; nil means `applied`.
    ///   - fields: the values to set in addition; nil for none.
    func resolveConflict(
        _ id: Int64, keep: String?, fields: JSONObject?, match: TagMatch?, as principal: Principal
    ) async throws
    /// Confirms a removal that waits for a decision. Its objects that are missing on the remote are deleted here. Its
    /// objects that the remote has in an older state return to this state.
    func confirmRemoval(_ id: Int64, as principal: Principal) async throws
    /// Rejects a removal that waits for a decision. Its objects stay, and the store queues changes that restore them on
    /// the remote.
    func keepRemoval(_ id: Int64, as principal: Principal) async throws

    // MARK: A client that waits for the remote

    /// What the store still has of a local write of the principal.
    func remains(of write: AwaitedWrite, by principal: Principal) throws -> WriteRemains

    // MARK: The outbox before a forwarded call

    /// The sequence number of the newest change in the outbox; 0 for an empty outbox.
    func latestWrite() throws -> Int64
    /// The state of the changes in the outbox with a sequence number of at most `number`.
    /// - Parameters:
    ///   - things: the objects and files that the call names.
    ///   - principal: the caller. In a site replica, only this author's changes count.
    func callersQueue(upTo number: Int64, naming things: NamedThings, by principal: Principal) throws -> CallersQueue
}

package enum DecisionLists {
    /// The maximum number of entries of a list.
    package static let entriesMax = 1000
}

/// The first entries of the lists.
extension DecisionStore {
    package func pendingChanges(as principal: Principal) throws -> [PendingChange] {
        try pendingChanges(after: nil, as: principal)
    }

    package func changesInQuestion(as principal: Principal) throws -> [PendingChange] {
        try changesInQuestion(after: nil, as: principal)
    }

    package func rejections(as principal: Principal) throws -> [PendingChange] {
        try rejections(after: nil, as: principal)
    }

    package func conflicts(resolved: Bool, as principal: Principal) throws -> [ListedConflict] {
        try conflicts(resolved: resolved, after: nil, as: principal)
    }
}
