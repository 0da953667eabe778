import ParseModel
import RemoteService
import SyncModel

/// Lateness: a request that got no answer may arrive after what was done since, for as long as the grace. The store keeps when
/// the wait for its answer ended, object by object.
extension SyncRun {
    /// A request that got no answer may still arrive, and would undo what has followed it: so nothing follows it for a while.
    /// The same once more may, where it does no harm.
    mutating func withoutWhatIsTooEarly(_ entries: [OutboxEntry]) async throws(SyncError) -> [OutboxEntry] {
        guard entries.contains(where: { $0.unansweredAt != nil }) else { return entries }
        let entries = try await withoutTimesToCome(entries)
        let now = try await serverNow()
        let acceptsChosenIds = try await knowsChosenIdsAccepted()
        return entries.filter { entry in
            if graceIsOver(for: entry, at: now) || isGuardedByItsVersion(entry) { return true }
            guard entry.isRepeated else { return false }
            return switch entry.step.kind {
            case .create: acceptsChosenIds
            case .update: entry.step.operations.isIdempotent
            case .delete: true
            }
        }
    }

    /// The earlier request named another version: the remote no longer takes it.
    private func isGuardedByItsVersion(_ entry: OutboxEntry) -> Bool {
        remote.capabilities.hasConditionalWrites && entry.step.kind == .update && entry.base?.version != nil
    }

    /// A request may still be on its way, or being carried out, for a while after its connection broke.
    /// - Parameter readAt: the server time that what was read is not older than.
    func graceIsOver(for entry: OutboxEntry, at readAt: ParseDate) -> Bool {
        entry.unansweredAt.map { readAt > $0 + options.grace } ?? true
    }

    /// Where the process, or the sync, ended while a request was on its way, nobody wrote down when its connection broke.
    mutating func noteWhatWasLeftOnItsWay() async throws(SyncError) {
        let left = try await stored { try await $0.unknownOutcomes() }.filter {
            ($0.step.phase == .inFlight || $0.unansweredAt == nil) && !answered.contains($0.id)
        }
        guard !left.isEmpty else { return }
        _ = try await serverNow()
        let now = latestServerTime
        try await settle(left.map { ($0, .unknown(reason: "The program ended.", at: now)) })
    }

    /// Somebody has set the server's clock back since the wait for an answer ended: it ends now, by that clock.
    /// - Returns: the entries as they are with that.
    mutating func withoutTimesToCome(_ entries: [OutboxEntry]) async throws(SyncError) -> [OutboxEntry] {
        guard entries.contains(where: { $0.unansweredAt != nil }) else { return entries }
        _ = try await serverNow()
        guard let now = latestServerTime else { return entries }
        let early = entries.filter { $0.unansweredAt.map { $0 > now } ?? false }.map(\.pointer)
        guard !early.isEmpty else { return entries }
        try await stored { try await $0.noteUnanswered(early, at: now) }
        return entries.map { entry in
            var entry = entry
            if early.contains(entry.pointer) { entry.unansweredAt = now }
            return entry
        }
    }
}
