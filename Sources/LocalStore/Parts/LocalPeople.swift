import GRDB
import ParseModel
import StoreService
import SyncModel

/// Stores the users of a replica and their sessions, in the tables of `PeopleMigration`.
struct LocalPeople: PeopleStore {
    let transactions: Transactions
    let files: LocalFiles
    /// Reads the rows of `_User`; nil unless the store is a site replica, which serves several users.
    let rows: UserRows?

    // MARK: Sessions

    func session(_ digest: SessionDigest) throws -> KnownSession? {
        try sessions("WHERE digest = ?", [digest.text]).first
    }

    func sessions(of userId: String) throws -> [KnownSession] {
        try sessions("WHERE user = ? AND state <> 'refused' ORDER BY state = 'open' DESC, confirmed_at DESC", [userId])
    }

    func sessions(_ state: KnownSession.State) throws -> [KnownSession] {
        try sessions("WHERE state = ? ORDER BY changed_at", [state.rawValue])
    }

    private func sessions(_ condition: String, _ values: SQLiteBindings) throws -> [KnownSession] {
        try transactions.read { try KnownSessionTable(db: $0).sessions(condition, values) }
    }

    func sessionCounts() throws -> [KnownSession.State: Int] {
        let counts = try transactions.read { db in
            try db.rows("SELECT state, count(*) FROM known_sessions GROUP BY state", []) { ($0.text(0), $0.int(1)) }
        }
        return Dictionary(
            counts.compactMap { name, count in KnownSession.State(rawValue: name).map { ($0, count) } },
            uniquingKeysWith: +)
    }

    func user(_ userId: String) throws -> JSONObject? {
        try transactions.read { db in
            let known = try db.firstRow("SELECT fields FROM known_users WHERE id = ?", [userId]) { try $0.object(0) }
            guard let known = known ?? nil else { return nil }
            return try rows?.fields(of: userId, in: db) ?? known
        }
    }

    func refusal(of write: WriteRequest, by userId: String) throws -> ParseError? {
        try transactions.read { db in
            let roles = try RoleMembership(db: db).rolesOnRemote(of: userId)
            let permissions = try transactions.access.permissions(in: db).permissions(of: write.className)
            let rules = AccessRules(
                .user(SignedInUser(objectId: userId, roles: roles, sessionId: "")),
                ClassRights(write.className, permissions: permissions))
            do {
                let access = try WriteAccess(of: write, rules, isEnforced: true)
                guard let objectId = write.objectId else { return nil }
                let base = try LocalObject(write.className, objectId, in: db)?.life.base
                return base.map(access.allowsWriting) ?? true ? nil : access.notFound
            } catch let error as ParseError {
                return error
            }
        }
    }

    func userIds() throws -> [String] {
        try transactions.read { try $0.texts("SELECT id FROM known_users ORDER BY id") }
    }

    /// The signed-in user of a site replica, with the roles that the user has now; nil if the session has ended.
    func present(_ user: SignedInUser) throws -> SignedInUser? {
        guard let digest = SessionDigest(text: user.sessionId), try session(digest)?.state == .open else { return nil }
        return try signedIn(user.objectId, by: digest)
    }

    func endFeedPositions() async throws {
        try await transactions.write(isLocal: true) { transaction in
            _ = try ChangeFeed(db: transaction.db).mark(now: transaction.now)
            try transaction.db.run("DELETE FROM changes")
            try transaction.db.run("DELETE FROM rights_changes")
        }
    }

    func signedIn(_ userId: String, by session: SessionDigest) throws -> SignedInUser? {
        try transactions.sessions.session(digest: session) {
            try transactions.read { db in
                guard try rows?.mayWork(userId, in: db) ?? true else { return nil }
                let roles = try RoleMembership(db: db).roles(of: userId)
                return OpenSession(
                    user: SignedInUser(objectId: userId, roles: roles, sessionId: session.text), expiresAt: nil)
            }
        }?.user
    }

    func mayWork(_ userId: String) throws -> Bool {
        guard let rows else { return true }
        return try transactions.read { try rows.mayWork(userId, in: $0) }
    }

    func isLeaving(_ userId: String) throws -> Bool { try rows?.isLeaving(userId) ?? false }

    func lacksRow(of userId: String) throws -> Bool { try rows?.lacksRow(of: userId) ?? true }

    func take(_ row: RemoteRecord) async throws { try await rows?.take(row) }

    func work(of userId: String) throws -> (pending: Int, rejections: Int, conflicts: Int) {
        try transactions.read { db in
            guard let author = try Authors(db: db).knownKey(of: .user(userId)) else { return (0, 0, 0) }
            return (
                try db.count(
                    """
                    SELECT count(DISTINCT class || '/' || id) FROM outbox
                    WHERE identity = ? AND phase IN ('pending', 'inFlight', 'unknown')
                    """, [author.key]),
                try db.count("SELECT count(*) FROM outbox WHERE identity = ? AND phase = 'rejected'", [author.key]),
                try db.count(
                    "SELECT count(DISTINCT class || '/' || id) FROM outbox WHERE identity = ? AND phase = 'held'",
                    [author.key])
            )
        }
    }

    func roles(of userId: String) throws -> Set<String> {
        try transactions.read { try RoleMembership(db: $0).roles(of: userId) }
    }

