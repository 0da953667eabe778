import GRDB
import ParseModel
import StoreService
import SyncModel

/// Lists and removes the pending changes of a site replica's users. A site replica serves several users.
extension LocalPeople {
    /// The age up to which unreferenced files are kept when the files of a removed user are collected. They may be
    /// uploads of other users.
    private static let fileGrace = Duration.seconds(24 * 3600)

    func waitingWork(of userId: String) async throws -> WaitingWork {
        try await transactions.read { [contents = transactions.file.contents] in
            try Self.work(of: userId, in: $0, contents)
        }
    }

    private static func work(of userId: String, in db: Database, _ contents: ContentDirectory) throws -> WaitingWork {
        guard let author = try Authors(db: db).knownKey(of: .user(userId)) else { return .none }
        return try WaitingWork(of: author, in: db, contents)
    }

    func forget(
        userId: String, withWork check: @escaping @Sendable (WaitingWork) throws -> Void
    ) async throws {
        try await transactions.write { [contents = transactions.file.contents] transaction in
            try check(Self.work(of: userId, in: transaction.db, contents))
            if let author = try Authors(db: transaction.db).knownKey(of: .user(userId)) {
                try Self.dropWork(of: author, transaction)
            }
            try Self.remove(userId, in: transaction.db)
        }
        try await files.collectFiles(grace: Self.fileGrace)
    }

    func forget(userId: String, unusedSince time: ParseDate) async throws -> Bool {
        try await transactions.write(isLocal: true) { [contents = transactions.file.contents] transaction in
            let isUnused = try transaction.db.isTrue(
                "SELECT EXISTS (SELECT 1 FROM known_users WHERE id = ? AND used_at <= ?)", [userId, time.milliseconds])
            guard isUnused, try Self.work(of: userId, in: transaction.db, contents).isEmpty else { return false }
            try Self.remove(userId, in: transaction.db)
            return true
        }
    }

    /// Drops the pending changes of an author. Marks the author's uploads as unused, so that the next collection
    /// removes those that are in no object.
    private static func dropWork(of author: AuthorKey, _ transaction: StoreTransaction) throws {
        for object in try OutboxTable(db: transaction.db).objects(changedBy: author) {
            try checkCreate(of: object, by: author, transaction.db)
            try transaction.receive(.authorForgotten(author), object)
        }
        try transaction.db.run(
            "UPDATE files SET made_at = 0, used_at = 0 WHERE author = ? AND remote_url IS NULL", [author.key])
    }

    /// Checks that the create of an object can be dropped. It cannot be dropped if its request may still be applied,
    /// and another author has changed the object since: the other change would be sent as a second create, and the
    /// remote could then have the object twice.
    /// - Throws: `StoreError.notPossible`. After the next sync with the remote, the outcome of the create is known.
    private static func checkCreate(of object: Pointer, by author: AuthorKey, _ db: Database) throws {
        guard let steps = try LocalObject(object.className, object.objectId, in: db)?.life.steps.map(\.step),
            let create = steps.first, create.kind == .create, create.author == author,
            [.inFlight, .unknown].contains(create.phase),
            steps.contains(where: { $0.author != author })
        else { return }
        let name = "\(object.className) \(object.objectId)"
        throw StoreError.notPossible(
            reason:
                "Another user has changed \(name), and the remote may have created it: try again after the next sync.")
    }
}
