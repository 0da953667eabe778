import GatewayAPI
import ParseModel
import RemoteService
import StoreService

/// Sends log-outs to the remote, and repeats them until the remote has answered.
extension SessionBook {
    /// The time after a local log-out at which the session is ended at the remote, even if changes of its user still
    /// wait.
    private static let logOutDelayMax = Duration.seconds(86_400)
    /// The maximum time for which the answer to a log-out waits for the remote.
    private static let logOutWait = Duration.seconds(2)
    /// The maximum length of a session token, in bytes. Servers accept no header that is much longer. A token of a
    /// Parse Server has 34 bytes.
    private static let tokenBytesMax = 4096

    /// Whether a text can be a session token.
    static func isPossible(_ token: String) -> Bool { token.utf8.count <= tokenBytesMax }

    func logOut(_ token: String) async throws {
        let digest = SessionDigest(of: token)
        guard let session = try people.session(digest) else { return try await logOutUnknown(token, digest) }
        guard session.state == .open else { return }
        guard session.origin == .remote else {
            try await endHere(session)
            noteEnd(of: session, .loggedOut)
            return
        }
        try await end(digest, .loggedOut)
        if let ended = try people.session(digest) { await wait { await self.finish(ended) } }
    }

    /// Logs out a session that the gateway does not know. The log-out is stored before it is sent to the remote.
    private func logOutUnknown(_ token: String, _ digest: SessionDigest) async throws {
        guard Self.isPossible(token) else { return }
        learning.withLock { $0[digest]?.isLoggedOut = true }
        guard try people.unsentLogOut(digest) == nil else { return }
        let logOut = UnsentLogOut(
            digest: digest, userId: nil, since: environment.now(), sealed: try key.sealed(token, of: nil))
        do {
            try await people.add(logOut)
        } catch StoreError.notPossible(let reason) {
            throw APIError.remoteUnreachable(reason: "The log-out cannot be kept: \(reason)")
        }
        await wait { await self.finish(logOut) }
    }

    /// Starts to send a log-out to the remote, and waits for its end for at most `logOutWait`, because a remote can be
    /// silent.
    private func wait(_ work: @escaping @Sendable () async -> Void) async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let timer = environment.task { [environment] in
            try? await environment.sleep(Self.logOutWait)
            end.finish()
        }
        environment.task {
            await work()
            end.finish()
        }
        for await _ in ends {}
        timer.cancel()
    }

    /// Sends the waiting log-outs whose users have no changes to send before them.
    func finishLogOuts() async {
        for session in logged({ try people.sessions(.loggedOut) }) { await finish(session) }
        for logOut in logged({ try people.unsentLogOuts() }) {
            guard await finish(logOut) else { return }
        }
    }

    /// Sends the log-outs of a user after a sync that may have sent the user's changes.
    func finishLogOuts(of userId: String) async {
        guard host?.mayFinishLogOuts(of: userId) == true else { return }
        let sessions = logged { try people.sessions(of: userId).filter { $0.state == .loggedOut } }
        for session in sessions { await finish(session) }
    }

    /// Ends a session at the remote, unless changes of its user still wait for it. If the request fails, a later call
    /// repeats it.
    private func finish(_ session: KnownSession) async {
        do {
            let mayWait =
                settings.afterLogOut == .push && environment.now() < session.changedAt + Self.logOutDelayMax
            if mayWait, try await host?.hasWaitingChanges(session.userId) != false { return }
            try await tell(session.digest, key.token(of: session), of: session.userId)
        } catch {
            logger.notice("a log-out will be sent to the remote later: \(error)")
        }
    }

    /// - Returns: false if no request can be sent now. After another failure, further log-outs may succeed.
    @discardableResult
    private func finish(_ logOut: UnsentLogOut) async -> Bool {
        do {
            try await tell(logOut.digest, key.token(of: logOut), of: logOut.userId)
            return true
        } catch {
            logger.notice("a log-out will be sent to the remote later: \(error)")
            return switch error as? RemoteError {
            case .unreachable, .interrupted, .overloaded: false
            default: true
            }
        }
    }

    /// Sends a log-out to the remote, and removes the session.
    /// - Parameter token: nil if the token can no longer be decrypted.
    private func tell(_ digest: SessionDigest, _ token: String?, of userId: String?) async throws {
        // Another call may already be sending this log-out.
        guard leaving.withLock({ $0.insert(digest).inserted }) else { return }
        defer { leaving.withLock { _ = $0.remove(digest) } }
        if let token {
            try await remote.endSession(of: token)
            audit.note(.logOutSent(userId: userId))
        } else {
            logger.warning("a log-out cannot be sent to the remote, because the session key has changed")
        }
        try await people.forget(digest)
        endLook(at: digest)
    }
}

extension SessionBook {
    /// Removes the verifiers of an earlier start if log-ins without the remote are now off. Called at the start.
    func begin() async {
        guard logIns == nil else { return }
        do { try await people.removeVerifiers(at: environment.now()) } catch {
            logger.warning("the verifiers of an earlier start cannot be removed: \(error)")
        }
    }

    /// Stores the time of the remote at the end of the program.
    func stop() async { await logIns?.stop() }

    /// Does the background work of each minute: sends log-outs, and stores the time of the remote when it is due.
    func tend() async {
        await finishLogOuts()
        await logIns?.tend()
    }

    /// Returns the result of a read, or an empty array if the read fails. The error is logged.
    func logged<Element>(_ read: () throws -> [Element]) -> [Element] {
        do { return try read() } catch {
            logger.error("the users of the remote cannot be read: \(error)")
            return []
        }
    }
}
