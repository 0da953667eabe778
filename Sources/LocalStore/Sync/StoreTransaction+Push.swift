import GRDB
import ParseModel
import SyncModel

/// Requests and their outcomes.
extension StoreTransaction {
    /// Marks the entry's step as in flight. Local work from now on becomes a step of its own.
    /// - Returns: the entry as it is on disk now; nil where the step no longer waits to be sent or was changed since it was read,
    ///   and has to be planned anew.
    func freeze(_ entry: OutboxEntry, at serverTime: ParseDate) throws -> OutboxEntry? {
        guard var object = try LocalObject(entry.className, entry.objectId, in: db),
            let waiting = object.life.steps.first, waiting.seq == entry.id
        else { return nil }
        try receive(.chosen(entry, serverTime: serverTime), &object)
        guard let frozen = object.life.steps.first, frozen.step.phase == .inFlight, waiting.step.phase == .pending
        else {
            return nil
        }
        return OutboxEntry(
            frozen, of: object.life, awaits: entry.awaits, unansweredAt: entry.unansweredAt, ownMarks: entry.ownMarks)
    }

    func settle(_ entry: OutboxEntry, _ settlement: Settlement) throws {
        guard var object = try LocalObject(entry.className, entry.objectId, in: db) else { return }
        try expectStrays(in: entry.className)
        try receive(.settled(entry, settlement), &object)
    }

    func split(_ entry: OutboxEntry, deferring fields: [String]) throws {
        _ = try receive(.split(entry, deferring: fields), entry.className, entry.objectId)
    }

    /// A request on the object may arrive for a while after this, however long its answer was waited for.
    func noteUnanswered(_ object: Pointer, at endedAt: ParseDate) throws {
        try execute(
            "INSERT OR REPLACE INTO unanswered (class, id, ended_at) VALUES (?, ?, ?)",
            [object.className, object.objectId, endedAt.milliseconds])
        // No request is on its way for so long.
        try execute("DELETE FROM unanswered WHERE ended_at < ?", [endedAt.milliseconds - 86_400_000])
    }

    func isUnanswered(_ className: String, _ objectId: String) throws -> Bool {
        let find = try db.cachedStatement(sql: "SELECT 1 FROM unanswered WHERE class = ? AND id = ?")
        return try Int.fetchOne(find, arguments: [className, objectId]) != nil
    }
}
