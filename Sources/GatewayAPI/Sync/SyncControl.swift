import ParseModel
import RemoteService
import StoreService

/// The sync engine and the decisions about changes, as the local API needs them.
///
/// Failing calls throw `StoreError.notFound`, `StoreError.notPossible` or `ParseError`.
package protocol SyncControl: Sendable {
    /// Starts a sync, after the running one if there is one, and does not wait.
    func start(_ request: SyncRequest) async
    /// Starts a sync and waits for its end.
    func run(_ request: SyncRequest) async -> SyncOutcome
    func status() async throws -> SyncReport
    /// - Parameter observer: called whenever the engine may have changed `status`, perhaps many times each
    ///   second, from any thread; must return at once.
    func onChange(_ observer: @escaping @Sendable () -> Void)
    func pause() async throws
    func resume() async throws

    /// Changes that wait, and sent ones of which a question is open, in the order of their ids.
    func pending(as principal: Principal) async throws -> [PendingChange]
    func undoPending(_ id: Int64, as principal: Principal) async throws
    func rejections(as principal: Principal) async throws -> [PendingChange]
    /// - Parameter object: fields that replace those of the refused change, where a null takes a field out; nil to send the same
    ///   again.
    func retryRejection(_ id: Int64, object: JSONObject?, as principal: Principal) async throws
    func giveUpRejection(_ id: Int64, as principal: Principal) async throws
    /// - Parameter resolved: true for conflicts that a policy or a person has decided, false for open ones.
    func conflicts(resolved: Bool, as principal: Principal) async throws -> [ListedConflict]
    /// - Parameters:
    ///   - keep: nil where the object is the answer.
    ///   - object: field values to set on top of the decided state; on top of the remote's state where `keep` is nil.
    func resolveConflict(
        _ id: Int64, keep: String?, object: JSONObject?, as principal: Principal
    ) async throws
    func removals(as principal: Principal) async throws -> [HeldRemoval]
    func confirmRemoval(_ id: Int64, as principal: Principal) async throws
    func keepRemoval(_ id: Int64, as principal: Principal) async throws

    /// Whether the members of a class's relations are kept here.
    func keepsMembers(of className: String) async throws -> Bool
    /// Whether all objects of a class are kept here, with all their fields.
    func keepsWhole(_ className: String) async throws -> Bool
    /// The field of each class in which the sync keeps ids of operations on the remote.
    func opFields() async throws -> [String: String]
    /// The remote's answer to a query, as it gives it.
    /// - Throws: `APIError.remoteUnreachable`, or `ParseError` as the remote refuses it.
    func askRemote(_ className: String, _ parameters: JSONObject) async throws -> JSONObject

    /// Returns when all earlier writes have reached the remote. A write that waits for a person's decision, or
    /// for an object that does, is not waited for.
    /// - Parameter things: the objects and files that the call names.
    /// - Throws: `APIError.queuedWrites` where one of the things waits for a decision, syncing is paused or the time is
    ///   over; `APIError.remoteUnreachable`.
    func letQueuedWritesPass(naming things: NamedThings) async throws
    /// The objects of a class that the remote is known to have.
    func idsOnRemote(of className: String) async throws -> [String]
    /// A call through this gateway made the remote drop the objects, so the removal needs no confirmation.
    func remoteHasDropped(_ objectIds: [String], of className: String) async throws
    /// A call through this gateway made the remote change a class.
    func remoteSchemaHasChanged() async

    func classes() async throws -> [SyncedClass]
    /// The operators that a query of a pull of the class may have; nil for all of Parse's.
    func pullOperators(of className: String) -> Set<String>?
    /// - Returns: the class as `classes()` lists it.
    func registerClass(_ name: String, _ change: ClassOptionsChange) async throws -> SyncedClass?
    /// - Parameters:
    ///   - purge: also drop the class's objects from the file.
    ///   - force: also where changes that are not on the remote are lost with it.
    func unregisterClass(_ name: String, purge: Bool, force: Bool) async throws
    /// Drops objects from the file, never from the remote.
    /// - Parameter query: nil for all objects of the class.
    /// - Returns: how many.
    func purgeObjects(of name: String, _ query: ParseQuery?, force: Bool) async throws -> Int
}
