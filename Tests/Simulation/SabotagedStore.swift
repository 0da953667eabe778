import ParseModel
import RemoteService
import StoreService
import SyncEngine
import SyncModel

/// A store with a deliberate bug (`Sabotage`) in some calls.
struct SabotagedStore: SyncStore {
    let store: any SyncStore
    let sabotage: Sabotage
    private let outdated: OutdatedPointers

    init(store: any SyncStore, sabotage: Sabotage) {
        self.store = store
        self.sabotage = sabotage
        outdated = OutdatedPointers()
    }

    func apply(
        _ changes: [RemoteChange], of pull: PullId, cursor: PullCursor?, began: ParseDate, isLast: Bool
    ) async throws -> PullTally {
        guard sabotage == .cursorBeforeRows else {
            return try await store.apply(changes, of: pull, cursor: cursor, began: began, isLast: isLast)
        }
        _ = try await store.apply([], of: pull, cursor: cursor, began: began, isLast: true)
        return try await store.apply(changes, of: pull, cursor: nil, began: began, isLast: isLast)
    }

    func apply(_ records: [RemoteRecord], gone: [String], of className: String) async throws -> PullTally {
        try await store.apply(records, gone: gone, of: className)
    }

    func freeze(_ entries: [OutboxEntry], at serverTime: ParseDate) async throws -> [OutboxEntry] {
        if sabotage == .nothingFrozen { return entries }
        let frozen = try await store.freeze(entries, at: serverTime)
        return switch sabotage {
        case .pointersOutdated: frozen.map(outdated.restored)
        case .recreatedWithoutLog: frozen.map(withoutLog)
        default: frozen
        }
    }

    private func withoutLog(_ entry: OutboxEntry) -> OutboxEntry {
        guard entry.step.isRecreate else { return entry }
        var operations = entry.step.operations
        operations["log"] = .set([])
        operations["n"] = .set(0)
        return entry.sending(operations)
    }

    func settle(
        _ settlements: [(entry: OutboxEntry, Settlement)]
    ) async throws -> [String: PullTally] {
        try await store.settle(
            settlements.map { entry, settlement in
                switch (sabotage, settlement) {
                case (.refusalDropped, .rejected): (entry, .deletionDone)
                case (.sentAgain, .dropped) where entry.step.isSentOnce: (entry, .sendAgain)
                case (.deletionsForgotten, .unknown) where entry.step.kind == .delete:
                    (entry, .moot(entry.base.map { RemoteRecord(entry.pointer, $0) }))
                case (.recreateResent, .acknowledged) where entry.step.isRecreate && entry.attempts <= 1:
                    (entry, .sendAgain)
                case (.graceFromBeginning, .unknown(let reason, _, let code)):
                    (entry, .unknown(reason: reason, at: entry.attemptedAt, code: code))
                case (.equalTaken, .conflict(.wasThisApplied, let row?, _)) where ProofRules.holds(row, of: entry):
                    (entry, .proven(row))
                default: (entry, settlement)
                }
            })
    }

    func waitingAuthors() async throws -> [SyncAuthor] { try await store.waitingAuthors() }
    func sending(for author: SyncAuthor) async throws -> any SyncStore {
        Self(store: try await store.sending(for: author), sabotage: sabotage)
    }
    func classesWithUnknownCreates() async throws -> Set<String> { try await store.classesWithUnknownCreates() }
    func unknownOutcomes() async throws -> [OutboxEntry] {
        let entries = try await store.unknownOutcomes()
        guard sabotage == .restoredResent else { return entries }
        let restored = entries.filter { $0.step.restoration != .none }
        try await store.settle(restored.map { ($0, .sendAgain) })
        return entries.filter { $0.step.restoration == .none }
    }

