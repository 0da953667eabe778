import ParseModel
import Passwords
import StoreService

/// Prepares the writes of `_User` and `_Session` in a standalone gateway: checks the fields with special rules, hashes passwords,
/// and makes sessions. Passwords are hashed before the write's transaction, because a hash takes long.
struct AccountPreparation: Sendable {
    /// A request that is ready for the store, or that is already answered.
    enum Prepared: Sendable {
        case write(WriteRequest)
        /// The request was the log-in of a known anonymous user, which clients send to the sign-up route. This is its
        /// answer.
        case answer(JSONObject, userId: String)
    }

    let sessions: Sessions
    let objects: any ObjectStore
    let rules: PasswordRules
    /// The error for a change of a user whose new user name or password is not a string.
    let wrongValuesOfChanges: ParseDialect.WrongSignInValues
    let environment: Environment

    private var store: any AccountStore { sessions.store }
    private var settings: AccountSettings { sessions.settings }

    /// Whether a write creates or updates a user or a session, so that it must be prepared.
    static func concerns(_ write: WriteRequest) -> Bool {
        guard write.className == "_User" || write.className == "_Session" else { return false }
        if case .delete = write { return false }
        return true
    }

    /// - Throws: `ParseError` for an invalid field, `APIError.tooManyPasswords`.
    func prepared(_ write: WriteRequest, for request: RoutedRequest) async throws -> Prepared {
        try write.authorize(as: request.principal)
        switch write {
        case .create("_User", let body, let terms): return try await signUp(body, terms, request)
        case .update("_User", let userId, let body, let terms):
            return .write(try await changed(userId, body, terms, request))
        case .create("_Session", let body, let terms):
            return .write(try SessionWrites(sessions: sessions).created(body, terms, request))
        case .update("_Session", let sessionId, let body, let terms):
            return .write(try SessionWrites(sessions: sessions).changed(sessionId, body, terms, request))
        case .create, .update, .delete: return .write(write)
        }
    }

    // MARK: New users

    private func signUp(_ body: JSONObject, _ terms: WriteTerms, _ request: RoutedRequest) async throws -> Prepared {
        var user = try UserBody(body, of: request.principal)
        let principal = request.principal
        if !user.hasIdentity {
            // As on a Parse Server, a body that names a provider without an identity is refused, unless it has a name and a password.
            let hasPassword = user.fields["username"]?.string != nil && user.password != nil
            if body["authData"]?.object?.isEmpty == false, !hasPassword { throw ParseError.unsupportedService }
            guard user.fields["username"]?.string?.isEmpty == false else {
                throw ParseError.usernameMissing
            }
            guard user.password?.isEmpty == false || user.importedHash != nil else { throw ParseError.passwordMissing }
        }
        try user.checkNames()
        // The right to create users is checked before the search for a user with the same identity. Otherwise, callers
        // without that right could learn whether such a user exists.
        try objects.authorize(.create(className: "_User", body: [:], terms: terms), as: principal)
        if let id = user.anonymousId, let account = try account(anonymousId: id, for: principal) {
            return try await logIn(account, request)
        }
        var change = AccountChange()
        change.authData = user.links.filter { !$0.value.isNull }
        change.isReadableByAll = !settings.keepsUsersPrivate
        if let password = user.password {
            try rules.check(password, username: user.fields["username"]?.string)
            change.password = NewPassword(hash: try await rules.hash(password))
        } else if let hash = user.importedHash {
            change.password = NewPassword(hash: hash)
        }
        if user.fields["username"]?.isTruthy != true {
            user.fields["username"] = .string(environment.username())
            change.showsUsername = true
        }
        // As on a Parse Server, a signed-in user who creates another user with `authData` gets no session of the new
        // user.
        if principal.user == nil || !user.hasIdentity {
            // A Parse Server records a sign-up with `authData` as a log-in.
            change.session = sessions.new(
                user.hasIdentity ? "login" : "signup", by: user.hasIdentity ? "anonymous" : "password",
                installationId: request.parse.credentials.installationId)
        }
        var terms = terms
        terms.account = change
        return .write(.create(className: "_User", body: user.fields, terms: terms))
    }

