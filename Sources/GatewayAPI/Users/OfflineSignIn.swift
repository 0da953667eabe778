import ParseModel

/// Logs users in by name and password while the remote cannot be reached, with a stored verifier (a hash) of each
/// password that the remote has accepted.
package protocol OfflineSignIn: Sendable {
    /// The number of calls of `noteChange` for a user.
    func changeCount(of userId: String) -> Int

    /// Keeps a verifier of the password, after the remote has logged the user in. Has no effect if `noteChange` was called since the
    /// answer: the remote may have refused a session after it accepted the password.
    /// - Parameters:
    ///   - user: the fields of the user in the remote's answer.
    ///   - time: the time in the remote's answer; nil if it has none.
    ///   - changeCount: the number of changes of the user when the answer arrived.
    func noteAccepted(_ claim: LogInClaim, user: JSONObject, at time: ParseDate?, changeCount: Int) async

    /// Removes the verifier of a password that the remote has refused with code 101. Another password's verifier stays.
    func noteRefused(_ claim: LogInClaim) async

    /// Removes the verifier of a user whose password, name or second factor has changed.
    func noteChange(of userId: String) async

    /// Logs a user in.
    /// - Returns: the fields of the user, with the token of a session that only this gateway knows.
    /// - Throws: `ParseError` 101 (object not found) for an unknown name, a wrong password, a user whose last log-in at the remote is too
    ///   long ago, and during a lock-out. `APIError.tooManyPasswords`.
    func logIn(_ claim: LogInClaim) async throws -> JSONObject
}
