import ParseModel
import RemoteService
import SyncModel

/// The time during which a request without an answer may still arrive at the remote, even after newer requests. It
/// begins when the request ends without an answer. For each object, the store keeps the time at which the latest such
/// request ended.
struct GracePeriod {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    /// The entries that may be sent now. During the grace period, a request without an answer could still arrive and
    /// undo newer changes of its object, so these changes wait. Two kinds of entries need not wait: an update that a
    /// conditional write protects, and the same change again if repeating it is harmless (a create with a chosen id, an
    /// idempotent update, or a deletion).
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

    /// Whether an earlier request of the object that arrives late cannot undo the entry. Executing the entry gives the
    /// row a new version. A conditional write that arrives late names an older version, so the remote refuses it.
    private func isGuardedByItsVersion(_ entry: OutboxEntry) -> Bool {
        context.remote.capabilities(of: entry.className).hasConditionalWrites && entry.step.kind == .update
            && entry.base?.version != nil
    }

    /// Whether no earlier request for the entry's object can arrive any more. True if every request was answered.
    /// - Parameter readAt: the server time, now or at the read that is to prove the outcome. If only a range is known,
    ///   the start of the range.
    func isOver(for entry: OutboxEntry, at readAt: ParseDate) -> Bool {
        entry.unansweredAt.map { readAt > $0 + context.options.grace } ?? true
    }

    /// Records an unknown outcome for the requests that were in flight when the process or the sync ended, and for the
    /// later steps of a restored backup. The store does not know when such a request ended, so its grace period begins
    /// now.
    /// - Parameter answered: the ids of entries whose outcome is known: they were not sent, or the answer shows their outcome. The
    ///   store may still have them as in flight.
    func markInterruptedRequestsUnknown(besides answered: Set<Int64>) async throws(SyncError) {
        let interrupted = try await context.store { try await $0.unknownOutcomes() }.filter {
            ($0.step.phase != .unknown || $0.unansweredAt == nil) && !answered.contains($0.id)
        }
        guard !interrupted.isEmpty else { return }
        _ = try await context.remote.serverNow()
        let now = context.remote.latestServerTime
        try await SettlementWriter(context).settle(
            interrupted.map { ($0, .unknown(reason: "The program ended.", at: now)) })
    }

    /// Corrects the end times of unanswered requests after the server's clock was set back: an end time in the future
    /// becomes the current server time.
    /// - Returns: the entries with the corrected times.
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
