import ParseModel
import Passwords
import StoreService

/// The checks of new passwords, by the `PasswordPolicy` of the settings.
struct PasswordRules: Sendable {
    let policy: PasswordPolicy
    let hasher: PasswordHasher

    /// The number of earlier hashes that the store keeps beside the present one.
    var keptHashes: Int { max(0, policy.historyMax - 1) }

    /// - Throws: `ParseError` 142 (validation failed).
    func check(_ password: String, username: String?) throws {
        if let pattern = policy.pattern,
            try !RegularExpression.compiled(pattern, options: "").matches(password)
        {
            throw ParseError(.validationFailed, "Password does not meet the Password Policy requirements.")
        }
        if !policy.allowsUsername, let username, !username.isEmpty, password.contains(username) {
            throw ParseError(.validationFailed, "Password cannot contain your username.")
        }
    }

    /// - Throws: `ParseError` 142 (validation failed) for one of the latest passwords; `APIError.tooManyPasswords`.
    func checkHistory(_ password: String, _ account: Account) async throws {
        guard policy.historyMax > 0, let hash = account.hash else { return }
        for hash in account.history.suffix(keptHashes) + [hash] {
            let isSame = try await answering { () throws(PasswordError) in try await hasher.matches(password, hash) }
            guard !isSame else {
                throw ParseError(
                    .validationFailed,
                    "New password should not be the same as last \(policy.historyMax) passwords.")
            }
        }
    }

    func hash(_ password: String) async throws -> String {
        try await answering { () throws(PasswordError) in try await hasher.hash(password) }
    }
}
