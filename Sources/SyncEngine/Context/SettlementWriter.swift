import RemoteService
import SyncModel

/// Stores the engine's decisions about outbox entries (settlements), and counts them in the sync's summary.
struct SettlementWriter {
    private let context: SyncContext

    init(_ context: SyncContext) { self.context = context }

    func settle(_ settlements: [(entry: OutboxEntry, Settlement)]) async throws(SyncError) {
        for (entry, settlement) in settlements { context.reporter.note(settlement, of: entry) }
        let tallies = try await context.store { try await $0.settle(settlements) }
        for (className, tally) in tallies { context.reporter.note(tally, of: className) }
    }
}
