import ParseModel
import RemoteService
import SyncModel

/// The grace period of an interrupted request: the time during which the request may still arrive at the remote, even after newer
/// requests. For each object, the store keeps the end of its interrupted request, at which the grace period begins.
struct GracePeriod {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    /// The entries that may be sent now. A newer change of an object waits for the grace period of an interrupted request, which
    /// could arrive late and undo the newer change. Repeating the interrupted change itself is allowed if that is harmless: for a
    /// create with a chosen id, an idempotent update, or a deletion.
    func entriesPastGracePeriod(_ waiting: [OutboxEntry]) async throws(SyncError) -> [OutboxEntry] {
        guard waiting.contains(where: { $0.unansweredAt != nil }) else { return waiting }
        let entries = try await clampFutureTimestamps(waiting)
        let now = try await context.remote.serverNow()
        let accepting = try await ChosenIds(context).classesKnownToAccept(entries)
        return entries.filter { entry in
            if isOver(for: entry, at: now) || isGuardedByItsVersion(entry) { return true }
            guard entry.isRepeated else { return false }
            return switch entry.step.kind {
            case .create: accepting.contains(entry.className)
            case .update: entry.step.operations.isIdempotent
            case .delete: true
            }
        }
    }

    /// Whether the row's version protects the entry. The interrupted request names an older version of the row, so the remote
    /// refuses it if it arrives late.
    private func isGuardedByItsVersion(_ entry: OutboxEntry) -> Bool {
        context.remote.capabilities(of: entry.className).hasConditionalWrites && entry.step.kind == .update
            && entry.base?.version != nil
    }

    /// Whether an interrupted request for the entry's object can no longer arrive.
    /// - Parameter readAt: the earliest possible server time of the answer that is judged.
    func isOver(for entry: OutboxEntry, at readAt: ParseDate) -> Bool {
        entry.unansweredAt.map { readAt > $0 + context.options.grace } ?? true
    }

    /// Records an unknown outcome for the requests that were in flight when the process or the sync ended. The store does not
    /// know when such a request ended, so its grace period begins now.
    /// - Parameter answered: the ids of entries that were clearly answered or not sent, although the store may still have
    ///   them in flight.
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

    /// Replaces each stored end of an interrupted request that is in the future by the current server time. An end is in the
    /// future if the server's clock was set back.
    /// - Returns: the entries with the stored times.
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
