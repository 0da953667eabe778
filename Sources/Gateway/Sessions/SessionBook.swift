import GatewayAPI
import Logging
import ParseModel
import RemoteService
import StoreService
import Synchronization

/// The replica to which a `SessionBook` belongs. The book asks it about users, and tells it when sessions begin and
/// end.
protocol SessionHost: AnyObject, Sendable {
    /// Whether changes of a user wait to be sent.
    func hasWaitingChanges(_ userId: String) async throws -> Bool

    /// Checks that the number of users allows a user to sign in; see `SessionObserver`.
    func checkRoom(for name: LogInName) async throws

    /// Checks that the number of users allows a known user to work here; see `SessionObserver`.
    func checkRoom(of userId: String) async throws

    /// Whether the log-outs of a user may be sent after a sync.
    func mayFinishLogOuts(of userId: String) -> Bool

    /// Called when the remote has accepted a session of a user for the first time, or again after its end here. Changes
    /// of the user may have waited for it.
    func sessionHasBegun(of userId: String) async

    /// Called when a session of a user has ended, so that the streams of the session end.
    func sessionHasEnded(of userId: String)
}

/// Keeps the sessions of the remote's users. It decides which sessions are valid, learns from the remote when they
/// begin and end, and keeps the log-outs that must still be sent to the remote. `SessionBook+Ends.swift` ends sessions
/// here, `SessionBook+LogOuts.swift` at the remote.
final class SessionBook: SessionObserver {
    let settings: PeopleSettings
    let people: any PeopleStore
    let remote: any RemoteSessionService
    let key: SpaceKey
    let environment: Environment
    let audit: any AuditTrail
    let logger: Logger
    let uses: UserUses
    /// Logs users in while the remote cannot be reached; nil if that is switched off.
    let logIns: OfflineLogIns?
    private let looks = Mutex(Looks())
    private let weakHost = Mutex(WeakHost())
    /// The sessions whose log-out is being sent to the remote.
    let leaving = Mutex<Set<SessionDigest>>([])
    /// The sessions that the remote has refused, and whose end is being recorded.
    let ending = Mutex<Set<SessionDigest>>([])
    /// The users whose sessions are being checked at the remote after a refusal.
    let asking = Mutex<Set<String>>([])
    /// The sessions that are being checked at the remote: the number of these requests, and whether the session was
    /// logged out meanwhile.
    let learning = Mutex<[SessionDigest: (count: Int, isLoggedOut: Bool)]>([:])

    private struct Looks {
        /// The sessions that were read from the store as valid, with the uptime until which each needs no other read.
        var valid: [SessionDigest: (userId: String, until: Duration)] = [:]
        /// The users of the sessions with requests since the last sync.
        var used: [SessionDigest: String] = [:]
    }

    private struct WeakHost {
        weak var host: (any SessionHost)?
    }

    /// The time for which a session that was read as valid needs no other read of the store.
    private static let lookInterval = Duration.seconds(60)

    init(
        _ settings: PeopleSettings, people: any PeopleStore, remote: any RemoteSessionService, key: SpaceKey,
        logIns: OfflineLogIns?, environment: Environment, audit: any AuditTrail, logger: Logger
    ) {
        self.settings = settings
        self.people = people
        self.remote = remote
        self.key = key
        self.environment = environment
        self.audit = audit
        self.logger = logger
        self.logIns = logIns
        uses = UserUses(people: people, forgetAfter: settings.forgetAfter, environment: environment)
        logIns?.onEnd { [weak self] userId, sessions in
            self?.endLook(at: userId)
            for session in sessions { self?.noteEnd(of: session, .refused) }
        }
    }

    var host: (any SessionHost)? { weakHost.withLock { $0.host } }

    /// Sets the host of the book, which the book does not keep alive.
    func belong(to host: any SessionHost) { weakHost.withLock { $0.host = host } }

    var offlineSignIn: (any OfflineSignIn)? { logIns }

    // MARK: Looks

    /// The user of a session that was read from the store within `lookInterval`; nil if the store must be read.
    func userId(lookedAt digest: SessionDigest) -> String? {
        let now = environment.uptime()
        return looks.withLock { looks in
            guard let look = looks.valid[digest], now < look.until else { return nil }
            looks.used[digest] = look.userId
            return look.userId
        }
    }

    func checkRoom(for name: LogInName) async throws { try await host?.checkRoom(for: name) }

    func checkRoom(forSession token: String) async throws {
        guard let userId = try people.session(SessionDigest(of: token))?.userId else { return }
        do { try await host?.checkRoom(of: userId) } catch {
            try await logOut(token)
            throw error
        }
    }

