import GRDB
import ParseModel
import StoreService

/// The table `live_positions`: for each subscription of a live query, the number of the last change that the client has
/// surely received. A client that comes back gets the later changes.
struct LivePositions {
    let db: Database

    /// The maximum number of positions. The oldest are dropped first.
    private static let countMax = 20_000

    func position(of key: LiveSubscriptionKey, now: ParseDate) throws -> Int64? {
        try db.integer(
            """
            SELECT number FROM live_positions
            WHERE installation = ? AND request_id = ? AND query = ? AND expires_at > ?
            """, [key.installation, key.requestId, key.query, now.milliseconds])
    }

    func remember(_ positions: [LiveSubscriptionKey: Int64], now: ParseDate, lifetime: Duration) throws {
        for (key, number) in positions {
            try db.run(
                """
                INSERT INTO live_positions (installation, request_id, query, number, expires_at) VALUES (?1, ?2, ?3, ?4, ?5)
                ON CONFLICT (installation, request_id, query) DO UPDATE SET number = ?4, expires_at = ?5
                """, [key.installation, key.requestId, key.query, number, (now + lifetime).milliseconds])
        }
        try db.run("DELETE FROM live_positions WHERE expires_at <= ?", [now.milliseconds])
        try db.run(
            """
            DELETE FROM live_positions WHERE (installation, request_id, query) IN (
                SELECT installation, request_id, query FROM live_positions ORDER BY expires_at DESC LIMIT -1 OFFSET ?)
            """, [Self.countMax])
    }

    func forget(_ key: LiveSubscriptionKey) throws {
        try db.run(
            "DELETE FROM live_positions WHERE installation = ? AND request_id = ? AND query = ?",
            [key.installation, key.requestId, key.query])
    }
}
