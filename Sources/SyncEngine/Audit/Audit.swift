import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Compares the id and `updatedAt` of every remote object of a pull with the local copy, regardless of the pull's
/// cursor. This finds changes that the server committed so late that the pulls missed them, and fields that were
/// deleted on the remote. Deleted objects are the task of `Sweep`.
struct Audit {
    /// The maximum number of objects that are sampled to detect deleted fields. One query reads all of them.
    private static let samplesMax = 100

    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    private var reporter: SyncReporter { context.reporter }

    func isDue(_ pulled: PulledState) -> Bool { !due(pulled, always: false).isEmpty }

    private func due(_ pulled: PulledState, always: Bool) -> [DueAudit] {
        DueAudit.all(context.classes, pulled) { id, state, began in
            guard let auditedAt = state.auditedAt else { return false }
            // While the remote shows no object, an audit would not find the objects that may return.
            if !always, state.expectsReturn, pulled.remoteCount(id) == 0 { return false }
            if always || pulled.beganInThePast(id) || pulled.haveRightsChanged(in: id.className) { return true }
            return began > auditedAt + context.options.auditInterval
        }
    }

    /// Audits the pulls whose audit is due.
    /// - Parameters:
    ///   - always: whether to audit all complete pulls, even if no audit is due.
    ///   - pulled: receives the audited pulls and their remote counts.
    ///   - relations: the unfinished reading of relations; nil for none.
    func run(
        always: Bool, _ pulled: inout PulledState, _ relations: inout RelationReading?
    ) async throws(SyncError) {
        for due in due(pulled, always: always) {
            let (listed, repaired) = try await audit(due, total: pulled.remoteCount(due.id), &relations)
            // The sweep, which looks for deleted objects, compares this count with the number of local objects. After
            // the audit, every remote object is stored locally or recorded as skipped, so a difference means that some
            // objects exist only locally.
            pulled.noteAudited(due.id, remoteCount: listed)
            try await detectDroppedFields(of: due.id.className)
            StampComparison(context, due.id, began: due.began)
                .noteRepaired(repaired, by: "The audit of \(due.id.className)")
            if due.expectsReturn, listed == 0 { continue }
            try await context.store { try await $0.setAudited(due.id, at: due.began) }
        }
    }

    /// Audits one pull.
    /// - Returns: `listed`: the number of remote objects. `repaired`: the number of objects whose changes the pulls had missed.
    private func audit(
        _ due: DueAudit, total: Int?, _ relations: inout RelationReading?
    ) async throws(SyncError) -> (listed: Int, repaired: Int) {
        let className = due.id.className
        let comparison = StampComparison(context, due.id, began: due.began)
        let largeRows = LargeRows(context)
        var last: String?
        var repaired = 0
        var listed = 0
        try await largeRows.forgetGoneRows(among: largeRows.leftOut(of: due.id).all, of: className)
        while true {
            reporter.progress(.audit, of: className, done: listed, total: total)
            let after = last
            let page = try await context.remote.ask { remote throws(RemoteError) in
                try await remote.objectIds(of: due.query, created: .all, after: after)
            }
            if page.isLast { break }
            repaired += try await comparison.bringUpToDate(page.stamps, &relations)
            listed += page.stamps.count
            last = page.stamps.last?.objectId ?? last
            guard listed <= context.options.classObjectsMax else {
                throw .unusable(reason: "its list of \(className) does not end", isTooMuch: false)
            }
        }
        return (listed, repaired)
    }

    /// Detects fields that were deleted from the class on the remote. If there are any, the class is pulled again from the
    /// beginning. Deleting a field changes no `updatedAt`, so this method reads sample objects. Together they have every field of
    /// the newest and the oldest local rows. A field counts as deleted if the remote row of an unchanged object lacks it.
    private func detectDroppedFields(of className: String) async throws(SyncError) {
        let ids = try await context.store { try await $0.samples(of: className, max: Self.samplesMax) }
        guard !ids.isEmpty else { return }
        let rows: [RemoteRecord]
        do {
            rows = try await ObjectLookup(context).ask(for: ids, of: className)
        } catch {
            // One of the sampled rows is too large to read. The next audit reads again.
            guard case .unusable(_, isTooMuch: true) = error else { throw error }
            return
        }
        // If the remote is a restored backup, its rows may lack a field although the field was not deleted.
        let records = try await RowIntake(context).applicableRows(rows, of: className)
        guard !context.olderRows.isRestored else { return }
        let lost = try await context.store { try await $0.lostFields(in: records) }
        guard !lost.isEmpty else { return }
        try await context.store { try await $0.pullAnew(className) }
        reporter.warn(
            "\(className) lost fields remotely and is pulled again: \(lost.joined(separator: ", ")).")
    }
}