    /// Remembers a session as valid for `lookInterval`, so that its requests do not read the store.
    /// - Throws: `ParseError` 209 (invalid session token) if the session has ended in the meantime.
    func look(at session: KnownSession) throws {
        let rest = Duration.milliseconds(offlineEnd(of: session).milliseconds - now(for: session).milliseconds)
        let until = environment.uptime() + min(rest, Self.lookInterval)
        looks.withLock { looks in
            looks.valid[session.digest] = (session.userId, until)
            looks.used[session.digest] = session.userId
        }
        guard try people.session(session.digest)?.state == .open else {
            endLook(at: session.digest)
            throw ParseError.invalidSession
        }
    }

    /// Makes the next request of a session read the store.
    func endLook(at digest: SessionDigest) { looks.withLock { $0.valid[digest] = nil } }

    /// Makes the next request of each session of a user read the store.
    func endLook(at userId: String) {
        looks.withLock { looks in looks.valid = looks.valid.filter { $0.value.userId != userId } }
    }

    func isUsable(_ token: String) -> Bool {
        guard let session = try? people.session(SessionDigest(of: token)), session.state == .open,
            now(for: session) < offlineEnd(of: session)
        else { return false }
        looks.withLock { $0.used[session.digest] = session.userId }
        return true
    }

    /// The sessions under which the changes of a user are sent.
    func sessions(of userId: String) -> UserSessions {
        UserSessions(
            userId, afterLogOut: settings.afterLogOut, people: people, key: key, environment: environment,
            logger: logger
        ) { [weak self] digest in
            try await self?.end(digest, .refused)
        } onDoubt: { [weak self] digest in
            await self?.confirm(digest)
        } onServerTime: { [logIns] time in
            logIns?.note(serverTime: time)
        } onSyncEnd: { [weak self] current in
            await self?.confirmUsed(of: userId, besides: current)
            await self?.finishLogOuts(of: userId)
        }
    }

    /// Whether the gateway has a session of the user under which it may still send changes.
    func canSend(_ userId: String) async -> Bool { await sessions(of: userId).token() != nil }

    /// The user, and the time until which the user may work without the remote.
    /// - Parameter hasChanges: whether changes of the user wait to be sent.
    func standing(of userId: String, hasChanges: Bool) async throws -> UserStanding {
        let ends = try people.sessions(of: userId).filter { $0.state == .open }.map(offlineEnd)
        return UserStanding(
            objectId: userId, username: try people.user(userId)?["username"]?.string,
            waitsForLogIn: hasChanges ? await !canSend(userId) : false, offlineUntil: ends.max())
    }

    // MARK: Beginnings and ends

    /// The session of a token, if its user may work with it now. A session that is not known, or was confirmed too long
    /// ago, is first checked at the remote.
    func usableSession(_ token: String) async throws -> KnownSession {
        guard Self.isPossible(token) else { throw ParseError.invalidSession }
        let digest = SessionDigest(of: token)
        let known = try people.session(digest)
        if let known {
            switch known.state {
            case .refused, .loggedOut, .leaving: throw ParseError.invalidSession
            case .open where now(for: known) < offlineEnd(of: known):
                // If the key was lost, the remote is asked again, and the token is stored under the new key.
                guard known.origin == .remote, key.token(of: known) == nil else { return known }
                return try await learnAgain(token, known)
            // A locally opened session is known only here. Its end is stored, because the clock may be set back later.
            case .open where known.origin == .here:
                try await endHere(known)
                noteEnd(of: known, .refused)
                throw ParseError.invalidSession
            case .open: break
            }
        } else if try people.unsentLogOut(digest) != nil {
            throw ParseError.invalidSession
        }
        do {
            return try await learn(token, digest)
        } catch let error as RemoteError {
            let standing = known == nil ? "is not known here" : "has expired here"
            throw APIError.remoteUnreachable(
                reason: "This session \(standing), and the remote cannot be asked about it: \(error)")
        }
    }

    /// Checks a known session at the remote. If the remote does not answer, the session stays valid.
    private func learnAgain(_ token: String, _ known: KnownSession) async throws -> KnownSession {
        do {
            return try await learn(token, known.digest)
        } catch let refusal as ParseError {
            throw refusal
        } catch {
            logger.notice("a session cannot be confirmed now: \(error)")
            return known
        }
    }

    /// The time that decides whether a session has expired. For a locally opened session, it is the time of the remote,
    /// which does not follow the clock of this machine.
    func now(for session: KnownSession) -> ParseDate {
        session.origin == .here ? logIns?.now ?? environment.now() : environment.now()
    }

