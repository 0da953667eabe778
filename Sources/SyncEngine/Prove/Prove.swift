import ParseModel
import RemoteService
import SyncModel

/// Finds out the outcomes of requests without a clear answer, by reading their objects from the remote, and settles the
/// requests.
struct Prove {
    private let context: SyncContext
    private let rows: RowIntake
    private let settlements: SettlementWriter
    /// Whether the previous sync counted any change as pushed.
    private let hasPushedBefore: Bool

    init(_ context: SyncContext, hasPushedBefore: Bool) {
        self.context = context
        self.hasPushedBefore = hasPushedBefore
        rows = RowIntake(context)
        settlements = SettlementWriter(context)
    }

    /// Reads the objects of all requests of unknown outcome, and settles the requests. Some outcomes stay unknown, for
    /// example during the grace period.
    /// - Parameter answered: the ids of entries whose outcome is known: they were not sent, or the answer shows their outcome. The
    ///   store may still have them as in flight.
    func run(answered: Set<Int64>) async throws(SyncError) {
        let grace = GracePeriod(context)
        try await grace.markInterruptedRequestsUnknown(besides: answered)
        let entries = try await grace.clampFutureTimestamps(try await context.store { try await $0.unknownOutcomes() })
        let accepting = try await ChosenIds(context).classesKnownToAccept(entries)
        let failingCount = entries.count { $0.failure != nil }
        let isSearchedFor = { (entry: OutboxEntry) in
            entry.step.kind == .create && !accepting.contains(entry.className)
        }
        var reads = ProofReads(context)
        for entry in entries {
            reads.expect(
                entry, isSearchedFor: isSearchedFor(entry), isReadById: isReadById(entry, isSearchedFor(entry)))
        }
        var done: Set<Int64> = []
        // A create may be similar to the object of another create, so each create first claims the object that equals it.
        for scope in [CreateSearch.Scope.equal, .edited] {
            for entry in entries where !done.contains(entry.id) && (scope == .edited || isSearchedFor(entry)) {
                context.reporter.progress(.prove, of: entry.className, done: done.count, total: entries.count)
                do {
                    let isSettled = try await prove(
                        entry, isSearchedFor: isSearchedFor(entry), in: scope, failingCount: failingCount, &reads)
                    if isSettled { done.insert(entry.id) }
                } catch {
                    guard error.isOfOneClass else { throw error }
                    done.insert(entry.id)
                    try await noteUnreadable(entry, failingCount: failingCount, error)
                }
            }
        }
    }

    /// Reports that the object of an entry cannot be read. If permissions forbid reading it, the request is settled without its row.
    private func noteUnreadable(_ entry: OutboxEntry, failingCount: Int, _ error: SyncError) async throws(SyncError) {
        context.reporter.warn("The outcome of a change of \(entry.className) cannot be read: \(error.message)")
        guard case .refused = error else { return }
        try await settlements.settle([(entry, unreadable(entry, failingCount: failingCount))])
    }

    /// Whether the object is read by its id. A create whose id the remote chooses is searched for instead. In a class
    /// with a `deletedField`, the object is read by id before the search: the create may have updated the object's old
    /// row, which was marked as deleted and keeps its id. A create of a restored backup may have been sent with its id
    /// after the backup, even if the remote was not known to accept ids before.
    private func isReadById(_ entry: OutboxEntry, _ isSearchedFor: Bool) -> Bool {
        !isSearchedFor || entry.step.restoration != .none
            || context.classes.options(of: entry.className).deletedField != nil
    }

    /// Settles one entry by reading its object. The outcome may stay unknown.
    /// - Parameters:
    ///   - isSearchedFor: whether the object must be searched for: the remote chooses the id of this create.
    ///   - scope: the objects among which it is searched for.
    /// - Returns: whether the entry is settled.
    private func prove(
        _ entry: OutboxEntry, isSearchedFor: Bool, in scope: CreateSearch.Scope, failingCount: Int,
        _ reads: inout ProofReads
    ) async throws(SyncError) -> Bool {
        let row = isReadById(entry, isSearchedFor) ? try await reads.row(of: entry) : nil
        let found = row?.value
        let record = found.flatMap { context.classes.isDeleted($0) ? nil : $0 }
        // A row is not applied if it is older than the base (a restored backup, or a lagging answer), or if its object
        // waits for a decision about such a row. Such a row proves nothing, so the outcome stays unknown. If the object
        // is to be deleted, the request is settled all the same, and the deletion is sent.
        if let record, entry.base != nil, !entry.endsInDelete,
            try await rows.applicableRows([record], of: entry.className).isEmpty
        {
            return false
        }
        let isSearchedFor = isSearchedFor && record == nil
        let tombstone = record == nil ? found : nil
        guard
            let judged = isSearchedFor
                ? try await CreateSearch(context).settlement(of: entry, in: scope, &reads)
                : row.flatMap({
                    judge(entry, at: $0.at, found: record, tombstone: tombstone, failingCount: failingCount)
                }),
            let settlement = settlementOnceOver(judged, of: entry, readAt: row?.at)
        else {
            if scope == .edited { noteFailure(of: entry) }
            return false
        }
        let isMissing = !isSearchedFor && record == nil && !context.mayBeInvisible(entry)
        let isGone = isMissing && settlement.leavesAnObject(of: entry)
        let settled = isGone ? settlement : attemptLimit(failingCount).limit(settlement, of: entry)
        if settled == .sendAgain { noteFailure(of: entry) }
        try await settlements.settle([(entry, settled)])
        // Applies the row before the change is sent again, so that the change is based on the row.
        if let record { try await rows.apply([record], of: entry.className) }
        if isGone { try await Removals(context).remove([entry.objectId], of: entry.className) }
        // The search may find a row that another client has marked as deleted since. A pull does not show this row
        // again.
        if case .proven(let row) = settled, context.classes.isDeleted(row) {
            try await rows.apply([], gone: [row.objectId], of: entry.className)
        }
        return true
    }

