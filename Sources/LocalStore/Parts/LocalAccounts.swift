import GRDB
import ParseModel
import StoreService

/// Reads and changes the users and sessions of a standalone store.
struct LocalAccounts: AccountStore {
    let transactions: Transactions
    let objects: any ObjectStore

    func session(of token: String) throws -> OpenSession? {
        let digest = SessionDigest(of: token)
        return try transactions.sessions.session(digest: digest) {
            try transactions.read { db in
                guard let session = try SessionTable(db: db).session(digest: digest),
                    try transactions.configuration.mayWork(session.userId, in: db)
                else { return nil }
                return OpenSession(
                    user: SignedInUser(
                        objectId: session.userId, roles: try RoleMembership(db: db).roles(of: session.userId),
                        sessionId: session.sessionId),
                    expiresAt: session.expiresAt)
            }
        }
    }

    func open(_ session: NewSession, of userId: String) async throws -> String {
        try await transactions.write(isLocal: true) { transaction in
            guard try StoredObject("_User", userId, in: transaction.db) != nil else {
                throw ParseError.objectNotFound
            }
            return try AccountWrites(transaction).open(session, of: userId)
        }
    }

    func endSession(of token: String) async throws {
        let digest = SessionDigest(of: token)
        try await transactions.write(isLocal: true) { transaction in
            guard let session = try SessionTable(db: transaction.db).session(digest: digest) else { return }
            try AccountWrites(transaction).end([session.sessionId])
        }
    }

    func extend(sessionId: String, to end: ParseDate) async throws {
        let body: JSONObject = ["expiresAt": end.json]
        let request = WriteRequest.update(className: "_Session", objectId: sessionId, body: body)
        _ = try await objects.perform([request], as: .master, atomically: false)[0].get()
    }

    // MARK: Users

    func ownFields(of userId: String) throws -> JSONObject? {
        let roles = try transactions.read { try RoleMembership(db: $0).roles(of: userId) }
        let user = SignedInUser(objectId: userId, roles: roles, sessionId: "")
        do {
            return try objects.object("_User", userId, as: .user(user))?.fields(of: "_User")
        } catch is ParseError {
            return nil
        }
    }

    func accounts(named name: LogInName) throws -> [Account] {
        try transactions.read { db in
            let keys = UserKeyTable(db: db)
            let found: [String]
            switch name {
            case .either(let text): found = try keys.users(.username, text) + keys.users(.email, text)
            case .email(let email), .both(_, let email): found = try keys.users(.email, email)
            }
            var seen: Set<String> = []
            return try found.filter { seen.insert($0).inserted }.compactMap { try Self.account($0, in: db) }
                .filter { name.isExactly($0.user) }
        }
    }

    func account(_ userId: String) throws -> Account? { try transactions.read { try Self.account(userId, in: $0) } }

    func accounts(anonymousId: String) throws -> [Account] {
        try transactions.read { db in
            try UserKeyTable(db: db).users(.anonymous, anonymousId).compactMap { try Self.account($0, in: db) }
        }
    }

    func findings() throws -> AccountFindings { try transactions.read { try AccountFindings(in: $0) } }

    func settle(_ attempt: LogInAttempt) async throws -> LogInOutcome {
        try await transactions.write(isLocal: true) { try LogInSettling(transaction: $0).settle(attempt) }
    }

    private static func account(_ userId: String, in db: Database) throws -> Account? {
        guard let user = try StoredObject("_User", userId, in: db)?.fields(of: "_User") else { return nil }
        let secret = try UserSecretTable(db: db).secret(of: userId)
        return Account(userId: userId, user: user, hash: secret?.hash)
    }
}
