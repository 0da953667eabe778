import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Audit of the newest rows: compares ids and times of recently updated objects every few minutes. It finds a write that the
/// server committed later than the overlap reaches back, in few requests and without waiting for the next full audit.
struct RecentAudit {
    /// The most objects of a class that are compared. If more were updated within the window, the window is narrowed.
    private static let recentMax = 2000
    /// The most pages of one audit. If the remote has far more rows than are here, a pull is due instead.
    private static let pagesMax = 20

    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    func isDue(_ pulled: PulledState) -> Bool { !due(pulled).isEmpty }

    private func due(_ pulled: PulledState) -> [DueAudit] {
        DueAudit.all(context.classes, pulled) { id, state, began in
            // A full audit of this sync has compared the newest rows too.
            guard let auditedAt = state.recentlyAuditedAt, !pulled.isAudited(id) else { return false }
            return began > auditedAt + context.options.recentAuditInterval
        }
    }

    /// - Parameter relations: as for `StampComparison`.
    func run(_ pulled: PulledState, _ relations: inout RelationReading?) async throws(SyncError) {
        let operators = context.remote.capabilities.operators
        guard operators?.isSuperset(of: ["$gte", "$lt"]) != false else { return }
        let due = due(pulled)
        // Edits that a restored backup has undone may be older there than any window.
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
        let recent = due.query.updated(from: from, to: due.began)
        var last: String?
        var repaired = 0
        for page in 1...Self.pagesMax {
            context.reporter.progress(.audit, of: className, done: page - 1)
            let after = last
            let stamps = try await context.remote.ask { remote throws(RemoteError) in
                try await remote.objectIds(of: recent, created: .all, after: after)
            }
            if stamps.isLast { break }
            repaired += try await comparison.bringUpToDate(stamps.stamps, &relations)
            last = stamps.stamps.last?.objectId ?? last
        }
        comparison.noteRepaired(repaired, by: "The audit of the newest rows of \(className)")
    }
}

extension PullQuery {
    /// The same query for objects that were last changed in a range of server times, without its end.
    fileprivate func updated(from: ParseDate, to: ParseDate) -> PullQuery {
        let date = { (date: ParseDate) -> JSONValue in ["__type": "Date", "iso": .string(date.iso)] }
        let range: JSONObject = ["updatedAt": ["$gte": date(from), "$lt": date(to)]]
        return PullQuery(
            className: className,
            conditions: conditions.isEmpty ? range : ["$and": [.object(conditions), .object(range)]], keys: keys)
    }
}
