import GRDB
import ParseModel
import StoreService
import SyncModel

/// The table `identities`: the authors of changes and uploads. An author is the gateway or, in a site replica, a user
/// or all clients without a session.
struct Authors {
    let db: Database

    /// The key of an author. Adds a row for a new author.
    func key(of author: SyncAuthor) throws -> AuthorKey {
        guard author != .gateway else { return .gateway }
        if let known = try knownKey(of: author) { return known }
        try db.run("INSERT INTO identities (name) VALUES (?)", [author.name])
        return AuthorKey(key: db.lastInsertedRowID)
    }

    /// The key of an author; nil for an author who has never changed or uploaded anything.
    func knownKey(of author: SyncAuthor) throws -> AuthorKey? {
        try db.integer("SELECT key FROM identities WHERE name = ?", [author.name]).map(AuthorKey.init(key:))
    }

    func author(of key: AuthorKey) throws -> SyncAuthor? {
        try db.text("SELECT name FROM identities WHERE key = ?", [key.key]).flatMap(SyncAuthor.init(name:))
    }

    /// The authors, except the gateway, with changes to send or of unknown outcome, ordered by their oldest change.
    func waiting() throws -> [SyncAuthor] {
        try db.texts(
            """
            SELECT i.name FROM identities i JOIN outbox o ON o.identity = i.key
            WHERE i.key <> \(AuthorKey.gateway.key) AND o.phase IN ('pending', 'inFlight', 'unknown')
            GROUP BY i.key ORDER BY min(o.seq)
            """
        ).compactMap(SyncAuthor.init(name:))
    }
}
