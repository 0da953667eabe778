import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Compares the ids and `updatedAt` of the newest remote rows with the local copies, every few minutes. This finds
/// changes that the server committed so late that the pulls missed them. It takes few requests, so it runs more often
/// than the full audit (`Audit`).
struct RecentAudit {
    /// The maximum number of local objects of a class that one audit covers, the newest first. If more objects have changed
    /// within `recentAuditWindow`, the audit covers a shorter time.
    private static let recentMax = 2000
    /// The maximum number of pages that the audit lists for one query.
    private static let pagesMax = 20

    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    func isDue(_ pulled: PulledState) -> Bool { !due(pulled).isEmpty }

    private func due(_ pulled: PulledState) -> [DueAudit] {
        DueAudit.all(context.classes, pulled) { id, state, began in
            // Not due before the first complete pull, and not after a full audit in this sync: the full audit includes
            // the newest rows.
            guard let auditedAt = state.recentlyAuditedAt, !pulled.isAudited(id) else { return false }
            return began > auditedAt + context.options.recentAuditInterval && canBeRead(id.className)
        }
    }

    /// Whether the remote supports queries of the class by a range of times.
    private func canBeRead(_ className: String) -> Bool {
        context.remote.capabilities(of: className).operators?.isSuperset(of: ["$gte", "$lt"]) != false
    }

    /// Audits the pulls whose recent audit is due.
    /// - Parameter relations: the unfinished reading of relations; nil for none.
    func run(_ pulled: PulledState, _ relations: inout RelationReading?) async throws(SyncError) {
        let due = due(pulled)
        // First reads the most recently changed objects by id, to detect a restored backup. The list of the newest rows does not
        // suffice: a row that the backup has reverted has an old `updatedAt`, so the list may lack it.
        if !due.isEmpty, !context.olderRows.isRestored {
            try await RestoredBackup(context, knownBefore: pulled.knownBefore).readBackNewest()
        }
        for due in due {
            try await audit(due, &relations)
            try await context.store { try await $0.setRecentlyAudited(due.id, at: due.began) }
        }
    }

    private func audit(_ due: DueAudit, _ relations: inout RelationReading?) async throws(SyncError) {
        let className = due.id.className
        let comparison = StampComparison(context, due.id, began: due.began)
        var from = due.began - context.options.recentAuditWindow
        if let bound = try await context.store({
            try await $0.updateTime(of: className, newest: Self.recentMax)
        }) {
            from = max(from, bound)
        }
        var repaired = 0
        try await list(due.query.updated(from: from, to: due.began)) { page throws(SyncError) in
            repaired += try await comparison.bringUpToDate(page, &relations)
        }
        // A row that is marked as deleted (`deletedField`) can be committed late, too. Deleted objects that have no
        // local copy are left out.
        if let deleted = due.deletedQuery {
            try await list(deleted.updated(from: from, to: due.began)) { page throws(SyncError) in
                repaired += try await comparison.bringUpToDate(page, &relations, knownOnly: true)
            }
        }
        comparison.noteRepaired(repaired, by: "The audit of the newest rows of \(className)")
    }

    /// Lists the ids and `updatedAt` of a query's objects. Passes each page to `body`, at most `pagesMax` pages.
    private func list(
        _ query: PullQuery, _ body: ([ObjectStamp]) async throws(SyncError) -> Void
    ) async throws(SyncError) {
        var last: String?
        for page in 1...Self.pagesMax {
            context.reporter.progress(.audit, of: query.className, done: page - 1)
            let after = last
            let stamps = try await context.remote.ask { remote throws(RemoteError) in
                try await remote.objectIds(of: query, created: .all, after: after)
            }
            if stamps.isLast { return }
            try await body(stamps.stamps)
            last = stamps.stamps.last?.objectId ?? last
        }
    }
}

extension PullQuery {
    /// The query, restricted to objects whose `updatedAt` is at or after `from` and before `to`.
    fileprivate func updated(from: ParseDate, to: ParseDate) -> PullQuery {
        let date = { (date: ParseDate) -> JSONValue in ["__type": "Date", "iso": .string(date.iso)] }
        let range: JSONObject = ["updatedAt": ["$gte": date(from), "$lt": date(to)]]
        return PullQuery(
            className: className,
            conditions: conditions.isEmpty ? range : ["$and": [.object(conditions), .object(range)]], keys: keys)
    }
}
