import ParseModel
import RemoteService
import StoreService

/// The ends of sessions at the remote.
extension SpaceRegistry {
    /// The time after which a session that is logged out here is ended at the remote although the user's changes still wait.
    private static let logOutDelayMax = Duration.seconds(86_400)

    func logOut(_ token: String) async throws {
        let digest = SessionDigest(of: token)
        guard let session = try people.session(digest) else {
            // Only the remote knows the session. Offline, there is nothing to end here.
            do { try await remote.endSession(of: token) } catch {
                logger.notice("the log-out of a session that is not known here has not reached the remote: \(error)")
            }
            return
        }
        guard session.state == .open else { return }
        try await end(digest, .loggedOut)
        if let ended = try people.session(digest) { await finishLogOut(ended) }
    }

    /// Ends a session at the remote, unless changes of its user still wait. Without success, a later call tries again.
    func finishLogOut(_ session: KnownSession) async {
        do {
            let mayWait = environment.now() < session.changedAt + Self.logOutDelayMax
            if mayWait, try await hasWaitingChanges(session.userId) { return }
            if let token = key.token(of: session) { try await remote.endSession(of: token) }
            try await people.forget(session.digest)
        } catch {
            logger.notice("a log-out will be sent to the remote later: \(error)")
        }
    }

    private func hasWaitingChanges(_ userId: String) async throws -> Bool {
        try await space(of: userId).store.figures().pending > 0
    }
}
