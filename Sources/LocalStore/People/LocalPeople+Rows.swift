import ParseModel
import StoreService
import SyncModel

/// The rows of a site's users. Besides the pulls, a sign-in brings the row of its user.
extension LocalPeople {
    func lacksRow(of userId: String) throws -> Bool {
        try store.read { db in
            guard let base = try LocalObject("_User", userId, in: db)?.life.base else { return true }
            let shown = try db.firstRow("SELECT fields FROM known_users WHERE id = ?", [userId]) { try $0.object(0) }
            let updatedAt = shown??["updatedAt"]?.string.flatMap(ParseDate.init(iso:))
            return updatedAt.map { base.updatedAt < $0 } ?? true
        }
    }

    func take(_ row: RemoteRecord) async throws {
        guard store.configuration.isSite else { return }
        try await store.write(of: .gateway, kind: .page) { transaction in
            // A sync that runs at the same time may know a later row.
            let base = try LocalObject(row.className, row.objectId, in: transaction.db)?.life.base
            if let base, base.updatedAt >= row.updatedAt { return }
            var page = try PulledPage(of: row.className, in: transaction)
            _ = try page.apply([.upsert(row)])
        }
    }
}
