import RemoteService
import SyncModel
import Synchronization

/// Collects the results of one sync and reports its progress. The results stay available if the sync fails.
final class SyncReporter: Sendable {
    private let figures = Mutex(SyncSummary())
    private let requests: RequestCount
    private let report: @Sendable (SyncProgress) -> Void

    /// - Parameters:
    ///   - requests: counts the requests to the remote.
    ///   - report: called when the progress of the sync changes.
    init(requests: RequestCount, report: @escaping @Sendable (SyncProgress) -> Void) {
        self.requests = requests
        self.report = report
    }

    /// The results of the sync so far.
    var summary: SyncSummary {
        var summary = figures.withLock { $0 }
        summary.requests = requests.value
        return summary
    }

    func update(_ change: (inout SyncSummary) -> Void) { figures.withLock { change(&$0) } }

    func update(_ className: String, _ change: (inout SyncSummary.Class) -> Void) {
        figures.withLock { $0.note(className, change) }
    }

    func note(_ tally: PullTally, of className: String) {
        guard tally.upserted + tally.removed + tally.conflicts + tally.settled > 0 else { return }
        update(className) {
            $0.pulled += tally.upserted
            $0.removed += tally.removed
            $0.conflicts += tally.conflicts
            $0.settled += tally.settled
        }
    }

    func note(_ settlement: Settlement, of entry: OutboxEntry) {
        switch settlement {
        case .acknowledged, .proven, .recreatedElsewhere, .deletionDone: update(entry.className) { $0.pushed += 1 }
        case .rejected: update(entry.className) { $0.rejections += 1 }
        case .conflict: update(entry.className) { $0.conflicts += 1 }
        case .notExecuted, .sendAgain, .dropped, .moot, .unknown: break
        }
    }

    /// Adds a warning, unless the summary already has the same text: two pulls of a class may cause equal warnings.
    func warn(_ warning: String) {
        update { if !$0.warnings.contains(warning) { $0.warnings.append(warning) } }
    }

    func progress(_ phase: SyncProgress.Phase, of className: String? = nil, done: Int, total: Int? = nil) {
        report(SyncProgress(phase: phase, className: className, done: done, total: total))
    }
}
