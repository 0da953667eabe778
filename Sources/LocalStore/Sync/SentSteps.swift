import ParseModel
import StoreService
import SyncModel

/// Marks steps (local changes of objects) as in flight before they are sent, and stores the outcomes of their requests.
struct SentSteps {
    let transaction: StoreTransaction

    /// Marks the step of an entry as in flight, if the step is still unsent and has not changed since the entry was
    /// read. A later local change of the object becomes a new step.
    /// - Returns: the entry with the stored step; nil if the step was not marked. A later push can send a step that has
    ///   changed.
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

    /// Marks the new change of an object as in flight, in the transaction that has added it.
    /// - Parameter marked: returns the entry with the field in which the request leaves its operation id.
    /// - Throws: `StoreError.notPossible` or `ParseError` if the change must wait for an object or a file.
    func freezeNew(
        _ pointer: Pointer, at serverTime: ParseDate, _ marked: (OutboxEntry) -> OutboxEntry
    ) throws -> OutboxEntry {
        let outbox = AuthorOutbox(db: transaction.db, author: transaction.author)
        guard let entry = try outbox.newEntry(of: pointer), let frozen = try freeze(marked(entry), at: serverTime)
        else {
            throw StoreError.database(operation: "freeze a new change", reason: "the outbox does not have the change")
        }
        if let awaited = entry.awaits.first {
            throw StoreError.notPossible(
                reason: "The change points to \(awaited.className) \(awaited.objectId), which is not on the remote yet."
            )
        }
        if let name = try outbox.unsentFile(of: entry.id) {
            throw ParseError(
                .fileSaveError,
                "The file \(FileName.given(name)) is not on the remote yet. It is uploaded with an object that contains it."
            )
        }
        return frozen
    }

    /// Stores the outcomes of requests. If a row of the remote has proved an outcome, also stores this row.
    /// - Returns: the counts of the stored rows, by class.
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
