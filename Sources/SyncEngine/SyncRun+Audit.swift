import ParseModel
import RemoteService

/// Audit: compares id and time of change of all that a pull covers, whatever its cursor says. No overlap is a guarantee
/// that a late commit is seen; this finds what slipped through. What is gone remotely is left to the sweep.
extension SyncRun {
    func auditIsDue() -> Bool { !pullsToAudit(always: false).isEmpty }

    private func pullsToAudit(always: Bool) -> [(id: PullId, began: ParseDate, query: PullQuery)] {
        classes.values.flatMap { syncClass in
            syncClass.pulls.compactMap { state in
                let id = syncClass.id(of: state.pull)
                guard let began = completePulls[id], let auditedAt = state.auditedAt,
                    always || pullsInThePast.contains(id) || began > auditedAt + options.auditInterval
                else { return nil }
                return (id, began, syncClass.query(of: state.pull, livingOnly: true))
            }
        }.sorted { ($0.id.className, $0.id.name) < ($1.id.className, $1.id.name) }
    }

    mutating func audit(always: Bool) async throws(SyncError) {
        for (id, began, query) in pullsToAudit(always: always) {
            try await audit(id, query, began: began)
            try await stored { try await $0.setAudited(id, at: began) }
        }
    }

    private mutating func audit(_ pull: PullId, _ query: PullQuery, began: ParseDate) async throws(SyncError) {
        let className = pull.className
        var last: String?
        var done = 0
        var repaired = 0
        var listed = 0
        while true {
            report(SyncProgress(phase: .audit, className: className, done: done, total: remoteCounts[pull]))
            let after = last
            let page = try await asked { remote throws(RemoteError) in
                try await remote.objectIds(of: query, created: .all, after: after)
            }
            if page.isLast { break }
            let ids = page.stamps.map(\.objectId)
            let known = try await stored { try await $0.stamps(of: ids, in: className) }
            let differing = page.stamps.filter { known[$0.objectId] != $0.updatedAt }.map(\.objectId)
            if !differing.isEmpty {
                let records = try await fetch(className, differing)
                try await stored { try await $0.join(records.map(\.objectId), pull) }
                try await applyNews(records, of: className)
                // What has changed since the pull began is not what it should have brought.
                repaired += records.count { $0.updatedAt < began - options.overlap }
            }
            done += ids.count
            listed += ids.count
            last = ids.last ?? last
        }
        // Each remote object is here now, so the counts tell whether there are more here than there.
        remoteCounts[pull] = listed
        auditedPulls.insert(pull)
        guard repaired > 0 else { return }
        let count = repaired
        summary.note(className) { $0.repaired += count }
        warn(
            "The audit of \(className) found \(repaired) objects that no pull had brought up to date.")
    }
}
