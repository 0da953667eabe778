import ParseModel
import RemoteService
import SyncEngine

/// Deliberate breaks of the engine, each a mistake that somebody could make. A run with one of them has to be found out,
/// or the checks that every other run passes would prove nothing.
package enum Sabotage: String, Sendable, CaseIterable {
    /// A pull begins where the last one ended, though the server stamps a write before it commits it.
    case noOverlap
    /// A create whose reply was lost is sent again as if it had not been sent.
    case createResent
    /// The same with an increment.
    case incrementResent
    /// A pull counts as complete, and its cursor is moved, in a transaction before that of the rows.
    case cursorBeforeRows
    /// A list that failed is taken for an empty one.
    case failureIsEmpty
    /// What is on its way is not frozen, so that later work merges into it.
    case nothingFrozen
    /// A pulled row replaces what waits to be sent.
    case pullForgetsPending
    /// What the remote refuses is dropped without a word.
    case refusalDropped

    var options: SyncOptions {
        var options = SyncOptions()
        if self == .noOverlap { options.overlap = .zero }
        return options
    }

    func store(_ store: any SyncStore) -> any SyncStore { SabotagedStore(store: store, sabotage: self) }

    func remote(_ remote: any RemoteService) -> any RemoteService {
        SabotagedRemote(remote: remote, sabotage: self)
    }
}

struct SabotagedRemote: RemoteService {
    let remote: any RemoteService
    let sabotage: Sabotage

    var capabilities: RemoteCapabilities { remote.capabilities }

    func pull(_ requests: [PullRequest]) async throws(RemoteError) -> [PullPage] { try await remote.pull(requests) }

    func objectIds(
        of query: PullQuery, created range: CreatedRange, after last: String?
    ) async throws(RemoteError) -> ObjectStampPage {
        do {
            return try await remote.objectIds(of: query, created: range, after: last)
        } catch {
            guard sabotage == .failureIsEmpty else { throw error }
            return ObjectStampPage(stamps: [], isLast: true)
        }
    }

    func query(_ className: String, parameters: JSONObject) async throws(RemoteError) -> JSONObject {
        try await remote.query(className, parameters: parameters)
    }

    func members(of relations: [RelationPull]) async throws(RemoteError) -> [[String]] {
        try await remote.members(of: relations)
    }

    func counts(of query: PullQuery, created ranges: [CreatedRange]) async throws(RemoteError) -> [Int?] {
        try await remote.counts(of: query, created: ranges)
    }

    func fetch(_ className: String, objectIds: [String]) async throws(RemoteError) -> [RemoteRecord] {
        do {
            return try await remote.fetch(className, objectIds: objectIds)
        } catch {
            guard sabotage == .failureIsEmpty else { throw error }
            return []
        }
    }

    func created(in className: String, since: ParseDate) async throws(RemoteError) -> [RemoteRecord] {
        try await remote.created(in: className, since: since)
    }

    func acceptsChosenIds(in className: String) async throws(RemoteError) -> Bool {
        try await remote.acceptsChosenIds(in: className)
    }

    func push(_ operations: [PushOperation]) async -> [PushOutcome] {
        zip(operations, await remote.push(operations)).map { operation, outcome in
            switch (sabotage, outcome, operation.kind) {
            case (.createResent, .unknown(let reason), .create), (.incrementResent, .unknown(let reason), .update):
                .retry(after: nil, reason: reason)
            default: outcome
            }
        }
    }

    func diagnose(classes: [String]) async -> RemoteDiagnosis { await remote.diagnose(classes: classes) }
}

struct SabotagedStore: SyncStore {
    let store: any SyncStore
    let sabotage: Sabotage

