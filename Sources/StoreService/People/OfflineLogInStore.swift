import ParseModel

/// The verifiers (password hashes) of users, for log-ins while the remote is not reachable.
package protocol OfflineLogInStore: Sendable {
    /// The verifier of a user; nil for none.
    func verifier(of userId: String) throws -> LogInVerifier?

    /// Stores a new verifier for a user whom the remote has just logged in. It replaces an earlier verifier and its
    /// count of failures.
    /// - Parameter provenAt: the time of the log-in, by `TrustedTime`.
    func setVerifier(_ hash: String, of userId: String, provenAt: ParseDate) async throws

    /// Removes the verifier of a user, and ends the sessions that this gateway has opened for the user.
    func removeVerifier(of userId: String, at time: ParseDate) async throws

    /// Removes all verifiers, and ends all sessions that this gateway has opened itself.
    func removeVerifiers(at time: ParseDate) async throws

    /// Records an attempt before its password is compared. The record and the time are on disk when the call returns.
    /// For an unknown user the call takes as long as for a known one, so that its duration does not reveal which users
    /// exist.
    /// - Parameters:
    ///   - userId: nil for an unknown user.
    ///   - note: the present time.
    func beginAttempt(of userId: String?, at note: TrustedTime.Note) async throws -> LogInVerifier.Attempt

    /// Records that the password of an attempt was right, and opens a session.
    /// - Parameter hash: the hash that the password was compared with.
    /// - Returns: false without a change if the verifier was removed or replaced in the meantime.
    func completeAttempt(_ hash: String, opening session: KnownSession) async throws -> Bool

    /// The last recorded time of the remote, and the time of this machine at the same moment; nil before the first
    /// record.
    func trustedTime() throws -> TrustedTime.Note?

    func setTrustedTime(_ note: TrustedTime.Note) async throws
}