    func syncClasses() async throws -> [SyncClass] { try await store.syncClasses() }
    func mapping(of className: String) async throws -> ClassMapping { try await store.mapping(of: className) }
    func recorded(_ fact: RemoteFact) async throws -> String? { try await store.recorded(fact) }
    func record(_ fact: RemoteFact, _ value: String) async throws -> String { try await store.record(fact, value) }
    func note(_ fact: RemoteFact, _ value: String) async throws { try await store.note(fact, value) }
    func baseCount(of pull: PullId) async throws -> Int {
        try await store.baseCount(of: pull)
    }
    func listedCount(of pull: PullId) async throws -> Int { try await store.listedCount(of: pull) }
    func listedIds(of pull: PullId, among objectIds: [String]) async throws -> [String] {
        try await store.listedIds(of: pull, among: objectIds)
    }
    func split(_ range: CreatedRange, of pull: PullId, into parts: Int) async throws -> [CountedRange] {
        try await store.split(range, of: pull, into: parts)
    }
    func baseIds(
        of pull: PullId, created range: CreatedRange
    ) async throws -> (seen: Set<String>, hidden: Set<String>) {
        try await store.baseIds(of: pull, created: range)
    }
    func noteSkipped(_ row: SkippedRow, of pull: PullId) async throws {
        try await store.noteSkipped(row, of: pull)
    }
    func skippedIds(of pull: PullId) async throws -> (all: Set<String>, missing: Set<String>) {
        try await store.skippedIds(of: pull)
    }
    func forgetSkipped(_ objectIds: [String], of className: String) async throws {
        try await store.forgetSkipped(objectIds, of: className)
    }
    func pulledCount(of className: String) async throws -> Int { try await store.pulledCount(of: className) }

    func setStopped(_ className: String, because reason: String?) async throws {
        try await store.setStopped(className, because: reason)
    }
    func waitingRelations(before: ParseDate) async throws -> [WaitingRelations] {
        try await store.waitingRelations(before: before)
    }
    func relationsToPull(of column: RelationField?, limit: Int, before: ParseDate) async throws -> [RelationPull] {
        try await store.relationsToPull(of: column, limit: limit, before: before)
    }
    func ownersLosingMembers(by lists: [BaseMembers]) async throws -> Set<Pointer> {
        try await store.ownersLosingMembers(by: lists)
    }
    func postponeRelations(_ relations: [RelationPull], at serverTime: ParseDate) async throws {
        try await store.postponeRelations(relations, at: serverTime)
    }
    func setBaseMembers(_ relations: [BaseMembers], at serverTime: ParseDate, overlap: Duration) async throws {
        try await store.setBaseMembers(relations, at: serverTime, overlap: overlap)
    }
    func canaries(of className: String, besides objectIds: [String], max: Int) async throws -> [[Pointer]] {
        if sabotage == .emptyListsBelieved { return [] }
        return try await store.canaries(of: className, besides: objectIds, max: max)
    }
    func stamps(of objectIds: [String], in className: String) async throws -> [String: ParseDate] {
        try await store.stamps(of: objectIds, in: className)
    }
    func provisionalIds(of className: String) async throws -> [String] {
        try await store.provisionalIds(of: className)
    }
    func setAudited(_ pull: PullId, at serverTime: ParseDate) async throws {
        try await store.setAudited(pull, at: serverTime)
    }
    func setRecentlyAudited(_ pull: PullId, at serverTime: ParseDate) async throws {
        try await store.setRecentlyAudited(pull, at: serverTime)
    }
    func baseIds(of pull: PullId, among objectIds: [String]) async throws -> [String] {
        try await store.baseIds(of: pull, among: objectIds)
    }

    func setDeletionsSince(_ position: String?, of pull: PullId) async throws {
        try await store.setDeletionsSince(position, of: pull)
    }

