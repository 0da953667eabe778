import ParseModel
import RemoteService
import StoreService
import SyncModel

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
        try await forgetGoneRows(among: leftOut(of: pull).all, of: className)
        while true {
            report(SyncProgress(phase: .audit, className: className, done: done, total: remoteCounts[pull]))
            let after = last
            let page = try await asked { remote throws(RemoteError) in
                try await remote.objectIds(of: query, created: .all, after: after)
            }
            if page.isLast { break }
            repaired += try await bringUpToDate(page.stamps, of: pull, began: began)
            done += page.stamps.count
            listed += page.stamps.count
            last = page.stamps.last?.objectId ?? last
            guard listed <= options.classObjectsMax else {
                throw .unusable(reason: "its list of \(className) does not come to an end", isTooMuch: false)
            }
        }
        // Each remote object is here now, so the counts tell whether there are more here than there.
        remoteCounts[pull] = listed
        auditedPulls.insert(pull)
        try await lookForDroppedFields(of: className)
        guard repaired > 0 else { return }
        let count = repaired
        summary.note(className) { $0.repaired += count }
        warn(
            "The audit of \(className) found \(repaired.counted("object")) that no pull had brought up to date.")
    }

    /// How many objects are read to find dropped columns: one query of the remote names them all.
    private static let samplesMax = 100

    /// A column that is dropped changes no row's time. So some rows are read that have it here; a key that may read schemas
    /// is not needed for that.
    private mutating func lookForDroppedFields(of className: String) async throws(SyncError) {
        let ids = try await stored { try await $0.samples(of: className, max: Self.samplesMax) }
        guard !ids.isEmpty else { return }
        let rows: [RemoteRecord]
        do {
            rows = try await askedFor(ids, of: className)
        } catch {
            // One of the rows is too much to be read: another audit has other samples.
            guard case .unusable(_, isTooMuch: true) = error else { throw error }
            return
        }
        // A column that an older backup lacks has not been dropped.
        let records = try await news(rows, of: className)
        guard !isRestored else { return }
        let lost = try await stored { try await $0.lostFields(in: records) }
        guard !lost.isEmpty else { return }
        try await stored { try await $0.pullAnew(className) }
        warn("\(className) has lost fields remotely, and is pulled anew: \(lost.joined(separator: ", ")).")
    }
}
