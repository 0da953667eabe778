import ParseModel

/// The verifiers of passwords for log-ins without the remote.
package protocol OfflineLogInStore: Sendable {
    /// The verifier of a user; nil for none.
    func verifier(of userId: String) throws -> LogInVerifier?

    /// Keeps a new verifier for a user whom the remote has just logged in. Replaces an earlier one with its failures.
    /// - Parameter provenAt: the time of the log-in, by `TrustedTime`.
    func setVerifier(_ hash: String, of userId: String, provenAt: ParseDate) async throws

    /// Removes the verifier of a user, and ends the sessions that this gateway has opened for the user.
    func removeVerifier(of userId: String, at time: ParseDate) async throws

    /// Removes all verifiers, and ends all sessions that this gateway has opened.
    func removeVerifiers(at time: ParseDate) async throws

    /// Records an attempt before the password is compared. The record and the time are on disk when the call returns, also for an
    /// unknown user: the call takes as long as for a known one.
    /// - Parameters:
    ///   - userId: nil for an unknown user.
    ///   - note: the present time.
    func beginAttempt(of userId: String?, at note: TrustedTime.Note) async throws -> LogInVerifier.Attempt

    /// Notes that the password of an attempt was right, and opens a session.
    /// - Parameter hash: the hash that the password was compared with.
    /// - Returns: false without a change if the verifier was removed or replaced in the meantime.
    func completeAttempt(_ hash: String, opening session: KnownSession) async throws -> Bool

    /// The last noted time of the remote, and the time of this machine when it was noted; nil before the first note.
    func trustedTime() throws -> TrustedTime.Note?

    func setTrustedTime(_ note: TrustedTime.Note) async throws
}
