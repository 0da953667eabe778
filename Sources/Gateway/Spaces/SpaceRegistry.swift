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
        /// The uptime of the last use, or of the opening.
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
        /// The contents that the gateway keeps for all users; nil if the remote keeps no files.
        var files: SharedFiles?
        var isStopped = false
    }

    let settings: PeopleSettings
    let names: SpaceNames
    let people: any PeopleStore
    let remote: any RemoteSessionService
    let key: SpaceKey
    let environment: Environment
    let audit: any AuditTrail
    let logger: Logger
    let uses: UserUses
    /// The log-ins without the remote; nil if they are off.
    let logIns: OfflineLogIns?
    private let opens: Open
    /// Reads the figures of the store in a directory without opening it.
    let readsFigures: @Sendable (_ directory: String) throws -> SyncFigures?
    /// The classes of the gateway, with their options and pulls.
    let classes: @Sendable () async throws -> [SyncClass]
    /// The gateway's own store.
    let store: any GatewayStore
    let state = Mutex(State())

    /// The time for which a session counts without another look at the store.
    private static let lookInterval = Duration.seconds(60)

    init(
        _ settings: PeopleSettings, names: SpaceNames, people: any PeopleStore, remote: any RemoteSessionService,
        key: SpaceKey, environment: Environment, audit: any AuditTrail, logger: Logger,
        logIns: OfflineLogIns?, readsFigures: @escaping @Sendable (_ directory: String) throws -> SyncFigures?,
        classes: @escaping @Sendable () async throws -> [SyncClass], store: any GatewayStore,
        opens: @escaping Open
    ) {
        self.store = store
        self.classes = classes
        self.readsFigures = readsFigures
        self.settings = settings
        self.names = names
        self.people = people
        self.remote = remote
        self.key = key
        self.environment = environment
        self.audit = audit
        self.logger = logger
        self.logIns = logIns
        uses = UserUses(people: people, forgetAfter: settings.forgetAfter, environment: environment)
        self.opens = opens
        logIns?.onEnd { [weak self] userId in self?.endLook(at: userId) }
    }

    var offlineSignIn: (any OfflineSignIn)? { logIns }

    /// Lets the next request of each session of a user look at the store again.
    func endLook(at userId: String) {
        state.withLock { state in state.valid = state.valid.filter { $0.value.userId != userId } }
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
        try await uses.note(session.userId)
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

    // MARK: Spaces

    func path(of userId: String) -> String { names.path(of: userId) }

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

    func openSpace(of userId: String) async throws -> OpenSpace {
        // The user may have been forgotten since the request began.
        guard try people.user(userId) != nil else { throw ParseError.invalidSession }
        let path = path(of: userId)
        if !hasSpace(userId) { try await makeRoom() }
        let sessions = sessions(of: userId)
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

    /// The sessions under which the changes of a user are sent.
    func sessions(of userId: String) -> UserSessions {
        UserSessions(
            userId, afterLogOut: settings.afterLogOut, people: people, key: key, environment: environment,
            logger: logger
        ) { [weak self] digest in
            try await self?.end(digest, .refused)
        } onServerTime: { [logIns] time in
            logIns?.note(serverTime: time)
        } onSyncEnd: { [weak self] in
            await self?.finishLogOuts(of: userId)
        }
    }

    /// The number of attempts to open a space that is still in use.
    private static let openingsMax = 100

    /// - Parameter usedAt: closes the space only if no request has used it since; nil to close it in any case.
    func close(_ userId: String, unusedSince usedAt: Duration? = nil) async {
        let closed = state.withLock { state -> OpenSpace? in
            if let usedAt, state.open[userId]?.usedAt != usedAt { return nil }
            state.valid = state.valid.filter { $0.value.userId != userId }
            state.workOfClosed[userId] = nil
            return state.open.removeValue(forKey: userId)
        }
        await closed?.space.stop {}
    }
}
