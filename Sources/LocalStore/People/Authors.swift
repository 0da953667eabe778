import GRDB
import ParseModel
import StoreService
import SyncModel

/// The authors of changes and uploads, in the table `identities`.
struct Authors {
    let db: Database

    /// The identity of an author. Adds a row for a new author.
    func identity(of author: SyncAuthor) throws -> SyncIdentity {
        guard author != .gateway else { return .gateway }
        if let known = try knownIdentity(of: author) { return known }
        try db.run("INSERT INTO identities (name) VALUES (?)", [author.name])
        return SyncIdentity(key: db.lastInsertedRowID)
    }

    /// The identity of an author; nil for an author who has never changed or uploaded anything.
    func knownIdentity(of author: SyncAuthor) throws -> SyncIdentity? {
        try db.integer("SELECT key FROM identities WHERE name = ?", [author.name]).map(SyncIdentity.init(key:))
    }

    func author(of identity: SyncIdentity) throws -> SyncAuthor? {
        try db.text("SELECT name FROM identities WHERE key = ?", [identity.key]).flatMap(SyncAuthor.init(name:))
    }

    /// The authors, except the gateway, with changes to send or changes of unknown outcome, ordered by their oldest change.
    func waiting() throws -> [SyncAuthor] {
        try db.texts(
            """
            SELECT i.name FROM identities i JOIN outbox o ON o.identity = i.key
            WHERE i.key <> \(SyncIdentity.gateway.key) AND o.phase IN ('pending', 'inFlight', 'unknown')
            GROUP BY i.key ORDER BY min(o.seq)
            """
        ).compactMap(SyncAuthor.init(name:))
    }
}
