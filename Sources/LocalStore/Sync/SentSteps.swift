import ParseModel
import SyncModel

/// Marks steps as in flight, and stores the outcomes of their requests.
struct SentSteps {
    let transaction: StoreTransaction

    /// Marks the step of an entry as in flight, if the step is still pending and has not changed since the entry was read. Later
    /// local changes become another step.
    /// - Returns: the entry with the stored step; nil if the step was not marked. A later push plans a changed step again.
    func freeze(_ entry: OutboxEntry, at serverTime: ParseDate) throws -> OutboxEntry? {
        guard var object = try LocalObject(entry.className, entry.objectId, in: transaction.db),
            let waiting = object.life.steps.first, waiting.seq == entry.id
        else { return nil }
        try transaction.receive(.chosen(entry, serverTime: serverTime), &object)
        guard let frozen = object.life.steps.first, frozen.step.phase == .inFlight, waiting.step.phase == .pending
        else { return nil }
        return OutboxEntry(
            frozen, of: object.life, awaits: entry.awaits, unansweredAt: entry.unansweredAt, ownMarks: entry.ownMarks)
    }

    /// Stores the outcomes of requests.
    /// - Returns: the counts of applied rows by class, for rows that proved an outcome.
    func settle(_ settlements: [(entry: OutboxEntry, Settlement)]) throws -> [String: PullTally] {
        var tallies: [String: PullTally] = [:]
        for (entry, settlement) in settlements {
            if var object = try LocalObject(entry.className, entry.objectId, in: transaction.db) {
                try ClassTable(db: transaction.db).expectStrays(in: entry.className)
                try transaction.receive(.settled(entry, settlement), &object)
            }
            guard case .proven(let record) = settlement else { continue }
            var page = try PulledPage(of: record.className, in: transaction)
            tallies[record.className, default: PullTally()] += try page.apply([.upsert(record)])
        }
        return tallies
    }
}
