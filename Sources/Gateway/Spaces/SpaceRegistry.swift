import Foundation
import GatewayAPI
import Logging
import ParseModel
import RemoteService
import StoreService
import Synchronization

/// The spaces of the users of a personal replica. A space is opened by the first request of its user, and closes when it is idle.
///
/// The gateway's own store has the users and their sessions. Each space has a directory of its own, so that no query of one user can
/// read the rows of another.
final class SpaceRegistry: UserSpaces, MetricsSource {
    /// Opens the space of a user. The sessions are those under which it syncs.
    typealias Open =
        @Sendable (
            _ directory: String, _ user: SpaceUser, _ sessions: UserSessions, _ registry: SpaceRegistry
        ) async throws -> Space

    struct OpenSpace {
        let space: Space
        let sessions: UserSessions
        /// The uptime of the last use.
        var usedAt: Duration
    }

    struct State {
        var open: [String: OpenSpace] = [:]
        /// The time of each user's last request.
        var requestedAt: [String: ParseDate] = [:]
        /// The work in closed spaces, as far as it is known.
        var workOfClosed: [String: UserWork] = [:]
        /// The spaces that are being opened.
        var opening: [String: Task<OpenSpace, any Error>] = [:]
        /// The users whose spaces are being removed.
        var leaving: Set<String> = []
        /// The sessions with which users may work, with the times until which they count without another look.
        var valid: [SessionDigest: (userId: String, until: ParseDate)] = [:]
        /// The number of changes of the gateway's classes.
        var classesVersion = 0
        /// The last task that brings the classes of open spaces up to date.
        var following: Task<Void, Never>?
        var isStopped = false
    }

    private let settings: PeopleSettings
    /// The directory of the spaces' directories.
    private let directory: String
    let people: any PeopleStore
    private let remote: any RemoteSessionService
    let key: SpaceKey
    let environment: Environment
    let logger: Logger
    private let opens: Open
    /// Reads the figures of the store in a directory without opening it.
    let readsFigures: @Sendable (_ directory: String) throws -> SyncFigures?
    /// The classes of the gateway, with their options and pulls.
    let classes: @Sendable () async throws -> [SyncClass]
    let state = Mutex(State())

    /// The time after which a session that is logged out here is ended at the remote although the user's changes still wait.
    private static let logOutDelayMax = Duration.seconds(86_400)
    /// The time for which a session counts without another look at the store.
    private static let lookInterval = Duration.seconds(60)

    init(
        _ settings: PeopleSettings, directory: String, people: any PeopleStore, remote: any RemoteSessionService,
        key: SpaceKey, environment: Environment, logger: Logger,
        readsFigures: @escaping @Sendable (_ directory: String) throws -> SyncFigures?,
        classes: @escaping @Sendable () async throws -> [SyncClass], opens: @escaping Open
    ) {
        self.classes = classes
        self.readsFigures = readsFigures
        self.settings = settings
        self.directory = directory
        self.people = people
        self.remote = remote
        self.key = key
        self.environment = environment
        self.logger = logger
        self.opens = opens
    }

    // MARK: Requests

    func openAPI(of token: String) -> (any SpaceAPI)? {
        let digest = SessionDigest(of: token)
        let (now, uptime) = (environment.now(), environment.uptime())
        return state.withLock { state in
            guard let session = state.valid[digest], now < session.until, state.open[session.userId] != nil else {
                return nil
            }
            state.open[session.userId]?.usedAt = uptime
            state.requestedAt[session.userId] = now
            return state.open[session.userId]?.space.api
        }
    }

    func api(of token: String) async throws -> any SpaceAPI {
        let session = try await usableSession(token)
        let space = try await space(of: session.userId)
        let until = min(offlineEnd(of: session), environment.now() + Self.lookInterval)
        state.withLock { state in
            state.valid[session.digest] = (session.userId, until)
            state.requestedAt[session.userId] = environment.now()
        }
        // The session may have ended while the space was opened.
        guard try people.session(session.digest)?.state == .open else {
            state.withLock { $0.valid[session.digest] = nil }
            throw ParseError.invalidSession
        }
        return space.api
    }

