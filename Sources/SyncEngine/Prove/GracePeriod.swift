import ParseModel
import RemoteService
import SyncModel

/// The grace period of a request without an answer: for so long it may still arrive at the remote, after what was done since.
/// The store keeps for each object when the wait for the answer ended.
struct GracePeriod {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    /// The entries that may be sent now. An unanswered request could still arrive and undo a change that follows it, so that
    /// change waits; the same change may be repeated if that is idempotent.
    func entriesPastGracePeriod(_ waiting: [OutboxEntry]) async throws(SyncError) -> [OutboxEntry] {
        guard waiting.contains(where: { $0.unansweredAt != nil }) else { return waiting }
        let entries = try await clampFutureTimestamps(waiting)
        let now = try await context.remote.serverNow()
        let acceptsChosenIds = try await ChosenIds(context).areKnownToBeAccepted()
        return entries.filter { entry in
            if isOver(for: entry, at: now) || isGuardedByItsVersion(entry) { return true }
            guard entry.isRepeated else { return false }
            return switch entry.step.kind {
            case .create: acceptsChosenIds
            case .update: entry.step.operations.isIdempotent
            case .delete: true
            }
        }
    }

    /// The earlier request named another version of the row, so the remote refuses it by now.
    private func isGuardedByItsVersion(_ entry: OutboxEntry) -> Bool {
        context.remote.capabilities.hasConditionalWrites && entry.step.kind == .update && entry.base?.version != nil
    }

    /// Whether an unanswered request for the entry's object can no longer arrive.
    /// - Parameter readAt: the earliest server time of the answer that is judged.
    func isOver(for entry: OutboxEntry, at readAt: ParseDate) -> Bool {
        entry.unansweredAt.map { readAt > $0 + context.options.grace } ?? true
    }

    /// If the process or the sync ended during a request, the end of its wait is not in the store. It is set to now.
    /// - Parameter answered: entries of the latest request that were answered although the store still has them in flight.
    func markInterruptedRequestsUnknown(besides answered: Set<Int64>) async throws(SyncError) {
        let interrupted = try await context.store { try await $0.unknownOutcomes() }.filter {
            ($0.step.phase == .inFlight || $0.unansweredAt == nil) && !answered.contains($0.id)
        }
        guard !interrupted.isEmpty else { return }
        _ = try await context.remote.serverNow()
        let now = context.remote.latestServerTime
        try await SettlementWriter(context).settle(
            interrupted.map { ($0, .unknown(reason: "The program ended.", at: now)) })
    }

    /// After the server's clock was set back, the end of a wait may lie in the future. It is set to now.
    /// - Returns: the entries with the times that the store has now.
    func clampFutureTimestamps(_ entries: [OutboxEntry]) async throws(SyncError) -> [OutboxEntry] {
        guard entries.contains(where: { $0.unansweredAt != nil }) else { return entries }
        _ = try await context.remote.serverNow()
        guard let now = context.remote.latestServerTime else { return entries }
        let future = entries.filter { $0.unansweredAt.map { $0 > now } ?? false }.map(\.pointer)
        guard !future.isEmpty else { return entries }
        try await context.store { try await $0.noteUnanswered(future, at: now) }
        return entries.map { entry in
            var entry = entry
            if future.contains(entry.pointer) { entry.unansweredAt = now }
            return entry
        }
    }
}