    func save(_ session: KnownSession, user: JSONObject) async throws {
        try await transactions.write(isLocal: true) { transaction in
            let fields = try KnownUserTable(db: transaction.db).fields(of: session.userId, after: user)
            try transaction.db.run(
                """
                INSERT INTO known_users (id, fields, used_at) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET fields = excluded.fields, used_at = max(used_at, excluded.used_at)
                """, [session.userId, fields.jsonText, session.confirmedAt.milliseconds])
            try KnownSessionTable(db: transaction.db).save(session, now: transaction.now)
        }
    }

    func confirm(_ digest: SessionDigest, at time: ParseDate) async throws {
        try await run(
            "UPDATE known_sessions SET confirmed_at = ? WHERE digest = ?",
            [time.milliseconds, digest.text])
    }

    func confirm(_ digest: SessionDigest, at time: ParseDate, expiresAt: ParseDate?, user: JSONObject) async throws {
        try await transactions.write(isLocal: true) { transaction in
            let db = transaction.db
            try db.run(
                "UPDATE known_sessions SET confirmed_at = ?, expires_at = ? WHERE digest = ? AND state = 'open'",
                [time.milliseconds, expiresAt?.milliseconds, digest.text])
            let userId = try db.text(
                "SELECT user FROM known_sessions WHERE digest = ? AND state = 'open'", [digest.text])
            guard let userId else { return }
            let fields = try KnownUserTable(db: db).fields(of: userId, after: user)
            try db.run("UPDATE known_users SET fields = ? WHERE id = ?", [fields.jsonText, userId])
        }
    }

    func change(_ digest: SessionDigest, to state: KnownSession.State, at time: ParseDate) async throws {
        try await run(
            "UPDATE known_sessions SET state = ?, changed_at = ? WHERE digest = ?",
            [state.rawValue, time.milliseconds, digest.text])
    }

    // MARK: Log-outs

    func unsentLogOuts() throws -> [UnsentLogOut] { try logOuts("ORDER BY since, digest", []) }

    func unsentLogOut(_ digest: SessionDigest) throws -> UnsentLogOut? {
        try logOuts("WHERE digest = ?", [digest.text]).first
    }

    private func logOuts(_ condition: String, _ values: SQLiteBindings) throws -> [UnsentLogOut] {
        try transactions.read { db in
            try db.rows("SELECT digest, user, since, token FROM unsent_log_outs \(condition)", values) { row in
                SessionDigest(text: row.text(0)).map {
                    UnsentLogOut(
                        digest: $0, userId: row.textIfAny(1), since: row.date(2),
                        sealed: Hexadecimal.bytes(of: row.text(3)) ?? [])
                }
            }
        }.compactMap(\.self)
    }

    func add(_ logOut: UnsentLogOut) async throws {
        try await transactions.write(isLocal: true) { transaction in
            guard try transaction.db.count("SELECT count(*) FROM unsent_log_outs") < UnsentLogOut.countMax else {
                throw StoreError.notPossible(reason: "too many log-outs wait for the remote")
            }
            try transaction.db.run(
                "INSERT OR IGNORE INTO unsent_log_outs (digest, user, since, token) VALUES (?, ?, ?, ?)",
                [
                    logOut.digest.text, logOut.userId, logOut.since.milliseconds,
                    Hexadecimal.text(of: logOut.sealed),
                ])
        }
    }

    func forget(_ digest: SessionDigest) async throws {
        try await transactions.write(isLocal: true) { transaction in
            try transaction.db.run("DELETE FROM known_sessions WHERE digest = ?", [digest.text])
            try transaction.db.run("DELETE FROM unsent_log_outs WHERE digest = ?", [digest.text])
        }
    }

    // MARK: Users

    func noteUse(by userId: String, at time: ParseDate) async throws {
        try await run(
            "UPDATE known_users SET used_at = max(used_at, ?) WHERE id = ?", [time.milliseconds, userId])
    }

    func lastUses() throws -> [String: ParseDate] {
        let uses = try transactions.read { db in
            try db.rows("SELECT id, used_at FROM known_users", []) { ($0.text(0), $0.date(1)) }
        }
        return Dictionary(uniqueKeysWithValues: uses)
    }

    func forget(userId: String) async throws {
        try await transactions.write(isLocal: true) { try Self.remove(userId, in: $0.db) }
    }

    /// Removes a user, all sessions of the user and the password verifier. Log-outs that were not sent to the remote
    /// are kept in `unsent_log_outs`.
    static func remove(_ userId: String, in db: Database) throws {
        try db.run(
            """
            INSERT OR IGNORE INTO unsent_log_outs (digest, user, since, token)
            SELECT digest, user, changed_at, token FROM known_sessions WHERE user = ? AND state = 'loggedOut'
            """, [userId])
        try db.run("DELETE FROM known_sessions WHERE user = ?", [userId])
        try VerifierTable(db: db).remove(of: userId)
        try db.run("DELETE FROM known_users WHERE id = ?", [userId])
    }

    // MARK: The file

    func mode() throws -> String? { try transactions.read(PeopleMode.stored) }

    func setMode(_ mode: String) async throws {
        try await transactions.write(isLocal: true) { try PeopleMode.set(mode, in: $0.db) }
    }

    private func run(_ sql: String, _ values: SQLiteBindings) async throws {
        try await transactions.write(isLocal: true) { try $0.db.run(sql, values) }
    }
}