    /// The user with this id in `authData.anonymous`; nil for none. As on a Parse Server, only the master key and the
    /// maintenance key find a user who is locked out.
    /// - Throws: `ParseError` 208 (account already linked) if several users have the identity.
    private func account(anonymousId: String, for principal: Principal) throws -> Account? {
        let accounts = try store.accounts(anonymousId: anonymousId).filter {
            principal.writesEverything || !$0.isLockedOut
        }
        guard accounts.count < 2 else { throw ParseError.alreadyLinked }
        return accounts.first
    }

    /// Logs an anonymous user in.
    /// - Throws: `ParseError` 208 (account already linked) if another user is signed in.
    private func logIn(_ account: Account, _ request: RoutedRequest) async throws -> Prepared {
        if let user = request.principal.user, user.objectId != account.userId { throw ParseError.alreadyLinked }
        var answer = account.user
        if request.principal.user == nil {
            let session = sessions.new(
                "login", by: "anonymous", installationId: request.parse.credentials.installationId)
            _ = try await store.open(session, of: account.userId)
            answer["sessionToken"] = .string(session.token)
        }
        return .answer(answer, userId: account.userId)
    }

    // MARK: Changed users

    /// Checks that the caller may change a user, before the body is checked. An error of the body, for example that the
    /// new password contains the user name, would reveal facts about the user.
    /// - Throws: `ParseError` 206 (session missing), also for an unknown user.
    func checkChange(of userId: String, by principal: Principal) throws {
        try AccessRules.refusal(of: .update, "_User", userId, to: principal).map { throw $0 }
        guard let user = principal.user, !user.objectId.isExactly(userId) else { return }
        if let account = try store.account(userId),
            AccessControlList(account.user["ACL"])?.allowsWriting(by: principal) == true
        {
            return
        }
        let mayRead = try objects.object("_User", userId, as: principal) != nil
        throw mayRead ? ParseError.insufficientAuth.denyingWrite : .insufficientAuth
    }

    private func changed(
        _ userId: String, _ body: JSONObject, _ terms: WriteTerms, _ request: RoutedRequest
    ) async throws -> WriteRequest {
        let isOwn = request.principal.user?.objectId.isExactly(userId) == true
        let user = try UserBody(body, of: request.principal, wrongValues: wrongValuesOfChanges)
        try user.checkNames()
        if let name = user.fields["username"], name.string?.isEmpty != false {
            throw ParseError.usernameMissing
        }
        var change = AccountChange()
        change.authData = user.links
        if let password = user.password {
            guard !password.isEmpty else { throw ParseError.passwordMissing }
            guard let account = try store.account(userId) else { throw ParseError.objectNotFound }
            try rules.check(password, username: user.fields["username"]?.string ?? account.user["username"]?.string)
            change.password = NewPassword(hash: try await rules.hash(password))
            change.endsSessions = true
            if isOwn {
                change.session = sessions.new(
                    "signup", by: "password", installationId: request.parse.credentials.installationId)
            }
            // A name and a password turn an anonymous user into one with an account.
            let wasAnonymous = account.user["authData"]?.object?["anonymous"] != nil
            if wasAnonymous, user.fields["username"] != nil { change.authData["anonymous"] = .null }
        } else if let hash = user.importedHash {
            change.password = NewPassword(hash: hash)
            change.endsSessions = true
        }
        var terms = terms
        terms.account = change
        return .update(className: "_User", objectId: userId, body: user.fields, terms: terms)
    }
}

extension JSONObject {
    fileprivate func filter(_ isKept: ((key: String, value: JSONValue)) -> Bool) -> JSONObject {
        JSONObject(lazy.filter(isKept).map { ($0.key, $0.value) })
    }
}
