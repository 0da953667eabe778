import ParseModel
import SyncModel

/// Pending changes, rejections, conflicts and held removals of a replica: lists for the page and the API, and the user's
/// decisions about them.
///
/// Decisions throw `StoreError.notFound` for an id that is not in its list, and `StoreError.notPossible` for a change that has been sent.
package protocol DecisionStore: Sendable {
    // MARK: Lists, at most 1,000 entries each

    /// Changes to be sent, in order of their ids.
    func pendingChanges(as principal: Principal) throws -> [PendingChange]
    /// Changes of unknown outcome in an open conflict that asks whether they were applied.
    func changesInQuestion(as principal: Principal) throws -> [PendingChange]
    /// Changes that the remote refused.
    func rejections(as principal: Principal) throws -> [PendingChange]
    /// The conflicts, newest first.
    /// - Parameter resolved: true for resolved conflicts, false for open ones.
    func conflicts(resolved: Bool, as principal: Principal) throws -> [ListedConflict]
    func removals(as principal: Principal) throws -> [HeldRemoval]

    // MARK: Decisions

    /// Withdraws a change that was never sent.
    func undoPending(_ id: Int64, as principal: Principal) async throws
    /// - Parameter fields: values that replace the refused ones; nil sends the same change again.
    func retryRejection(_ id: Int64, fields: JSONObject?, as principal: Principal) async throws
    /// Drops a refused change. The object returns to its state without the change.
    func giveUpRejection(_ id: Int64, as principal: Principal) async throws
    /// - Parameters:
    ///   - keep: `local`, `remote` or `merge`; for a change of unknown outcome `applied` or `sendAgain`. Nil to set `fields` over
    ///     the remote's state.
    ///   - fields: values to set on top of the decision.
    func resolveConflict(_ id: Int64, keep: String?, fields: JSONObject?, as principal: Principal) async throws
    /// Removes the objects of a held removal from the store.
    func confirmRemoval(_ id: Int64, as principal: Principal) async throws
    /// Keeps the objects of a held removal, and creates them on the remote again.
    func keepRemoval(_ id: Int64, as principal: Principal) async throws

    // MARK: The outbox ahead of a forwarded call

    /// The first of the named objects that has a rejection or an open conflict; nil without one.
    func undecidedObject(among things: NamedThings) throws -> Pointer?
    /// The number of the newest change in the outbox; 0 for an empty outbox.
    func latestWrite() throws -> Int64
    /// The number of changes, up to a number, that have not reached the remote.
    /// - Parameter undecided: whether to count rejections and held changes too.
    func writesWaiting(upTo number: Int64, undecided: Bool) throws -> Int
}