    /// A change that is sent at most once counts as not executed only after the grace period: until then, its request
    /// may still arrive.
    private func settlementOnceOver(
        _ settlement: Settlement, of entry: OutboxEntry, readAt: ParseDate?
    ) -> Settlement? {
        guard entry.step.isSentOnce, settlement == .sendAgain, let readAt else { return settlement }
        return GracePeriod(context).isOver(for: entry, at: readAt) ? settlement : nil
    }

    private func attemptLimit(_ failingCount: Int) -> AttemptLimit {
        AttemptLimit(
            attemptsMax: context.options.attemptsMax,
            takesOthers: hasPushedBefore || context.reporter.summary.pushed > 0, failingCount: failingCount)
    }

    /// Decides about a request whose object cannot be read.
    private func unreadable(_ entry: OutboxEntry, failingCount: Int) -> Settlement {
        switch entry.step.kind {
        case .create: .conflict(.ambiguousCreate, remote: nil)
        // A later local deletion of the object makes the outcome irrelevant.
        case .update where entry.isFollowedByDelete: .moot(nil)
        case .update where !entry.step.operations.isIdempotent || entry.step.restoration != .none:
            .conflict(.wasThisApplied, remote: nil)
        // An idempotent change may be sent again without harm.
        case .update, .delete: attemptLimit(failingCount).limit(.sendAgain, of: entry)
        }
    }

    /// Decides about a request whose object was read by id.
    /// - Parameters:
    ///   - record: the row; nil if the object is missing or deleted.
    ///   - tombstone: the remote row of a deleted object, either a tombstone or a row that is marked as deleted; nil for none.
    /// - Returns: nil if the outcome cannot be decided before the grace period is over.
    private func judge(
        _ entry: OutboxEntry, at readAt: ParseDate, found record: RemoteRecord?, tombstone: RemoteRecord?,
        failingCount: Int
    ) -> Settlement? {
        let operationIds = OperationIds(context, entry.className)
        switch (entry.step.kind, record) {
        case (.create, let record?):
            switch operationIds.sentCreate(entry).verdict(on: record) {
            case .own: return .proven(record)
            case .foreign: return .notExecuted(wasAttempted: false, error: nil)
            case .unprovable: return .conflict(.ambiguousCreate, remote: record)
            }
        case (.create, nil):
            if let tombstone, operationIds.sentCreate(entry).hasProduced(tombstone) { return .proven(tombstone) }
            // Sending the create again is safe: both requests name the same id, so the remote refuses the second one as
            // a duplicate.
            return entry.step.resending
        case (.delete, nil): return context.mayBeInvisible(entry) ? .sendAgain : .deletionDone
        case (.delete, _?): return .sendAgain
        case (.update, nil):
            if context.mayBeInvisible(entry) { return unreadable(entry, failingCount: failingCount) }
            return entry.isFollowedByDelete ? .deletionDone : .sendAgain
        case (.update, let record?):
            switch ProofRules.judge(entry, against: record, mark: operationIds.mark(of: entry, in: record)) {
            case .applied: return .proven(record)
            case .mayBeSentAgain: return .sendAgain
            // Until the grace period ends, the request may still arrive.
            case .notApplied: return GracePeriod(context).isOver(for: entry, at: readAt) ? .sendAgain : nil
            case .unprovable:
                // If the row has a version, a late request does no harm: it names an older version, so the remote
                // refuses it.
                let mayArrive = record.version == nil && !GracePeriod(context).isOver(for: entry, at: readAt)
                return mayArrive ? nil : .conflict(.wasThisApplied, remote: record)
            case .moot: return .moot(record)
            }
        }
    }

    /// Adds the remote's error for the change to the sync's summary and to the log. Does nothing if there is no error code.
    private func noteFailure(of entry: OutboxEntry) {
        guard let failure = entry.failure else { return }
        let times = entry.attempts == 1 ? "once" : "\(entry.attempts) times"
        let change = "a change of \(entry.className) \(entry.objectId)"
        let sentence = "The remote failed \(times) on \(change): \(failure.message) (code \(failure.code))"
        context.reporter.update { $0.failing.append(sentence) }
        context.reporter.warn(sentence)
    }
}

extension Settlement {
    /// Whether the store still has the object after this settlement. If so, and if the remote lacks the object, the
    /// caller must remove the object from the store.
    fileprivate func leavesAnObject(of entry: OutboxEntry) -> Bool {
        switch self {
        case .proven: true
        case .sendAgain: entry.step.kind == .update
        default: false
        }
    }
}