    func setRefusal(_ refusal: String, of pull: PullId, hidesObjects: Bool) async throws {
        if sabotage == .refusedClassShown { return }
        try await store.setRefusal(refusal, of: pull, hidesObjects: hidesObjects)
    }
    var reader: String? { store.reader }
    func watchState() async throws -> WatchState {
        var state = try await store.watchState()
        if sabotage == .rolesUnwatched { state.roles = nil }
        return state
    }
    func setWatchState(_ state: WatchState) async throws { try await store.setWatchState(state) }
    func scrub(
        of className: String, after last: String?, in syncs: Int, bounds: ClosedRange<Int>
    ) async throws -> (ids: [String], last: String?) {
        if sabotage == .scrubLeftOut { return ([], nil) }
        return try await store.scrub(of: className, after: last, in: syncs, bounds: bounds)
    }
    func representatives(after last: Int64, max: Int, in classNames: [String]) async throws -> [WatchedACL] {
        if sabotage == .rolesUnwatched { return [] }
        return try await store.representatives(after: last, max: max, in: classNames)
    }
    func objects(ofACL number: Int64, max: Int) async throws -> [Pointer] {
        try await store.objects(ofACL: number, max: max)
    }
    func fieldCanaries(of className: String, after place: CanaryPlace, max: Int) async throws -> CanaryPlace {
        if sabotage == .fieldsUnwatched { return CanaryPlace() }
        return try await store.fieldCanaries(of: className, after: place, max: max)
    }
    func fieldDifferences(in records: [RemoteRecord]) async throws -> (lost: [String], new: [String]) {
        try await store.fieldDifferences(in: records)
    }
    func givenAwayIds(of className: String, max: Int) async throws -> [String] {
        try await store.givenAwayIds(of: className, max: max)
    }
    func lostByRole(
        _ missing: [String], of className: String, still roles: Set<String>
    ) async throws -> Set<String> {
        try await store.lostByRole(missing, of: className, still: roles)
    }
    func updateTime(of className: String, newest place: Int) async throws -> ParseDate? {
        try await store.updateTime(of: className, newest: place)
    }
    func samples(of className: String, max: Int) async throws -> [String] {
        try await store.samples(of: className, max: max)
    }
    func lostFields(in records: [RemoteRecord]) async throws -> [String] {
        try await store.lostFields(in: records)
    }
    func pullAnew(_ className: String) async throws { try await store.pullAnew(className) }
    func join(_ objectIds: [String], _ pull: PullId) async throws { try await store.join(objectIds, pull) }
    func leave(_ objectIds: [String], _ pull: PullId) async throws { try await store.leave(objectIds, pull) }
    func pushedStrays(of className: String) async throws -> [String] { try await store.pushedStrays(of: className) }
    func keptStrays(of className: String) async throws -> [String] { try await store.keptStrays(of: className) }
    var rowsTogether: Int { store.rowsTogether }

