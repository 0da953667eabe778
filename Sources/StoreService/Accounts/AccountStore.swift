import ParseModel

/// Reads and changes the users and sessions of a standalone store, a store without a remote.
package protocol AccountStore: Sendable {
    // MARK: Sessions

    /// Finds the session of a token. Recently used sessions are cached. The answer contains the user's roles.
    /// - Throws: `StoreError`.
    func session(of token: String) throws -> OpenSession?

    /// Opens a session for a user. Ends the user's other sessions of the same installation.
    /// - Returns: the id of the object in `_Session`.
    /// - Throws: `ParseError.objectNotFound` for an unknown user.
    func open(_ session: NewSession, of userId: String) async throws -> String

    /// Ends the session of a token. Does nothing for an unknown token.
    func endSession(of token: String) async throws

    /// Moves the end of a session.
    func extend(sessionId: String, to end: ParseDate) async throws

    // MARK: Users

    /// The users whose user name or e-mail address equals the given one exactly.
    /// - Throws: `StoreError`.
    func accounts(named name: LogInName) throws -> [Account]

    /// The user with an id; nil for an unknown id.
    func account(_ userId: String) throws -> Account?

    /// The fields of a user's own object that a request of this user would return. The permissions of the class, the
    /// ACL and the protected fields apply.
    /// - Returns: nil if the user may not read the object.
    /// - Throws: `StoreError`.
    func ownFields(of userId: String) throws -> JSONObject?

    /// The anonymous users with an anonymous id, which a client has generated. At most one of several users with the
    /// same id can still log in.
    func accounts(anonymousId: String) throws -> [Account]

    /// Finds users without a password, and users with equal names or addresses.
    func findings() throws -> AccountFindings

    /// Completes a log-in after its password was compared with the stored hash, in one transaction: counts a failure,
    /// or replaces an outdated hash and opens the session.
    func settle(_ attempt: LogInAttempt) async throws -> LogInOutcome
}

/// The valid or expired session of a token.
package struct OpenSession: Sendable, Hashable {
    package let user: SignedInUser
    /// The end of the session; nil for a session without an end.
    package let expiresAt: ParseDate?

    package init(user: SignedInUser, expiresAt: ParseDate?) {
        self.user = user
        self.expiresAt = expiresAt
    }

    package func isExpired(at now: ParseDate) -> Bool { expiresAt.map { $0 < now } ?? false }
}

/// The name of a user in a log-in.
package enum LogInName: Sendable, Hashable {
    /// A user name or an e-mail address.
    case either(String)
    case email(String)
    case both(username: String, email: String)
}

extension LogInName {
    /// Whether the user has this name. The case of letters counts.
    package func isExactly(_ user: JSONObject) -> Bool {
        let (username, email) = (user["username"]?.string, user["email"]?.string)
        switch self {
        case .either(let text): return text == username || text == email
        case .email(let wanted): return wanted == email
        case .both(let name, let wanted): return name == username && wanted == email
        }
    }
}

/// A user with the password hash. Never leaves the gateway, and never printed.
package struct Account: Sendable, CustomStringConvertible, CustomReflectable {
    package let userId: String
    /// All fields of the user's object, with id and dates.
    package let user: JSONObject
    /// The hash of the password; nil for a user without a password.
    package let hash: String?

    package init(userId: String, user: JSONObject, hash: String?) {
        self.userId = userId
        self.user = user
        self.hash = hash
    }

    /// Whether the user is locked out by an empty ACL.
    package var isLockedOut: Bool { user["ACL"]?.object?.isEmpty == true }

    package var description: String { "The user \(userId)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
