import GRDB
import ParseModel
import StoreService

extension LocalStore {
    package func session(of token: String) throws -> OpenSession? {
        let digest = SessionDigest.of(token)
        return try sessions.session(digest: digest) {
            try read { db in
                guard let session = try SessionTable(db: db).session(digest: digest),
                    try StoredObject("_User", session.userId, in: db) != nil
                else { return nil }
                return OpenSession(
                    user: SignedInUser(
                        objectId: session.userId, roles: try RoleMembership(db: db).roles(of: session.userId),
                        sessionId: session.sessionId),
                    expiresAt: session.expiresAt)
            }
        }
    }

    package func open(_ session: NewSession, of userId: String) async throws -> String {
        try await write(isLocal: true) { transaction in
            guard try StoredObject("_User", userId, in: transaction.db) != nil else {
                throw ParseError.objectNotFound
            }
            return try AccountWrites(transaction).open(session, of: userId)
        }
    }

    package func endSession(of token: String) async throws {
        let digest = SessionDigest.of(token)
        try await write(isLocal: true) { transaction in
            guard let session = try SessionTable(db: transaction.db).session(digest: digest) else { return }
            try AccountWrites(transaction).end([session.sessionId])
        }
    }

    package func extend(sessionId: String, to end: ParseDate) async throws {
        let body: JSONObject = ["expiresAt": end.json]
        let request = WriteRequest.update(className: "_Session", objectId: sessionId, body: body)
        _ = try await perform([request], as: .master, atomically: false)[0].get()
    }

    // MARK: Users

    package func accounts(named name: LogInName) throws -> [Account] {
        try read { db in
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

    package func account(_ userId: String) throws -> Account? { try read { try Self.account(userId, in: $0) } }

    package func account(anonymousId: String) throws -> Account? {
        try read { db in
            try UserKeyTable(db: db).users(.anonymous, anonymousId).first.flatMap { try Self.account($0, in: db) }
        }
    }

    package func settle(_ attempt: LogInAttempt) async throws -> LogInOutcome {
        try await write(isLocal: true) { try LogInSettling(transaction: $0).settle(attempt) }
    }

    private static func account(_ userId: String, in db: Database) throws -> Account? {
        guard let user = try StoredObject("_User", userId, in: db)?.fields(of: "_User") else { return nil }
        let secret = try UserSecretTable(db: db).secret(of: userId)
        return Account(
            userId: userId, user: user, hash: secret?.hash, history: secret?.history ?? [],
            changedAt: secret?.changedAt)
    }
}

extension LogInName {
    /// Whether the user has this name. The case of letters counts.
    fileprivate func isExactly(_ user: JSONObject) -> Bool {
        let (username, email) = (user["username"]?.string, user["email"]?.string)
        switch self {
        case .either(let text): return text == username || text == email
        case .email(let wanted): return wanted == email
        case .both(let name, let wanted): return name == username && wanted == email
        }
    }
}