    func evictStrays(of className: String, besides missing: Set<String>) async throws -> Int {
        try await store.evictStrays(of: className, besides: missing)
    }
    func heldRemoval(in className: String) async throws -> Set<String> { try await store.heldRemoval(in: className) }
    func holdRemoval(of objectIds: [String], in className: String, total: Int) async throws {
        guard sabotage != .emptyListsBelieved else {
            _ = try await store.apply([], gone: objectIds, of: className)
            return
        }
        if sabotage == .heldShown { return }
        try await store.holdRemoval(of: objectIds, in: className, total: total)
    }
    func dropHeldRemoval(in className: String) async throws { try await store.dropHeldRemoval(in: className) }
    func classesWithUnseenWrites() async throws -> Set<String> { try await store.classesWithUnseenWrites() }
    func unseenWrites(of className: String, max: Int) async throws -> [KnownObject] {
        try await store.unseenWrites(of: className, max: max)
    }
    func unshownIds(among objectIds: [String], of className: String) async throws -> Set<String> {
        try await store.unshownIds(among: objectIds, of: className)
    }
    func noteOlderRows(of objectIds: [String], of className: String, at serverTime: ParseDate) async throws {
        try await store.noteOlderRows(of: objectIds, of: className, at: serverTime)
    }
    func noteLooks(at objectIds: [String], of className: String, at serverTime: ParseDate) async throws {
        guard sabotage != .unshownDropped else {
            _ = try await store.apply([], gone: objectIds, of: className)
            return
        }
        try await store.noteLooks(at: objectIds, of: className, at: serverTime)
    }
    func hide(_ objectIds: [String], of className: String) async throws {
        try await store.hide(objectIds, of: className)
    }
    func objectsNewer(than rows: [RemoteRecord], of className: String) async throws -> [String: KnownObject] {
        if sabotage == .backupBelieved { return [:] }
        return try await store.objectsNewer(than: rows, of: className)
    }
    func mostRecentlyChanged(
        besides gone: [String: Set<String>], knownBefore: [String: ParseDate], max: Int
    ) async throws -> [Pointer] {
        try await store.mostRecentlyChanged(besides: gone, knownBefore: knownBefore, max: max)
    }
    func rollbackShape(
        of gone: [String: Set<String>], knownBefore: [String: ParseDate]
    ) async throws -> RollbackShape {
        if sabotage == .backupBelieved { return RollbackShape(isNewestOnly: false, includesNewest: false, attested: 0) }
        return try await store.rollbackShape(of: gone, knownBefore: knownBefore)
    }
    func comparesAllAfterRestore() async throws -> Bool { try await store.comparesAllAfterRestore() }
    func setComparedAllAfterRestore() async throws { try await store.setComparedAllAfterRestore() }
    func holdsRestoredBackup() async throws -> Bool { try await store.holdsRestoredBackup() }
    func lostIds(of className: String, max: Int) async throws -> [String] {
        try await store.lostIds(of: className, max: max)
    }
    func holdLost(_ lost: [LostObject], of className: String, because reason: RemovalReason) async throws {
        if sabotage == .heldShown, reason == .restoredBackup { return }
        try await store.holdLost(lost, of: className, because: reason)
    }
    func withheldIds(of className: String, after last: String?, max: Int) async throws -> [String] {
        try await store.withheldIds(of: className, after: last, max: max)
    }
    func withhold(_ objectIds: [String], of className: String) async throws {
        if sabotage == .heldShown { return }
        try await store.withhold(objectIds, of: className)
    }
    func outbox(limit: Int) async throws -> [OutboxEntry] {
        try await store.outbox(limit: limit).map { entry in
            var entry = entry
            if sabotage == .pointersOutdated { outdated.note(entry) }
            if sabotage == .followsAtOnce { entry.unansweredAt = nil }
            return entry
        }
    }
    func waitingCount() async throws -> Int { try await store.waitingCount() }
    func heldRemoval(of objectIds: [String], in className: String) async throws -> Set<String> {
        try await store.heldRemoval(of: objectIds, in: className)
    }
    func heldRemovalCount(in className: String) async throws -> Int {
        try await store.heldRemovalCount(in: className)
    }
    func noteUnanswered(_ objects: [Pointer], at endedAt: ParseDate) async throws {
        try await store.noteUnanswered(objects, at: endedAt)
    }
    func split(_ entry: OutboxEntry, deferring fields: [String]) async throws {
        try await store.split(entry, deferring: fields)
    }
    func filesToUpload(limit: Int) async throws -> [FileUpload] { try await store.filesToUpload(limit: limit) }
    func fileIsUploaded(_ name: String, as remote: FileReference) async throws {
        try await store.fileIsUploaded(name, as: remote)
    }
    func fileIsRefused(_ name: String, code: Int, message: String) async throws -> [String] {
        try await store.fileIsRefused(name, code: code, message: message)
    }
    func fileUploadFailed(_ name: String, reason: String) async throws {
        try await store.fileUploadFailed(name, reason: reason)
    }
    func standing(of objectIds: [String], for entry: OutboxEntry) async throws -> CandidateStanding {
        try await store.standing(of: objectIds, for: entry)
    }
    func noteRefusal(ofOpField opField: String, of className: String, _ message: String) async throws {
        try await store.noteRefusal(ofOpField: opField, of: className, message)
    }
    func remakes(of entries: [OutboxEntry], max: Int) async throws -> RemakeStanding {
        try await store.remakes(of: entries, max: max)
    }

    func sample(of className: String, besides objectId: String, max: Int) async throws -> [JSONObject] {
        try await store.sample(of: className, besides: objectId, max: max)
    }
    func remoteAcceptsChosenIds() async throws -> Bool? { try await store.remoteAcceptsChosenIds() }
    func setRemoteAcceptsChosenIds(_ accepts: Bool?) async throws {
        try await store.setRemoteAcceptsChosenIds(accepts)
    }
    func setPaused(_ paused: Bool) async throws { try await store.setPaused(paused) }
    func setLastSync(_ date: ParseDate) async throws { try await store.setLastSync(date) }
}

extension RemoteRecord {
    fileprivate init(_ pointer: Pointer, _ state: ObjectState) {
        self.init(className: pointer.className, objectId: pointer.objectId, state: state)
    }
}
