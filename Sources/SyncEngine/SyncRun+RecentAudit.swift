import ParseModel
import RemoteService
import StoreService
import SyncModel

/// Audit of the newest rows: compares ids and times of recently updated objects, every few minutes. A write that
/// the server stamped and committed only after the overlap is found here, in few requests, and not a day later.
extension SyncRun {
    /// The newest objects of a class that are compared at most: where more were updated within the window, it is narrower.
    private static let recentMax = 2000
    /// The pages that one such audit takes at most: where the remote has far more rows than are here, a pull is due instead.
    private static let recentPagesMax = 20

    mutating func auditRecentRows() async throws(SyncError) {
        guard knowsOperators(["$gte", "$lt"]) else { return }
        let due = pullsToAuditRecently()
        // Edits that a restored backup has undone may be older there than any window.
        if !due.isEmpty, !isRestored { try await readBackNewest() }
        for (id, began, query) in due {
            try await auditRecentRows(id, query, began: began)
            try await stored { try await $0.setRecentlyAudited(id, at: began) }
        }
    }

    func recentAuditIsDue() -> Bool { !pullsToAuditRecently().isEmpty }

    private func knowsOperators(_ wanted: Set<String>) -> Bool {
        remote.capabilities.operators.map(wanted.isSubset) ?? true
    }

    /// A full audit of this run has compared these rows too.
    private func pullsToAuditRecently() -> [(id: PullId, began: ParseDate, query: PullQuery)] {
        classes.values.flatMap { syncClass in
            syncClass.pulls.compactMap { state in
                let id = syncClass.id(of: state.pull)
                guard let began = completePulls[id], let auditedAt = state.recentlyAuditedAt,
                    !auditedPulls.contains(id), began > auditedAt + options.recentAuditInterval
                else { return nil }
                return (id, began, syncClass.query(of: state.pull, livingOnly: true))
            }
        }.sorted { ($0.id.className, $0.id.name) < ($1.id.className, $1.id.name) }
    }

    private mutating func auditRecentRows(
        _ pull: PullId, _ query: PullQuery, began: ParseDate
    ) async throws(SyncError) {
        let className = pull.className
        var from = began - options.recentAuditWindow
        if let bound = try await stored({ try await $0.updateTime(of: className, newest: Self.recentMax) }) {
            from = max(from, bound)
        }
        let recent = query.updated(from: from, to: began)
        var last: String?
        var repaired = 0
        for page in 1...Self.recentPagesMax {
            report(SyncProgress(phase: .audit, className: className, done: page - 1, total: nil))
            let after = last
            let stamps = try await asked { remote throws(RemoteError) in
                try await remote.objectIds(of: recent, created: .all, after: after)
            }
            if stamps.isLast { break }
            repaired += try await bringUpToDate(stamps.stamps, of: pull, began: began)
            last = stamps.stamps.last?.objectId ?? last
        }
        guard repaired > 0 else { return }
        let count = repaired
        summary.note(className) { $0.repaired += count }
        warn(
            "The audit of the newest rows of \(className) found \(repaired.counted("object")) that no pull had brought up to date."
        )
    }

    /// Reads those of the objects that are other ones here, or not here.
    /// - Returns: how many the pull that began at that server time should have brought.
    mutating func bringUpToDate(
        _ stamps: [ObjectStamp], of pull: PullId, began: ParseDate
    ) async throws(SyncError) -> Int {
        let className = pull.className
        let ids = stamps.map(\.objectId)
        let known = try await stored { try await $0.stamps(of: ids, in: className) }
        let differing = stamps.filter { known[$0.objectId] != $0.updatedAt }.map(\.objectId)
        guard !differing.isEmpty else { return 0 }
        let leftOut = try await leftOut(of: pull).all
        let wanted = differing.filter { !leftOut.contains($0) }
        if wanted.isEmpty { return 0 }
        let records: [RemoteRecord]
        do {
            records = try await fetch(className, wanted)
        } catch {
            guard case .unusable(_, isTooMuch: true) = error else { throw error }
            let readable = try await withoutLargeRows(wanted, of: pull)
            records = readable.isEmpty ? [] : try await fetch(className, readable)
        }
        try await stored { try await $0.join(records.map(\.objectId), pull) }
        let news = try await applyNews(records, of: className)
        // A survey may have looked at these before their members were written, and their times do not tell.
        if relations?.survey?.column.className == className { relations?.survey = nil }
        // The pull could not bring rows that have changed since it began.
        return news.count { $0.updatedAt < began - options.overlap }
    }
}

extension PullQuery {
    /// Those of the objects that were last changed in a range of server times, which ends before `to`.
    fileprivate func updated(from: ParseDate, to: ParseDate) -> PullQuery {
        let date = { (date: ParseDate) -> JSONValue in ["__type": "Date", "iso": .string(date.iso)] }
        let range: JSONObject = ["updatedAt": ["$gte": date(from), "$lt": date(to)]]
        return PullQuery(
            className: className,
            conditions: conditions.isEmpty ? range : ["$and": [.object(conditions), .object(range)]], keys: keys)
    }
}
