import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Recent audit: compares the ids and `updatedAt` of the newest rows every few minutes. It finds writes that the server
/// committed later than the overlap covers, with few requests and without waiting for a full audit.
struct RecentAudit {
    /// The largest number of compared objects of a class. If more were updated within the window, the window shrinks.
    private static let recentMax = 2000
    /// The largest number of pages in one audit. If the remote has more rows than that, the class needs a pull instead.
    private static let pagesMax = 20

    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    func isDue(_ pulled: PulledState) -> Bool { !due(pulled).isEmpty }

    private func due(_ pulled: PulledState) -> [DueAudit] {
        DueAudit.all(context.classes, pulled) { id, state, began in
            // A full audit in this sync has covered the newest rows.
            guard let auditedAt = state.recentlyAuditedAt, !pulled.isAudited(id) else { return false }
            return began > auditedAt + context.options.recentAuditInterval && canBeRead(id.className)
        }
    }

    /// Whether the class can be queried by a range of times.
    private func canBeRead(_ className: String) -> Bool {
        context.remote.capabilities(of: className).operators?.isSuperset(of: ["$gte", "$lt"]) != false
    }

    /// - Parameter relations: as for `StampComparison`.
    func run(_ pulled: PulledState, _ relations: inout RelationReading?) async throws(SyncError) {
        let due = due(pulled)
        // A restored backup may have reverted edits with older timestamps than the window covers.
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
    /// The same query for objects that were last changed between two server times, `to` excluded.
    fileprivate func updated(from: ParseDate, to: ParseDate) -> PullQuery {
        let date = { (date: ParseDate) -> JSONValue in ["__type": "Date", "iso": .string(date.iso)] }
        let range: JSONObject = ["updatedAt": ["$gte": date(from), "$lt": date(to)]]
        return PullQuery(
            className: className,
            conditions: conditions.isEmpty ? range : ["$and": [.object(conditions), .object(range)]], keys: keys)
    }
}