    func apply(
        _ changes: [RemoteChange], of pull: PullId, cursor: PullCursor?, began: ParseDate, isLast: Bool,
        rebase: @escaping Rebase
    ) async throws -> PullTally {
        switch sabotage {
        case .cursorBeforeRows:
            _ = try await store.apply([], of: pull, cursor: cursor, began: began, isLast: true, rebase: rebase)
            return try await store.apply(
                changes, of: pull, cursor: nil, began: began, isLast: isLast, rebase: rebase)
        case .pullForgetsPending:
            return try await store.apply(
                changes, of: pull, cursor: cursor, began: began, isLast: isLast,
                rebase: { situation, remote in remote == nil ? rebase(situation, remote) : .remove })
        default:
            return try await store.apply(
                changes, of: pull, cursor: cursor, began: began, isLast: isLast, rebase: rebase)
        }
    }

    func apply(
        _ records: [RemoteRecord], gone: [String], of className: String, rebase: @escaping Rebase
    ) async throws -> PullTally {
        try await store.apply(records, gone: gone, of: className, rebase: rebase)
    }

    func freeze(_ entries: [OutboxEntry], at serverTime: ParseDate) async throws -> [OutboxEntry] {
        sabotage == .nothingFrozen ? entries : try await store.freeze(entries, at: serverTime)
    }

    func settle(_ settlements: [(entry: OutboxEntry, Settlement)]) async throws {
        guard sabotage == .refusalDropped else { return try await store.settle(settlements) }
        try await store.settle(
            settlements.map { entry, settlement in
                guard case .rejected = settlement else { return (entry, settlement) }
                return (entry, .deletionDone)
            })
    }

    func unknownOutcomes() async throws -> [OutboxEntry] { try await store.unknownOutcomes() }

    func syncClasses() async throws -> [SyncClass] { try await store.syncClasses() }
    func baseCount(of pull: PullId, created range: CreatedRange) async throws -> Int {
        try await store.baseCount(of: pull, created: range)
    }
    func split(_ range: CreatedRange, of pull: PullId, into parts: Int) async throws -> [CreatedRange] {
        try await store.split(range, of: pull, into: parts)
    }
    func baseIds(
        of pull: PullId, created range: CreatedRange
    ) async throws -> (seen: Set<String>, hidden: Set<String>) {
        try await store.baseIds(of: pull, created: range)
    }
    func relationsToPull(limit: Int, before: ParseDate) async throws -> [RelationPull] {
        try await store.relationsToPull(limit: limit, before: before)
    }
    func setBaseMembers(_ relations: [BaseMembers], at serverTime: ParseDate, overlap: Duration) async throws {
        try await store.setBaseMembers(relations, at: serverTime, overlap: overlap)
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
    func join(_ objectIds: [String], _ pull: PullId) async throws { try await store.join(objectIds, pull) }
    func leave(_ objectIds: [String], _ pull: PullId) async throws { try await store.leave(objectIds, pull) }
    func evictStrays(of className: String) async throws -> Int { try await store.evictStrays(of: className) }
    func heldRemoval(in className: String) async throws -> Set<String> { try await store.heldRemoval(in: className) }
    func holdRemoval(of objectIds: [String], in className: String, total: Int) async throws {
        try await store.holdRemoval(of: objectIds, in: className, total: total)
    }
    func dropHeldRemoval(in className: String) async throws { try await store.dropHeldRemoval(in: className) }
    func outbox(limit: Int) async throws -> [OutboxEntry] { try await store.outbox(limit: limit) }
    func split(_ entry: OutboxEntry, deferring fields: [String]) async throws {
        try await store.split(entry, deferring: fields)
    }
    func knownIds(among objectIds: [String], of className: String) async throws -> Set<String> {
        try await store.knownIds(among: objectIds, of: className)
    }
    func remoteAcceptsChosenIds() async throws -> Bool? { try await store.remoteAcceptsChosenIds() }
    func setRemoteAcceptsChosenIds(_ accepts: Bool?) async throws {
        try await store.setRemoteAcceptsChosenIds(accepts)
    }
    func figures() async throws -> SyncFigures { try await store.figures() }
    func setPaused(_ paused: Bool) async throws { try await store.setPaused(paused) }
    func setLastSync(_ date: ParseDate) async throws { try await store.setLastSync(date) }
}
