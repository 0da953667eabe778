import RemoteService
import SyncModel

/// Stores the engine's decisions about outbox entries (settlements), and counts them in the sync's summary.
struct SettlementWriter {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    func settle(_ decisions: [(entry: OutboxEntry, Settlement)]) async throws(SyncError) {
        let settlements = decisions.map { (entry: $0.entry, $0.1.ofChange(in: $0.entry)) }
        context.settled.note(settlements)
        for (entry, settlement) in settlements { context.reporter.note(settlement, of: entry) }
        let tallies = try await context.store { try await $0.settle(settlements) }
        for (className, tally) in tallies { context.reporter.note(tally, of: className) }
    }
}

extension Settlement {
    /// The decision about a change that is sent at most once: if the remote has not executed the change, it is dropped.
    /// Any other change keeps its decision.
    fileprivate func ofChange(in entry: OutboxEntry) -> Settlement {
        guard entry.step.isSentOnce else { return self }
        switch self {
        case .notExecuted, .sendAgain, .rejected: return .dropped
        default: return self
        }
    }
}