    /// The session of a token, if its user may work with it now. Asks the remote about a session that is not known, or was confirmed
    /// too long ago.
    private func usableSession(_ token: String) async throws -> KnownSession {
        let digest = SessionDigest(of: token)
        if let known = try people.session(digest) {
            switch known.state {
            case .refused, .loggedOut: throw ParseError.invalidSession
            case .open where environment.now() < offlineEnd(of: known): return known
            case .open: break
            }
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
            sealed: key.sealed(token, of: found.userId))
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

    private func end(_ digest: SessionDigest, _ state: KnownSession.State) async throws {
        self.state.withLock { $0.valid[digest] = nil }
        try await people.change(digest, to: state, at: environment.now())
        // A request may have read the earlier state in the meantime.
        self.state.withLock { $0.valid[digest] = nil }
    }

    // MARK: Log-outs

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
    private func finishLogOut(_ session: KnownSession) async {
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

    // MARK: Spaces

    func path(of userId: String) -> String { directory + "/" + key.directory(of: userId) }

    func hasSpace(_ userId: String) -> Bool { FileManager.default.fileExists(atPath: path(of: userId)) }

    /// The space of a user. Opens it if it is closed.
    func space(of userId: String) async throws -> Space {
        let (open, task) = try state.withLock { state -> (OpenSpace?, Task<OpenSpace, any Error>?) in
            guard !state.isStopped, !state.leaving.contains(userId) else {
                throw APIError.remoteUnreachable(reason: "The gateway is closing the data of this user.")
            }
            if let open = state.open[userId] {
                state.open[userId]?.usedAt = environment.uptime()
                return (open, nil)
            }
            if let task = state.opening[userId] { return (nil, task) }
            state.workOfClosed[userId] = nil
            let task = Task { try await makeSpace(of: userId) }
            state.opening[userId] = task
            return (nil, task)
        }
        if let open { return open.space }
        guard let task else { preconditionFailure("a closed space has a task") }
        return try await task.value.space
    }

    private func makeSpace(of userId: String) async throws -> OpenSpace {
        do {
            let classesVersion = state.withLock { $0.classesVersion }
            let made = try await openSpace(of: userId)
            made.space.start()
            let isLate = state.withLock { state in
                state.opening[userId] = nil
                if !state.isStopped { state.open[userId] = made }
                return state.isStopped
            }
            if isLate { await made.space.stop {} }
            // The space may have read the gateway's classes before their last change.
            if state.withLock({ $0.classesVersion }) != classesVersion { await followClasses() }
            return made
        } catch {
            state.withLock { $0.opening[userId] = nil }
            throw error
        }
    }

    private func openSpace(of userId: String) async throws -> OpenSpace {
        let path = path(of: userId)
        if !hasSpace(userId) { try await makeRoom() }
        let sessions = UserSessions(
            userId, people: people, key: key, environment: environment, logger: logger
        ) { [weak self] digest in self?.state.withLock { $0.valid[digest] = nil } }
        let user = SpaceUser(objectId: userId) { [people] in try people.user(userId) ?? [:] }
        // Requests that are in progress keep a closed space until they end.
        for _ in 0..<Self.openingsMax {
            do {
                let space = try await opens(path, user, sessions, self)
                return OpenSpace(space: space, sessions: sessions, usedAt: environment.uptime())
            } catch StoreError.directoryInUse {
                try await environment.sleep(.milliseconds(50))
            }
        }
        throw StoreError.directoryInUse(path: path)
    }

    /// The number of attempts to open a space that is still in use.
    private static let openingsMax = 100

    /// Removes the least recently used space without waiting work if the maximum number of users is reached.
    /// - Throws: `APIError.remoteUnreachable` if every space has waiting work.
    private func makeRoom() async throws {
        let userIds = try people.userIds().filter(hasSpace)
        guard userIds.count >= settings.usersMax else { return }
        let usedAt = state.withLock { $0.open.mapValues(\.usedAt) }
        for userId in userIds.sorted(by: { (usedAt[$0] ?? .zero, $0) < (usedAt[$1] ?? .zero, $1) }) {
            if try await remove(userId) { return }
        }
        throw APIError.remoteUnreachable(
            reason: "This gateway has \(userIds.count) users, the maximum, and each has changes or decisions waiting.")
    }

    /// Removes the space of a user, unless it has waiting work or open streams.
    /// - Returns: whether the space is removed.
    private func remove(_ userId: String) async throws -> Bool {
        let isFree = state.withLock { state in
            guard state.opening[userId] == nil, state.open[userId]?.space.api.hasStreams != true else { return false }
            return state.leaving.insert(userId).inserted
        }
        guard isFree else { return false }
        defer { state.withLock { _ = $0.leaving.remove(userId) } }
        if let open = state.withLock({ $0.open[userId]?.space }), try await !open.store.figures().hasNoWork {
            return false
        }
        await close(userId)
        // The open fails until the last request of the user has ended, so no request can write afterwards.
        var reopened: OpenSpace? = try await openSpace(of: userId)
        if let reopened, try await !reopened.space.store.figures().hasNoWork {
            // The last request has written. The space goes on.
            reopened.space.start()
            state.withLock { $0.open[userId] = reopened }
            return false
        }
        reopened?.space.syncing?.remote.close()
        reopened = nil
        try FileManager.default.removeItem(atPath: path(of: userId))
        logger.notice("removed the space of the user whose last request is the longest ago: \(userId)")
        return true
    }

    /// - Parameter usedAt: closes the space only if no request has used it since; nil to close it in any case.
    private func close(_ userId: String, unusedSince usedAt: Duration? = nil) async {
        let closed = state.withLock { state -> OpenSpace? in
            if let usedAt, state.open[userId]?.usedAt != usedAt { return nil }
            state.valid = state.valid.filter { $0.value.userId != userId }
            state.workOfClosed[userId] = nil
            return state.open.removeValue(forKey: userId)
        }
        await closed?.space.stop {}
    }

    // MARK: Background work

    /// Opens the spaces with waiting work. Then closes idle spaces and finishes log-outs every minute until the task is cancelled.
    func tend() async {
        for userId in logged({ try people.userIds().filter(hasSpace) }) {
            do { _ = try await space(of: userId) } catch {
                logger.error("the space of the user \(userId) cannot be opened: \(error)")
            }
        }
        repeat {
            for session in logged({ try people.loggedOutSessions() }) { await finishLogOut(session) }
            await closeIdleSpaces()
        } while (try? await environment.sleep(.seconds(60))) != nil
    }

    private func logged<Element>(_ read: () throws -> [Element]) -> [Element] {
        do { return try read() } catch {
            logger.error("the users of the remote cannot be read: \(error)")
            return []
        }
    }

    private func closeIdleSpaces() async {
        let now = environment.uptime()
        let idle = state.withLock { state in
            state.open.filter { now - $0.value.usedAt >= settings.idleMax && !$0.value.space.api.hasStreams }
        }
        for (userId, open) in idle {
            guard (try? await open.space.store.figures().hasNoWork) == true else { continue }
            await close(userId, unusedSince: open.usedAt)
        }
    }

    /// Closes all spaces.
    func stop() async {
        let open = state.withLock { state in
            state.isStopped = true
            defer { state.open = [:] }
            return state.open
        }
        await withTaskGroup { group in
            for space in open.values.map(\.space) { group.addTask { await space.stop {} } }
        }
    }
}

extension SyncFigures {
    /// Whether no change, rejection, conflict or held removal waits.
    fileprivate var hasNoWork: Bool { pending == 0 && rejections == 0 && conflicts == 0 && removals == 0 }
}
