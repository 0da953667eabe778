import ParseModel
import RemoteService
import SyncModel

/// Searches the remote for the object of a create that got no clear answer, if the remote chose the object's id. If the
/// request added an operation id (the id of the change), only an object with this operation id counts. Otherwise the
/// candidates are the objects that were created since the attempt, belong to no other local object, and have the sent
/// values. If there are none after the grace period, objects that other clients have edited are candidates too.
struct CreateSearch {
    /// The maximum number of possible results of the create that a conflict lists besides the one that it shows.
    static let candidatesMax = 20

    /// The objects that may be the result of a create.
    enum Scope {
        /// Objects that have the sent values, or the operation id.
        case equal
        /// Also objects that another client may have edited since.
        case edited
    }

    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    /// Decides whether the create was executed.
    /// - Returns: nil if no object in the scope may be its result, and the scope is `equal` or the request may still arrive.
    func settlement(
        of entry: OutboxEntry, in scope: Scope, _ reads: inout ProofReads
    ) async throws(SyncError) -> Settlement? {
        let listed = try await reads.created(since: entry)
        let (created, readAt) = (listed.value, listed.at)
        let standing = try await context.store { try await $0.standing(of: created.map(\.objectId), for: entry) }
        if let marked = created.first(where: { OperationIds(context, entry.className).mark(of: entry, in: $0) == true })
        {
            return .proven(marked)
        }
        let open = created.filter { !standing.excluded.contains($0.objectId) }
        let hasMarks = entry.markedIn != nil
        var candidates = hasMarks ? [] : open.filter { ProofRules.holds($0, of: entry) }
        if candidates.count == 1, !standing.asked.contains(candidates[0].objectId) { return .proven(candidates[0]) }
        if candidates.isEmpty {
            guard scope == .edited, GracePeriod(context).isOver(for: entry, at: readAt) else { return nil }
            // Adds objects that another client may have edited since the create.
            if !hasMarks { candidates = try await edited(among: open, from: entry) }
        }
        // The conflict shows the first possible result that no earlier conflict of the create has shown (`asked`), or
        // else the first one.
        let ids = candidates.map(\.objectId)
        guard let shown = candidates.first(where: { !standing.asked.contains($0.objectId) }) ?? candidates.first else {
            // If no object may be the result, the create counts as not executed. If its object was deleted locally, the
            // create is not sent again.
            return entry.isFollowedByDelete && entry.step.restoration == .none ? .deletionDone : entry.step.resending
        }
        let others = ids.filter { $0 != shown.objectId }.prefix(Self.candidatesMax)
        return .conflict(.ambiguousCreate, remote: shown, others: Array(others))
    }

    private func edited(
        among rows: [RemoteRecord], from entry: OutboxEntry
    ) async throws(SyncError) -> [RemoteRecord] {
        guard !rows.isEmpty else { return [] }
        let sample = try await context.store {
            try await $0.sample(of: entry.className, besides: entry.objectId, max: CandidateRules.sampleMax)
        }
        let sent = Replay.view(base: nil, steps: [entry.step], className: entry.className)?.fields ?? JSONObject()
        return CandidateRules(sent: sent, sample: sample).candidates(among: rows)
    }
}

extension PendingStep {
    /// The settlement of a create whose object the remote does not show: the create is sent again. A create of a
    /// restored backup may have been sent after the backup, and its object changed or deleted since, so a user decides.
    var resending: Settlement { restoration == .none ? .sendAgain : .conflict(.ambiguousCreate, remote: nil) }
}
