import ParseModel
import StoreService

/// Ids that clients have given their requests.
extension LocalStore {
    /// How many ids are remembered; of more the oldest ones go.
    private static let requestIdsMax: Int64 = 100_000
    /// A longer one is kept by its digest.
    private static let requestIdBytesMax = 100

    package func takeRequestId(_ id: String, for lifetime: Duration) async throws -> Bool {
        let key = id.utf8.count <= Self.requestIdBytesMax ? id : "sha256:" + Self.digest(of: id)
        return try await write(isLocal: true) { transaction in
            let now = transaction.now
            try transaction.execute("DELETE FROM request_ids WHERE expires_at <= ?", [now.milliseconds])
            try transaction.execute(
                "INSERT OR IGNORE INTO request_ids (id, expires_at) VALUES (?, ?)",
                [key, (now + lifetime).milliseconds])
            guard transaction.db.changesCount > 0 else { return false }
            try transaction.execute(
                "DELETE FROM request_ids WHERE number <= ?", [transaction.db.lastInsertedRowID - Self.requestIdsMax])
            return true
        }
    }

    private static func digest(of text: String) -> String {
        let digest = ContentDigest()
        Array(text.utf8).withUnsafeBytes { digest.add($0) }
        return digest.finish()
    }
}
