import ParseModel
import SyncModel

/// Lists of the pending changes, rejections, conflicts and held removals of all authors, and the user's decisions about these
/// entries. A decision about a change acts as the author that sends the change. A decision about a conflict acts as the
/// author whose change is in conflict. A decision about a held removal acts as the author of the principal who decides.
///
/// Each decision throws `StoreError.notFound` for an unknown id, and `StoreError.notPossible` if the current state does
/// not allow the decision.
package protocol DecisionStore: Sendable {
    // MARK: Lists, at most 1,000 entries each

    /// Changes that wait to be sent, and sent changes without a known outcome, sorted by id.
    func pendingChanges(as principal: Principal) throws -> [PendingChange]
    /// Changes of unknown outcome with an open conflict that asks whether the remote has applied them.
    func changesInQuestion(as principal: Principal) throws -> [PendingChange]
    /// Rejected changes: the remote refused the change or cannot store it, or the change failed repeatedly.
    func rejections(as principal: Principal) throws -> [PendingChange]
    /// Conflicts, newest first.
    /// - Parameter resolved: true lists the resolved conflicts, false the open ones.
    func conflicts(resolved: Bool, as principal: Principal) throws -> [ListedConflict]
    func removals(as principal: Principal) throws -> [HeldRemoval]

    // MARK: Decisions

    /// Withdraws a change that was never sent. Throws `StoreError.notPossible` for a change that was sent.
    func undoPending(_ id: Int64, as principal: Principal) async throws
    /// Sends a rejected change again.
    /// - Parameter fields: values that replace those of the change; nil to send it unchanged.
    func retryRejection(_ id: Int64, fields: JSONObject?, as principal: Principal) async throws
    /// Drops a rejected change. The object returns to its state without the change.
    func giveUpRejection(_ id: Int64, as principal: Principal) async throws
    /// Resolves a conflict.
    /// - Parameters:
    ///   - keep: `local`, `remote` or `merge`; nil sets `fields` on top of the remote's state. For a change of unknown outcome:
    ///     `applied` or `sendAgain`; nil means `applied`.
    ///   - fields: values to set in addition to the decision.
    func resolveConflict(_ id: Int64, keep: String?, fields: JSONObject?, as principal: Principal) async throws
    /// Confirms a held removal. Objects missing on the remote are removed here, and objects older there take the remote's state.
    func confirmRemoval(_ id: Int64, as principal: Principal) async throws
    /// Rejects a held removal. The removal's objects stay, and the store queues changes that restore them on the remote.
    func keepRemoval(_ id: Int64, as principal: Principal) async throws

    // MARK: The outbox ahead of a forwarded call

    /// The sequence number of the newest change in the outbox; 0 for an empty outbox.
    func latestWrite() throws -> Int64
    /// The state of the changes with a sequence number up to `number`.
    /// - Parameters:
    ///   - things: the objects and files that the call names.
    ///   - principal: the caller. In a site replica, only this author's changes count.
    func callersQueue(upTo number: Int64, naming things: NamedThings, by principal: Principal) throws -> CallersQueue
}
