import GatewayAPI
import ParseModel
import StoreService

/// Ends sessions in this gateway: after a refusal by the remote, a log-out, a changed password or the deletion of the account.
extension SessionBook {
    func noteRefused(_ token: String) async {
        do {
            try await end(SessionDigest(of: token), .refused)
        } catch {
            logger.error("the end of a session cannot be recorded: \(error)")
        }
    }

    /// Ends a session here. If the remote refuses a session during its log-out, the refusal is the effect of the log-out, and changes
    /// nothing.
    func end(_ digest: SessionDigest, _ state: KnownSession.State) async throws {
        if state == .refused {
            // Several requests can be refused at the same time. One of them records the end.
            guard !leaving.withLock({ $0.contains(digest) }), ending.withLock({ $0.insert(digest).inserted }) else {
                return
            }
        }
        defer { if state == .refused { ending.withLock { _ = $0.remove(digest) } } }
        endLook(at: digest)
        let known = try people.session(digest)
        // The verifier is removed before the end of the session is stored. If the program crashes in between, the
        // session is still open, and the remote is asked about it again.
        if let known, state == .refused { await offlineSignIn?.noteChange(of: known.userId) }
        try await people.change(digest, to: state, at: environment.now())
        // A request may have cached the earlier state of the session in the meantime.
        endLook(at: digest)
        // The end of a locally opened session is logged when its verifier is removed.
        guard let known, known.state == .open, state != .refused || known.origin == .remote else { return }
        noteEnd(of: known, state)
        if state == .refused { askAboutSessions(of: known.userId) }
    }

    /// Starts a task that checks the open sessions of a user at the remote, one after the other, because a new password
    /// ends all of them.
    private func askAboutSessions(of userId: String) {
        guard asking.withLock({ $0.insert(userId).inserted }) else { return }
        environment.task {
            await self.confirmSessions(of: userId)
            self.asking.withLock { _ = $0.remove(userId) }
        }
    }

    /// Ends a locally opened session. Its token stays stored, so that it is never sent to the remote. The user's other
    /// sessions and the verifier stay.
    func endHere(_ session: KnownSession) async throws {
        endLook(at: session.digest)
        try await people.change(session.digest, to: .refused, at: environment.now())
        endLook(at: session.digest)
    }

    /// Whether a session has ended here. A session whose log-out the remote has confirmed is no longer stored, and
    /// counts as ended.
    func hasEnded(_ token: String) throws -> Bool { try people.session(SessionDigest(of: token))?.state != .open }

    func isFromHere(_ token: String) throws -> Bool { try people.session(SessionDigest(of: token))?.origin == .here }

    func noteEnd(of session: KnownSession, _ state: KnownSession.State) {
        host?.sessionHasEnded(of: session.userId)
        let end = session.origin == .here ? offlineEnd(of: session) : session.expiresAt
        let isExpired = end.map { $0 <= now(for: session) } ?? false
        let reason: AuditEvent.SessionEnd = state != .refused ? .loggedOut : isExpired ? .expired : .refused
        audit.note(.sessionEnded(userId: session.userId, reason: reason))
    }
}
