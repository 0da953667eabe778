import ParseModel
import SyncModel

/// The store as the sync engine uses it. Each method is one transaction: rows, cursor, outbox and change feed change together
/// or not at all.
package protocol SyncStore: Sendable {
    // MARK: Classes
    func syncClasses() async throws -> [SyncClass]

    // MARK: Pull
    /// Applies one page and moves the pull's cursor.
    /// - Parameter began: the server time at which the pull began.
    func apply(
        _ changes: [RemoteChange], of pull: PullId, cursor: PullCursor?, began: ParseDate, isLast: Bool
    ) async throws -> PullTally
    /// Applies rows that were read for another reason than a pull; no cursor moves. The named objects that are not among
    /// `records` are gone.
    func apply(_ records: [RemoteRecord], gone: [String], of className: String) async throws -> PullTally

    /// A row was left out because it is too large. The record of it ends when the row arrives or no longer exists.
    func noteSkipped(_ row: SkippedRow, of pull: PullId) async throws
    /// The rows of a pull that were left out: all of them, and those without an older state here.
    func skippedIds(of pull: PullId) async throws -> (all: Set<String>, missing: Set<String>)
    func forgetSkipped(_ objectIds: [String], of className: String) async throws
    /// Stops the pulls of a class.
    /// - Parameter reason: nil to start them again.
    func setStopped(_ className: String, because reason: String?) async throws
    /// How many objects the pulls of a class hold together. For classes that are pulled in subsets.
    func pulledCount(of className: String) async throws -> Int

    /// The columns with relations to read.
    /// - Parameter before: server time. Relations that were read since then do not count.
    func waitingRelations(before: ParseDate) async throws -> [WaitingRelations]
    /// The relations to read of one column.
    /// - Parameter column: nil for all columns.
    func relationsToPull(of column: RelationField?, limit: Int, before: ParseDate) async throws -> [RelationPull]
    /// Owners that would lose a member of their base by these lists.
    func ownersLosingMembers(by lists: [BaseMembers]) async throws -> Set<Pointer>
    /// Stores members that were read at a server time.
    func setBaseMembers(_ relations: [BaseMembers], at serverTime: ParseDate, overlap: Duration) async throws

    /// The relations could not be read. A later sync reads them.
    func postponeRelations(_ relations: [RelationPull], at serverTime: ParseDate) async throws

    /// The remote refuses the pull. Its next answer to the pull ends this state.
    /// - Parameter refusal: the remote's message.
    func setRefusal(_ refusal: String, of pull: PullId) async throws

    // MARK: Sweep and audit
    /// How many objects of the pull the remote is expected to show.
    func baseCount(of pull: PullId) async throws -> Int
    /// Cuts a range into at most so many parts with about equal numbers of objects of the pull.
    func split(_ range: CreatedRange, of pull: PullId, into parts: Int) async throws -> [CountedRange]
    /// The ids of objects of the pull that the remote is known to have. `hidden` objects were pushed and are not expected in its
    /// lists, for example because of their ACL.
    func baseIds(
        of pull: PullId, created range: CreatedRange
    ) async throws -> (seen: Set<String>, hidden: Set<String>)
    /// A few objects that the remote is known to have, of the class and of another pulled class. If the remote shows none of them,
    /// its answers about missing objects are not believed.
    /// - Returns: at most two groups of one class each; empty if there are no other objects.
    func canaries(of className: String, besides objectIds: [String], max: Int) async throws -> [[Pointer]]
    /// The remote's latest known times of change of the objects, without objects that it is not known to have.
    func stamps(of objectIds: [String], in className: String) async throws -> [String: ParseDate]
    /// A sample of objects that together have each field of the newest and of the oldest rows of the class.
    /// - Returns: at most so many ids.
    func samples(of className: String, max: Int) async throws -> [String]
    /// Fields that unchanged objects have here and no longer have in their remote rows.
    func lostFields(in records: [RemoteRecord]) async throws -> [String]
    /// The next pull reads all rows of the class once more.
    func pullAnew(_ className: String) async throws
    /// Objects that were pushed, were not read since, and are not hidden.
    func provisionalIds(of className: String) async throws -> [String]
    func setAudited(_ pull: PullId, at serverTime: ParseDate) async throws
    func setRecentlyAudited(_ pull: PullId, at serverTime: ParseDate) async throws
    /// The time of change of one object in the order from the newest.
    /// - Parameter place: 0 for the newest object.
    /// - Returns: nil if the class has fewer objects.
    func updateTime(of className: String, newest place: Int) async throws -> ParseDate?
    /// Adds the objects to the pull.
    func join(_ objectIds: [String], _ pull: PullId) async throws
    /// Removes the objects from the pull. They stay in the store.
    func leave(_ objectIds: [String], _ pull: PullId) async throws
    /// Drops objects that no pull of the class holds and that have no pending changes or open decisions.
    /// - Returns: how many were dropped.
    func evictStrays(of className: String) async throws -> Int
    /// The ids of the held removal of the class; empty if there is none.
    func heldRemoval(in className: String) async throws -> Set<String>
    /// The ids among these that are held back.
    func heldRemoval(of objectIds: [String], in className: String) async throws -> Set<String>
    /// How many objects of the class are held back.
    func heldRemovalCount(in className: String) async throws -> Int
    /// Holds an implausibly large removal back, in place of an earlier one of the class.
    func holdRemoval(of objectIds: [String], in className: String, total: Int) async throws
    /// Forgets the held removal of the class.
    func dropHeldRemoval(in className: String) async throws

    // MARK: Acknowledged writes that the remote does not show
    /// Classes with acknowledged creates that were never shown, or with acknowledged edits whose row is still the older one.
    func classesWithUnseenWrites() async throws -> Set<String>
    /// The objects of such writes, without hidden ones.
    func unseenWrites(of className: String, max: Int) async throws -> [KnownObject]
    /// The ids among these with an acknowledged create that was never shown. Includes hidden objects.
    func unshownIds(among objectIds: [String], of className: String) async throws -> Set<String>
    /// A sync has looked for the objects and not found their acknowledged state.
    func noteLooks(at objectIds: [String], of className: String, at serverTime: ParseDate) async throws
    /// Marks unshown objects as hidden: the remote is no longer expected to show them.
    func hide(_ objectIds: [String], of className: String) async throws
    /// The objects whose base is newer than the given row, or that are held back.
    func objectsNewer(than rows: [RemoteRecord], of className: String) async throws -> [String: KnownObject]
    /// The most recently changed objects among those known before, newest first.
    func mostRecentlyChanged(
        besides gone: [String: Set<String>], knownBefore: [String: ParseDate], max: Int
    ) async throws -> [Pointer]
    /// Compares missing objects with the newest ones of their classes.
    /// - Parameter knownBefore: by class, the server time before which each existing object was known.
    func rollbackShape(
        of gone: [String: Set<String>], knownBefore: [String: ParseDate]
    ) async throws -> RollbackShape
    /// Whether a decision about a restored backup is open.
    func holdsRestoredBackup() async throws -> Bool
    /// Whether a full comparison is still to be made since the first sign of a restored backup.
    func comparesAllAfterRestore() async throws -> Bool
    func setComparedAllAfterRestore() async throws
    /// Objects that are held back because of a restored backup.
    func lostIds(of className: String, max: Int) async throws -> [String]
    func holdLost(_ lost: [LostObject], of className: String, because reason: RemovalReason) async throws
    /// The remote shows the objects again in the state here or a newer one.
    func releaseLost(_ objectIds: [String], of className: String) async throws

    // MARK: Push
    /// The first entries that wait to be sent, in order of creation, without held, rejected and frozen ones.
    func outbox(limit: Int) async throws -> [OutboxEntry]
    /// How many entries wait to be sent, including those that wait for other entries.
    func waitingCount() async throws -> Int
    /// Entries of unknown outcome, including those that an interrupted sync has left in flight.
    /// - Precondition: no request is in flight now.
    func unknownOutcomes() async throws -> [OutboxEntry]
    /// Marks entries as in flight before they are sent.
    /// - Returns: the entries that had not changed since they were read, in their new state.
    func freeze(_ entries: [OutboxEntry], at serverTime: ParseDate) async throws -> [OutboxEntry]
    /// - Returns: what the rows have brought, by class.
    func settle(_ settlements: [(entry: OutboxEntry, Settlement)]) async throws -> [String: PullTally]
    /// Requests for the objects got no answer. Their grace period begins at that server time.
    func noteUnanswered(_ objects: [Pointer], at endedAt: ParseDate) async throws
    /// Splits a create in two: an update that follows sets the named fields.
    func split(_ entry: OutboxEntry, deferring fields: [String]) async throws
    /// What is known of the objects that a create of unknown outcome may have made.
    func standing(of objectIds: [String], for entry: OutboxEntry) async throws -> CandidateStanding
    /// The views of the newest objects of a class, except one object.
    func sample(of className: String, besides objectId: String, max: Int) async throws -> [JSONObject]
    /// What is known of objects of one class that are to be made again, and the rows to compare them with.
    func remakes(of entries: [OutboxEntry], max: Int) async throws -> RemakeStanding

    // MARK: Files
    /// Files of waiting changes that the remote does not have, in the order of the changes.
    func filesToUpload(limit: Int) async throws -> [FileUpload]
    /// The remote has the file. Objects and changes with the file refer to the remote's name now.
    func fileIsUploaded(_ name: String, as remote: FileReference) async throws
    /// The remote refused the file for good. The changes that carry it become rejections.
    /// - Returns: the class of each such change.
    func fileIsRefused(_ name: String, code: Int, message: String) async throws -> [String]
    /// The upload failed. A later sync tries again.
    func fileUploadFailed(_ name: String, reason: String) async throws

    /// The remote refuses the class's field for ids of operations.
    /// - Parameter message: the remote's message.
    func noteRefusal(ofOpField opField: String, of className: String, _ message: String) async throws

    // MARK: The remote and the syncs
    /// Whether the remote accepts chosen ids; nil before the probe.
    func remoteAcceptsChosenIds() async throws -> Bool?
    func setRemoteAcceptsChosenIds(_ accepts: Bool?) async throws

    func setPaused(_ paused: Bool) async throws
    func setLastSync(_ date: ParseDate) async throws
}
