import GRDB
import ParseModel
import StoreService
import SyncModel

/// The rows of a site's users. Besides the pulls, a sign-in brings the row of its user.
struct UserRows {
    let transactions: Transactions

    private var configuration: StoreConfiguration { transactions.configuration }

    /// The fields of a user. The pulls of a site bring later values than the last log-in.
    /// - Returns: nil before the pulls have brought the user.
    func fields(of userId: String, in db: Database) throws -> JSONObject? {
        try StoredObject("_User", userId, in: db)?.fields(of: "_User")
    }

    static func lacksRow(of userId: String, _ transactions: Transactions) throws -> Bool {
        try transactions.read { db in
            guard let base = try LocalObject("_User", userId, in: db)?.life.base else { return true }
            let shown = try db.firstRow("SELECT fields FROM known_users WHERE id = ?", [userId]) { try $0.object(0) }
            let updatedAt = shown??["updatedAt"]?.string.flatMap(ParseDate.init(iso:))
            return updatedAt.map { base.updatedAt < $0 } ?? true
        }
    }

    func take(_ row: RemoteRecord) async throws {
        try await transactions.write(of: .gateway, kind: .page) { transaction in
            // A sync that runs at the same time may know a later row.
            let base = try LocalObject(row.className, row.objectId, in: transaction.db)?.life.base
            if let base, base.updatedAt >= row.updatedAt { return }
            var page = try PulledPage(of: row.className, in: transaction)
            _ = try page.apply([.upsert(row)])
        }
    }

    /// Whether a user counts: the user exists, as far as is known, and is not locked out.
    func mayWork(_ userId: String, in db: Database) throws -> Bool {
        if let user = try StoredObject("_User", userId, in: db) {
            // A refused or disputed change of the own row does not count.
            let isSettled = ![.conflict, .rejected].contains(user.state)
            if try isSettled && !configuration.admits(user.fields(of: "_User")) { return false }
            return try !isLockedOutRemotely(userId, in: db)
        }
        // A row without a view: the user has been deleted here.
        if try db.isTrue("SELECT EXISTS (SELECT 1 FROM objects WHERE class = '_User' AND id = ?)", [userId]) {
            return false
        }
        // Before the first complete pull, a user without a row is no sign of a removal. A user who was made since the last complete pull
        // has no row yet.
        let pulledAt = try db.integer("SELECT max(complete_since) FROM pulls WHERE class = '_User'", [])
        guard let pulledAt else { return true }
        let fields = try db.firstRow("SELECT fields FROM known_users WHERE id = ?", [userId]) { try $0.object(0) }
        let createdAt = fields??["createdAt"]?.string.flatMap(ParseDate.init(iso:))
        return createdAt.map { ($0 + Self.lateStampMax).milliseconds > pulledAt } ?? false
    }

    /// Whether the remote has locked a user out or removed the user, while an own change of the user's row waits: it must not end that.
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

    /// The longest time between the timestamp of a user's creation and its commit, as for other objects.
    private static let lateStampMax = Duration.seconds(10)
}