    /// The time until which a session is valid without a confirmation by the remote.
    func offlineEnd(of session: KnownSession) -> ParseDate {
        let end = session.confirmedAt + settings.offlineSessionMax
        return session.expiresAt.map { min($0, end) } ?? end
    }

    /// Asks the remote about a session, and stores it with its user.
    /// - Throws: `RemoteError` if the remote gives no answer. `ParseError` 209 (invalid session token) if it refuses the session.
    private func learn(_ token: String, _ digest: SessionDigest) async throws -> KnownSession {
        learning.withLock { $0[digest, default: (0, false)].count += 1 }
        defer {
            learning.withLock { learning in
                learning[digest]?.count -= 1
                if learning[digest]?.count == 0 { learning[digest] = nil }
            }
        }
        guard let found = try await remote.session(of: token) else {
            try await end(digest, .refused)
            throw ParseError.invalidSession
        }
        let now = environment.now()
        let session = KnownSession(
            digest: digest, userId: found.userId, expiresAt: found.expiresAt, confirmedAt: now, changedAt: now,
            sealed: try key.sealed(token, of: found.userId))
        try await people.save(session, user: found.user)
        // The session was logged out while the remote answered, so it has ended.
        if learning.withLock({ $0[digest]?.isLoggedOut == true }) {
            try await people.change(digest, to: .refused, at: now)
        }
        guard try people.session(digest)?.state == .open else { throw ParseError.invalidSession }
        await host?.sessionHasBegun(of: found.userId)
        return session
    }

    func fields(of userId: String) throws -> JSONObject { try people.user(userId) ?? [:] }

    /// Asks the remote whether an open session is still valid. Ends a session that it refuses.
    /// - Returns: whether the remote has answered, or need not be asked.
    @discardableResult
    func confirm(_ digest: SessionDigest) async -> Bool {
        do {
            guard let session = try people.session(digest), session.state == .open, session.origin == .remote,
                let token = key.token(of: session)
            else { return true }
            guard let found = try await remote.session(of: token) else {
                try await end(digest, .refused)
                return true
            }
            try await people.confirm(digest, at: environment.now(), expiresAt: found.expiresAt, user: found.user)
            return true
        } catch {
            logger.notice("a session cannot be confirmed now: \(error)")
            return false
        }
    }

    /// Asks the remote whether it accepts an open session of a user now.
    /// - Returns: false also if the remote does not answer, or if the user has no session of the remote.
    func isAccepted(_ userId: String) async throws -> Bool {
        for session in try people.sessions(of: userId)
        where session.state == .open && session.origin == .remote && key.token(of: session) != nil {
            guard await confirm(session.digest) else { return false }
            if try people.session(session.digest)?.state == .open { return true }
        }
        return false
    }

    /// Asks the remote about the sessions with requests since the last sync. If the remote does not answer, the next call asks again.
    /// - Parameters:
    ///   - userId: the user of the sessions; nil for all users.
    ///   - current: a session that the remote has just accepted, so that it is not asked again.
    func confirmUsed(of userId: String? = nil, besides current: SessionDigest? = nil) async {
        let used = looks.withLock { looks in
            let used = looks.used.filter { userId == nil || $0.value == userId }
            for digest in used.keys { looks.used[digest] = nil }
            return used
        }
        for (digest, user) in used.filter({ $0.key != current }).sorted(by: { $0.key.text < $1.key.text }) {
            if await !confirm(digest) { looks.withLock { $0.used[digest] = user } }
        }
    }

    func noteOpened(_ token: String) async {
        do {
            _ = try await learn(token, SessionDigest(of: token))
        } catch {
            logger.notice("a new session cannot be used offline before its first request: \(error)")
        }
    }

    /// The users of the sessions with requests since the last sync.
    var usersOfUsedSessions: Set<String> { looks.withLock { Set($0.used.values) } }

    func refresh(_ token: String) async {
        await noteOpened(token)
        let digest = SessionDigest(of: token)
        let others = logged { () -> [SessionDigest] in
            guard let session = try people.session(digest) else { return [] }
            return try people.sessions(of: session.userId).map(\.digest).filter { $0 != digest }
        }
        for other in others { await confirm(other) }
    }

    /// Sessions for which the remote does not answer are checked again after the next sync.
    func confirmSessions(of userId: String) async {
        let digests = logged { try people.sessions(of: userId).map(\.digest) }
        for digest in digests where await !confirm(digest) { looks.withLock { $0.used[digest] = userId } }
    }

    func noteEnded(_ token: String) async {
        let digest = SessionDigest(of: token)
        do {
            try await end(digest, .loggedOut)
            try await people.forget(digest)
        } catch {
            logger.error("the end of a session cannot be recorded: \(error)")
        }
    }
}
