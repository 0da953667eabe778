import GRDB
import ParseModel
import StoreService

/// The table `request_ids`: the ids of clients' requests, by which a repeated request is recognised and not performed
/// again.
struct RequestIds {
    let db: Database

    /// The maximum number of stored ids. The oldest are dropped first.
    private static let countMax: Int64 = 100_000
    /// The maximum length of an id in bytes. A longer id is stored as its digest.
    private static let bytesMax = 100

    /// Stores an id, which expires after `lifetime`.
    /// - Returns: false if the id is already stored.
    func take(_ id: String, now: ParseDate, lifetime: Duration) throws -> Bool {
        try db.run("DELETE FROM request_ids WHERE expires_at <= ?", [now.milliseconds])
        try db.run(
            "INSERT OR IGNORE INTO request_ids (id, expires_at) VALUES (?, ?)",
            [key(id), (now + lifetime).milliseconds])
        guard db.changesCount > 0 else { return false }
        try db.run("DELETE FROM request_ids WHERE number <= ?", [db.lastInsertedRowID - Self.countMax])
        return true
    }

    /// Deletes an id, so that its request can be sent again.
    func release(_ id: String) throws { try db.run("DELETE FROM request_ids WHERE id = ?", [key(id)]) }

    private func key(_ id: String) -> String {
        id.utf8.count <= Self.bytesMax ? id : "sha256:" + ContentDigest.text(of: id)
    }
}
