import ParseModel
import RemoteService
import StoreService

/// The local API's interface to the sync engine and to users' decisions.
///
/// A failing call throws `StoreError.notFound`, `StoreError.notPossible` or `ParseError`, unless its comment names other errors.
package protocol SyncControl: Sendable {
    /// Starts a sync, and returns at once. If a sync is running, the new one follows it.
    func start(_ request: SyncRequest) async
    /// Starts a sync and waits for its end.
    func run(_ request: SyncRequest) async -> SyncOutcome
    /// - Parameter principal: the caller. In a site replica, only the changes and decisions that the caller may list
    ///   are counted.
    func status(as principal: Principal) async throws -> SyncReport
    /// - Parameter observer: called after every event that may have changed `status`, perhaps many times per second, from any
    ///   thread. It must return immediately.
    func onChange(_ observer: @escaping @Sendable () -> Void)
    /// The names of the remote's classes; nil if the remote does not list them, or cannot be reached.
    func remoteClasses() async -> [String]?
    func pause() async throws
    func resume() async throws

    /// Changes of three kinds, ordered by id: changes to be sent, sent changes without an answer, and changes with an open
    /// conflict that asks whether the remote has applied them.
    /// - Parameter after: the id of an entry, here and in the next two lists. The list has the entries that follow it, at most
    ///   `DecisionLists.entriesMax`; nil for the first entries.
    func pending(after: Int64?, as principal: Principal) async throws -> [PendingChange]
    /// - Parameter match: the tags with which the entry may be decided, here and in the next decisions; nil for any state.
    func undoPending(_ id: Int64, match: TagMatch?, as principal: Principal) async throws
    func rejections(after: Int64?, as principal: Principal) async throws -> [PendingChange]
    /// - Parameter object: field values that replace the refused ones; nil to send the same change again. A null drops the
    ///   refused change of its field. Exception: in a create that the remote may have executed, the null deletes the field.
    func retryRejection(
        _ id: Int64, object: JSONObject?, match: TagMatch?, as principal: Principal
    ) async throws
    func giveUpRejection(_ id: Int64, match: TagMatch?, as principal: Principal) async throws
    /// - Parameter resolved: true for conflicts that a policy or a user has decided, false for open ones. Newest first.
    func conflicts(resolved: Bool, after: Int64?, as principal: Principal) async throws -> [ListedConflict]
    /// - Parameters:
    ///   - keep: `local`, `remote` or `merge`; for a change of unknown outcome `applied` or `sendAgain`. Nil counts as `remote`,
    ///     or for an unknown outcome as `applied`. After a remote deletion, nil makes a new object with the values of `object`.
    ///   - object: field values to set on the object after the decision; nil for none.
    func resolveConflict(
        _ id: Int64, keep: String?, object: JSONObject?, match: TagMatch?, as principal: Principal
    ) async throws
    func removals(as principal: Principal) async throws -> [HeldRemoval]
    func confirmRemoval(_ id: Int64, as principal: Principal) async throws
    func keepRemoval(_ id: Int64, as principal: Principal) async throws

    /// Whether the members of the class's relation fields are stored locally. True for an unknown class.
    func keepsMembers(of className: String) async throws -> Bool
    /// Waits until the first sync of a class is complete, for a limited time. Returns at once for a class that is not
    /// pulled, whose pulls the remote refuses, or whose pulls have stopped.
    /// - Returns: whether the class has been pulled completely.
    /// - Throws: `APIError.remoteUnreachable` if nothing of the class has been pulled completely in time.
    func waitForFirstSync(of className: String) async throws -> Bool
    /// Asks the remote of a site replica for the schema of a class whose permissions are not known yet. Unsent changes
    /// of the class are sent first.
    /// - Returns: whether the remote was asked now or shortly before, so that the permissions may be known.
    func describes(_ className: String) async -> Bool
    /// Whether all objects of a class are stored locally, with all fields.
    func keepsWhole(_ className: String) async throws -> Bool
    /// The `opField` of each class that has one, by class name. In this field, the sync keeps operation ids on the remote.
    func opFields() async throws -> [String: String]
    /// Sends a query to the remote, and returns the remote's answer unchanged.
    /// - Throws: `APIError.remoteUnreachable`, `APIError.remoteUnauthorized`, or `ParseError` if the remote refuses the query.
    func askRemote(_ className: String, _ parameters: JSONObject) async throws -> JSONObject

    /// Waits until the local writes before a forwarded request have reached the remote, except writes that wait for a user's
    /// decision. In a site replica, only the caller's own writes count.
    /// - Parameters:
    ///   - things: the objects and files that the forwarded request names.
    ///   - principal: the caller.
    /// - Throws: `APIError.queuedWrites` if an object of `things` waits for a decision, if a write waits for the write
    ///   of another user, if syncing is paused, or if sending fails or takes too long; `APIError.remoteUnreachable`.
    func waitForQueuedWrites(naming things: NamedThings, by principal: Principal) async throws
    /// Ends the running sync early, and begins no sync until `body` has ended.
    func withoutSyncs<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value
    /// The ids of the class's objects that the remote is known to have.
    func idsOnRemote(of className: String) async throws -> [String]
    /// Tells the sync that a forwarded request has deleted the objects on the remote. Their local removal needs no confirmation.
    func noteRemoteDeletion(_ objectIds: [String], of className: String) async throws
    /// Tells the sync that a forwarded request has changed a schema on the remote.
    func noteRemoteSchemaChange() async

    func classes() async throws -> [SyncedClass]
    /// The operators that the `where` of a pull of this class may use; nil for all of Parse's.
    func pullOperators(of className: String) -> Set<String>?
    /// Whether the remote stores all of Parse's values in objects of this class. The class then has no mapping.
    func storesParseValues(of className: String) -> Bool
    /// Begins to sync a class, or changes the options of a synced class.
    /// - Returns: the class's entry in `classes()`; nil if the class has been removed since.
    func registerClass(_ name: String, _ change: ClassOptionsChange) async throws -> SyncedClass?
    /// - Parameters:
    ///   - purge: whether to remove the class's objects from the file too.
    ///   - force: whether to go on even if unsent changes are lost.
    func unregisterClass(_ name: String, purge: Bool, force: Bool) async throws
    /// Removes objects from the file, never from the remote.
    /// - Parameters:
    ///   - query: selects the objects; nil for all objects of the class.
    ///   - force: whether to go on even if unsent changes are lost.
    /// - Returns: the number of removed objects.
    /// - Throws: `StoreError.notPossible` if changes would be lost and `force` is false.
    func purgeObjects(of name: String, _ query: ParseQuery?, force: Bool) async throws -> Int
}
