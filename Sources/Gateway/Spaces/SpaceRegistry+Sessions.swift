import GatewayAPI
import ParseModel
import RemoteService
import StoreService

/// Which sessions count, and how their beginnings and ends are learned.
extension SpaceRegistry {
    /// The session of a token, if its user may work with it now. Asks the remote about a session that is not known, or was confirmed
    /// too long ago.
    func usableSession(_ token: String) async throws -> KnownSession {
        let digest = SessionDigest(of: token)
        if let known = try people.session(digest) {
            switch known.state {
            case .refused, .loggedOut: throw ParseError.invalidSession
            case .open where environment.now() < offlineEnd(of: known): return known
            // Only this gateway knows the token.
            case .open where known.origin == .here: throw ParseError.invalidSession
            case .open: break
            }
        } else if try people.unsentLogOut(digest) != nil {
            throw ParseError.invalidSession
        }
        return try await learn(token, digest)
    }

    /// The time until which a session counts without the remote.
    func offlineEnd(of session: KnownSession) -> ParseDate {
        let end = session.confirmedAt + settings.offlineSessionMax
        return session.expiresAt.map { min($0, end) } ?? end
    }

    /// Asks the remote about a session, and stores it with its user.
    private func learn(_ token: String, _ digest: SessionDigest) async throws -> KnownSession {
        let answer: RemoteSession?
        do {
            answer = try await remote.session(of: token)
        } catch {
            throw APIError.remoteUnreachable(
                reason: "This session is not known here, and the remote cannot be asked about it: \(error)")
        }
        guard let found = answer else {
            try await end(digest, .refused)
            throw ParseError.invalidSession
        }
        let now = environment.now()
        let session = KnownSession(
            digest: digest, userId: found.userId, expiresAt: found.expiresAt, confirmedAt: now, changedAt: now,
            sealed: try key.sealed(token, of: found.userId))
        try await people.save(session, user: found.user)
        // The user's changes may have waited for this session.
        await state.withLock { $0.open[found.userId]?.space.syncing?.engine }?.start()
        return session
    }

    func noteOpened(_ token: String) async {
        do {
            _ = try await learn(token, SessionDigest(of: token))
        } catch {
            logger.notice("a new session cannot be used offline before its first request: \(error)")
        }
    }

    func noteRefused(_ token: String) async {
        do {
            try await end(SessionDigest(of: token), .refused)
        } catch {
            logger.error("the end of a session cannot be recorded: \(error)")
        }
    }

    /// Ends a session here.
    func end(_ digest: SessionDigest, _ state: KnownSession.State) async throws {
        self.state.withLock { $0.valid[digest] = nil }
        let known = try people.session(digest)
        try await people.change(digest, to: state, at: environment.now())
        // A request may have read the earlier state in the meantime.
        self.state.withLock { $0.valid[digest] = nil }
        guard let known else { return }
        if known.state == .open { noteEnd(of: known, state) }
        if state == .refused { await offlineSignIn?.noteChange(of: known.userId) }
    }

    func isFromHere(_ token: String) throws -> Bool { try people.session(SessionDigest(of: token))?.origin == .here }

    private func noteEnd(of session: KnownSession, _ state: KnownSession.State) {
        let isExpired = session.expiresAt.map { $0 <= environment.now() } ?? false
        let reason: AuditEvent.SessionEnd = state == .loggedOut ? .loggedOut : isExpired ? .expired : .refused
        audit.note(.sessionEnded(userId: session.userId, reason: reason))
    }
}
