import GRDB
import ParseModel
import StoreService
import SyncModel

/// Reads and stores the rows of `_User` in a site replica, which serves several users. Pulls store the rows of all
/// users, and a sign-in stores the row of its user.
struct UserRows {
    let transactions: Transactions

    private var configuration: StoreConfiguration { transactions.configuration }

    /// The fields in the stored row of a user. Pulls update them, so they are newer than the fields from the last log-in.
    /// - Returns: nil until the row of the user is stored.
    func fields(of userId: String, in db: Database) throws -> JSONObject? {
        try StoredObject("_User", userId, in: db)?.fields(of: "_User")
    }

    /// Whether the row of a user is missing, or older than the fields from the last log-in.
    func lacksRow(of userId: String) throws -> Bool {
        try transactions.read { db in
            guard let base = try LocalObject("_User", userId, in: db)?.life.base else { return true }
            let shown = try db.firstRow("SELECT fields FROM known_users WHERE id = ?", [userId]) { try $0.object(0) }
            let updatedAt = shown??["updatedAt"]?.string.flatMap(ParseDate.init(iso:))
            return updatedAt.map { base.updatedAt < $0 } ?? true
        }
    }

    func take(_ row: RemoteRecord) async throws {
        try await transactions.write(of: .gateway, kind: .page) { transaction in
            // A concurrent sync may have stored a later row.
            let base = try LocalObject(row.className, row.objectId, in: transaction.db)?.life.base
            if let base, base.updatedAt >= row.updatedAt { return }
            var page = try PulledPage(of: row.className, in: transaction)
            _ = try page.apply([.upsert(row)])
        }
    }

    /// Whether a user may use the site replica. The user must not be locked out by the ACL `{}`, and must not be
    /// deleted as far as is known.
    func mayWork(_ userId: String, in db: Database) throws -> Bool {
        if let user = try StoredObject("_User", userId, in: db) {
            // While a change of the row is rejected or in a conflict, the local state does not decide, because the
            // remote may never get it.
            let isSettled = ![.conflict, .rejected].contains(user.state)
            if try isSettled && !configuration.admits(user.fields(of: "_User")) { return false }
            return try !isLockedOutRemotely(userId, in: db)
        }
        // The row has no view, so the user was deleted here.
        if try db.isTrue("SELECT EXISTS (SELECT 1 FROM objects WHERE class = '_User' AND id = ?)", [userId]) {
            return false
        }
        // Before the first complete pull, a user without a row may exist on the remote. Later, a user without a row is
        // accepted only if the user was created too late for the last complete pull.
        let pulledAt = try db.integer("SELECT max(complete_since) FROM pulls WHERE class = '_User'", [])
        guard let pulledAt else { return true }
        let fields = try db.firstRow("SELECT fields FROM known_users WHERE id = ?", [userId]) { try $0.object(0) }
        let createdAt = fields??["createdAt"]?.string.flatMap(ParseDate.init(iso:))
        return createdAt.map { ($0 + Self.lateStampMax).milliseconds > pulledAt } ?? false
    }

    /// Whether the remote has locked out or deleted a user whose row has a pending change. A pending change must not
    /// make such a user acceptable again.
    private func isLockedOutRemotely(_ userId: String, in db: Database) throws -> Bool {
        let base = try db.firstRow(
            "SELECT base FROM objects WHERE class = '_User' AND id = ? AND base_kind = 2", [userId]
        ) { try $0.object(0) }
        if let fields = base ?? nil, !configuration.admits(fields) { return true }
        return try db.isTrue(
            """
            SELECT EXISTS (SELECT 1 FROM conflicts WHERE class = '_User' AND object_id = ? AND kind = ? AND resolution IS NULL)
            """, [userId, ConflictKind.deletedRemotely.rawValue])
    }

    func isLeaving(_ userId: String) throws -> Bool {
        return try transactions.read { db in
            guard let life = try LocalObject("_User", userId, in: db)?.life, let base = life.base else { return false }
            let hasLeft = life.rightsState.map { !configuration.admits($0.fields) } ?? true
            return hasLeft && life.conflict?.kind != .deletedRemotely && configuration.admits(base.fields)
        }
    }

    /// The maximum time between a user's `createdAt` and the commit of the row on the remote.
    private static let lateStampMax = Duration.seconds(10)
}
