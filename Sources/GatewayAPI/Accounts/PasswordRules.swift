import ParseModel
import Passwords
import StoreService

/// Checks new passwords by the `PasswordPolicy` of the settings, and hashes them.
struct PasswordRules: Sendable {
    let policy: PasswordPolicy
    let hasher: PasswordHasher

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

    func hash(_ password: String) async throws -> String {
        try await answering { () throws(PasswordError) in try await hasher.hash(password) }
    }
}
