import ParseModel
import Passwords
import StoreService

/// Logs users in by name and password. Each failure has the same answer and takes the same time, whether the name is
/// known or not.
struct LogIns: Sendable {
    let sessions: Sessions
    let hasher: PasswordHasher

    private var store: any AccountStore { sessions.store }
    private var settings: AccountSettings { sessions.settings }

    /// Checks a name and a password.
    /// - Parameter session: the session to open; nil to only check the password.
    /// - Returns: the fields of the user.
    /// - Throws: `ParseError` 200 (username missing), 201 (password missing), 101 (object not found) for a wrong name or
    ///   password; `APIError.tooManyPasswords`.
    func logIn(_ claim: LogInClaim, opening session: NewSession?, as principal: Principal) async throws -> JSONObject {
        let account = claim.chosen(of: try claim.name.map { try store.accounts(named: $0) } ?? [])
        let isRight = try await answering { () throws(PasswordError) in
            try await hasher.matches(claim.password, account?.hash)
        }
        guard let account, let hash = account.hash, isRight || settings.lockout != nil else {
            throw ParseError.wrongPassword
        }
        var attempt = LogInAttempt(userId: account.userId, hash: hash, isRight: isRight)
        attempt.lockout = settings.lockout
        if isRight {
            let isShut = account.isLockedOut && !principal.isMaster
            attempt.session = isShut ? nil : session
            if hasher.needsRehash(hash) {
                attempt.newHash = try await answering { () throws(PasswordError) in
                    try await hasher.hash(claim.password)
                }
            }
        }
        switch attempt.changesNothing ? .accepted(user: account.user) : try await store.settle(attempt) {
        case .refused: throw ParseError.wrongPassword
        case .locked: throw Self.locked(settings.lockout)
        case .accepted(let user):
            guard !account.isLockedOut || principal.isMaster else { throw ParseError.wrongPassword }
            return user
        }
    }

    private static func locked(_ lockout: Lockout?) -> ParseError {
        let minutes = ((lockout?.duration ?? .zero).components.seconds + 59) / 60
        return ParseError(
            .objectNotFound,
            "Your account is locked due to multiple failed login attempts. Please try again after \(minutes) minute(s)")
    }
}

/// Hashes or compares a password, and turns a `PasswordError` into an error of the API.
func answering<Value: Sendable>(
    _ work: () async throws(PasswordError) -> Value
) async throws -> Value {
    do {
        return try await work()
    } catch {
        switch error {
        case .busy, .outOfMemory: throw APIError.tooManyPasswords
        case .tooLong(let bytesMax):
            throw ParseError(.validationFailed, "A password has at most \(bytesMax) bytes.")
        }
    }
}
