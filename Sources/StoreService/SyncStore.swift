import ParseModel
import SyncModel

/// What the sync engine needs of a store. Each method is one transaction: rows, cursor, outbox and change feed
/// move together or not at all.
package protocol SyncStore: Sendable {
    // MARK: Classes
    func syncClasses() async throws -> [SyncClass]

    // MARK: Pull
    /// Applies one page and moves the pull's cursor.
    /// - Parameter began: the server time at which the pull began.
    func apply(
        _ changes: [RemoteChange], of pull: PullId, cursor: PullCursor?, began: ParseDate, isLast: Bool,
        rebase: @escaping Rebase
    ) async throws -> PullTally
    /// Applies rows that were read for another reason than a pull; no cursor moves. The named objects that are not among
    /// `records` are gone.
    func apply(
        _ records: [RemoteRecord], gone: [String], of className: String, rebase: @escaping Rebase
    ) async throws -> PullTally

    /// A row that is more than is taken in was left out. It is forgotten when it comes after all, or is gone.
    func noteSkipped(_ row: SkippedRow, of pull: PullId) async throws
    /// The rows of a pull that were left out, and those of them of which no older state is here either.
    func skippedIds(of pull: PullId) async throws -> (all: Set<String>, missing: Set<String>)
    func forgetSkipped(_ objectIds: [String], of className: String) async throws
    /// The class is not pulled any further, for that reason; nil where it is pulled again.
    func setStopped(_ className: String, because reason: String?) async throws
    /// How many objects the pulls of a class hold, where none of them is the whole class.
    func pulledCount(of className: String) async throws -> Int

    /// The columns whose relations have to be read and have not been since a server time.
    func waitingRelations(before: ParseDate) async throws -> [WaitingRelations]
    /// Such relations of one column.
    func relationsToPull(of column: RelationField?, limit: Int, before: ParseDate) async throws -> [RelationPull]
    /// Owners that would lose a member by these lists which the remote was known to have.
    func ownersLosingMembers(by lists: [BaseMembers]) async throws -> Set<Pointer>
    /// Takes in members that were read at a server time.
    func setBaseMembers(_ relations: [BaseMembers], at serverTime: ParseDate, overlap: Duration) async throws

    /// The relations could not be read; they are asked about again in a later sync.
    func postponeRelations(_ relations: [RelationPull], at serverTime: ParseDate) async throws

    /// The remote refuses the pull, until it has answered it again.
    /// - Parameter refusal: the remote's words.
    func setRefusal(_ refusal: String, of pull: PullId) async throws

    // MARK: Sweep and audit
    /// How many objects of the pull the remote is known to have, and to show us.
    func baseCount(of pull: PullId) async throws -> Int
    /// Cuts a range into at most so many parts, each with about as many objects of the pull.
    func split(_ range: CreatedRange, of pull: PullId, into parts: Int) async throws -> [CountedRange]
    /// The ids of objects of the pull that the remote is known to have. `hidden` are those that an ACL keeps from us: they
    /// were pushed and never pulled.
    func baseIds(
        of pull: PullId, created range: CreatedRange
    ) async throws -> (seen: Set<String>, hidden: Set<String>)
    /// A few objects that the remote is known to have, of the class and of another one that is pulled.
    /// - Returns: groups of one class each, at most two; empty where there are no objects besides those named.
    func witnesses(of className: String, besides objectIds: [String], max: Int) async throws -> [[Pointer]]
    /// When those of the objects that the remote is known to have were last changed there, as it is known here.
    func stamps(of objectIds: [String], in className: String) async throws -> [String: ParseDate]
    /// Objects of the class that between them have each field that its newest and its oldest rows have.
    /// - Returns: ids, at most so many.
    func samples(of className: String, max: Int) async throws -> [String]
    /// Fields that objects have here and that their rows no longer have, though they have not been changed since.
    func lostFields(in records: [RemoteRecord]) async throws -> [String]
    /// All rows of the class are read once more.
    func pullAnew(_ className: String) async throws
    /// Objects that were pushed and not read since, and are not hidden.
    func provisionalIds(of className: String) async throws -> [String]
    func setAudited(_ pull: PullId, at serverTime: ParseDate) async throws
    func setRecentlyAudited(_ pull: PullId, at serverTime: ParseDate) async throws
    /// When the object of the class was last changed that stands at a place in the order from the newest, which has place 0.
    /// - Returns: nil where the class has fewer objects.
    func updateTime(of className: String, newest place: Int) async throws -> ParseDate?
    /// The objects belong to the pull, or no longer do.
    func join(_ objectIds: [String], _ pull: PullId) async throws
    func leave(_ objectIds: [String], _ pull: PullId) async throws
    /// Drops objects from the store that no pull of the class holds and that have nothing to wait for.
    /// - Returns: how many.
    func evictStrays(of className: String) async throws -> Int
    /// The ids of a removal that is held back; empty where none is.
    func heldRemoval(in className: String) async throws -> Set<String>
    /// Those of the ids that are held back.
    func heldRemoval(of objectIds: [String], in className: String) async throws -> Set<String>
    /// How many objects are held back.
    func heldRemovalCount(in className: String) async throws -> Int
    /// Records a removal that is too large to believe; replaces an earlier one of the class.
    func holdRemoval(of objectIds: [String], in className: String, total: Int) async throws
    /// Forgets a removal that is held back and no longer needed.
    func dropHeldRemoval(in className: String) async throws

    // MARK: Objects that were acknowledged or shown, and are not shown any more
    /// Classes with creates that were acknowledged and not shown yet, or with edits of which an older row was shown since.
    func classesWithUnseenWrites() async throws -> Set<String>
    /// Those objects; without the ones that are hidden already.
    func unseenWrites(of className: String, max: Int) async throws -> [KnownObject]
    /// Those of the ids whose create was acknowledged and that were never shown, hidden ones included.
    func unshownIds(among objectIds: [String], of className: String) async throws -> Set<String>
    /// A sync has looked for acknowledged objects in vain.
    func noteLooks(at objectIds: [String], of className: String, at serverTime: ParseDate) async throws
    /// Objects that were never shown are not expected to be any more.
    func hide(_ objectIds: [String], of className: String) async throws
    /// Those objects whose base is newer than their row here, or that are held back.
    func objectsNewer(than rows: [RemoteRecord], of className: String) async throws -> [String: KnownObject]
    /// The objects that were last changed of those that were known before, newest first.
    func mostRecentlyChanged(
        besides gone: [String: Set<String>], knownBefore: [String: ParseDate], max: Int
    ) async throws -> [Pointer]
    /// - Parameter knownBefore: by class, the server time before which an object that is there was known to be.
    func rollbackShape(
        of gone: [String: Set<String>], knownBefore: [String: ParseDate]
    ) async throws -> RollbackShape
    /// Whether a person is being asked about a restored backup.
    func holdsRestoredBackup() async throws -> Bool
    /// Whether everything has still to be compared since the first sign of a restored backup.
    func comparesAllAfterRestore() async throws -> Bool
    func setComparedAllAfterRestore() async throws
    /// Objects that a person is being asked about because of a restored backup.
    func lostIds(of className: String, max: Int) async throws -> [String]
    func holdLost(_ lost: [LostObject], of className: String, because reason: RemovalReason) async throws
    /// The remote shows the objects again as they are here, or newer.
    func releaseLost(_ objectIds: [String], of className: String) async throws

    // MARK: Push
    /// The first entries that wait to be sent, in order of making; neither held nor rejected nor frozen ones.
    func outbox(limit: Int) async throws -> [OutboxEntry]
    /// How many entries wait to be sent, those included that wait for others.
    func waitingCount() async throws -> Int
    /// Entries whose outcome is not known, those included that a sync which ended early has left on their way.
    /// To be asked only while no request is under way.
    func unknownOutcomes() async throws -> [OutboxEntry]
    /// Marks entries as in flight, on disk, before they are sent.
    /// - Returns: those of the entries that were still as they were read, as they are now.
    func freeze(_ entries: [OutboxEntry], at serverTime: ParseDate) async throws -> [OutboxEntry]
    /// - Parameter rebase: for what others have made of an object since a request of ours that its row proves.
    /// - Returns: what the rows have brought, by class.
    func settle(
        _ settlements: [(entry: OutboxEntry, Settlement)], rebase: @escaping Rebase
    ) async throws -> [String: PullTally]
    /// A request on each of the objects got no answer, and may still arrive for a while after that server time.
    func noteUnanswered(_ objects: [Pointer], at endedAt: ParseDate) async throws
    /// Splits a create in two: the named fields are set by an update that follows.
    func split(_ entry: OutboxEntry, deferring fields: [String]) async throws
    /// The knowledge about objects that a create of unknown outcome may have made.
    func standing(of objectIds: [String], for entry: OutboxEntry) async throws -> CandidateStanding
    /// The latest objects of a class as they are shown, without one of them.
    func sample(of className: String, besides objectId: String, max: Int) async throws -> [JSONObject]
    /// The objects of one class that wait to be made again, and the rows to compare them with.
    func remakes(of entries: [OutboxEntry], max: Int) async throws -> RemakeStanding

    // MARK: Files
    /// Files that the remote does not have and that changes which wait to be sent carry, in order of those.
    func filesToUpload(limit: Int) async throws -> [FileUpload]
    /// The remote has the file: whatever carries it here carries the remote's name for it now.
    func fileIsUploaded(_ name: String, as remote: FileReference) async throws
    /// The remote refused the file for good, and with it the changes that carry it.
    /// - Returns: the classes of those, one for each change.
    func fileIsRefused(_ name: String, code: Int, message: String) async throws -> [String]
    /// The remote failed over the file; it is tried again in a later sync.
    func fileUploadFailed(_ name: String, reason: String) async throws

    /// The remote does not take the class's field for ids of operations.
    /// - Parameter message: the remote's own words.
    func noteRefusal(ofOpField opField: String, of className: String, _ message: String) async throws

    // MARK: What is known of the remote
    func remoteAcceptsChosenIds() async throws -> Bool?
    func setRemoteAcceptsChosenIds(_ accepts: Bool?) async throws

    // MARK: What is known of syncing
    func setPaused(_ paused: Bool) async throws
    func setLastSync(_ date: ParseDate) async throws
}
