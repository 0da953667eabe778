import Foundation
import GatewayAPI
import Logging
import ParseModel
import RemoteService
import StoreService
import Synchronization

/// Opens and closes the spaces of the users of a personal replica. A space is a store, an API and a sync engine for one
/// user. A user gets a space at the sign-in. A closed space is opened by the next request of its user, and an idle
/// space closes.
///
/// The gateway's own store has the users and their sessions. Each space has a directory of its own, so that no query of one user can
/// read the rows of another.
final class SpaceRegistry: ServedPeople, UserSpaces, SessionHost {
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

    struct Registered {
        var open: [String: OpenSpace] = [:]
        /// The time of each user's last request.
        var requestedAt: [String: ParseDate] = [:]
        /// The cached numbers of waiting changes and decisions in closed spaces.
        var workOfClosed: [String: UserWork] = [:]
        /// The spaces that are being opened.
        var opening: [String: Task<OpenSpace, any Error>] = [:]
        /// The users whose spaces are being removed.
        var leaving: Set<String> = []
        /// Counts the changes of the gateway's classes and pauses.
        var gatewayVersion = 0
        /// The last task that applies the gateway's classes and pauses to the open spaces.
        var following: Task<Void, Never>?
        var isStopped = false
    }

    let names: SpaceNames
    let book: SessionBook
    private let opens: Open
    /// Reads the figures of the store in a directory without opening it.
    let readsFigures: @Sendable (_ directory: String) throws -> SyncFigures?
    /// The gateway's own store.
    let store: any GatewayStore
    let state = Mutex(Registered())
    let places: ReservedPlaces

    init(
        _ book: SessionBook, names: SpaceNames,
        readsFigures: @escaping @Sendable (_ directory: String) throws -> SyncFigures?,
        store: any GatewayStore,
        opens: @escaping Open
    ) {
        self.store = store
        self.readsFigures = readsFigures
        self.names = names
        self.book = book
        self.opens = opens
        places = ReservedPlaces(max: book.settings.usersMax)
        book.belong(to: self)
    }

    var settings: PeopleSettings { book.settings }
    var people: any PeopleStore { book.people }
    var environment: Environment { book.environment }
    var audit: any AuditTrail { book.audit }
    var logger: Logger { book.logger }

    var removal: SpaceRemoval { SpaceRemoval(registry: self) }
    private var overview: SpaceOverview { SpaceOverview(registry: self) }

    // MARK: SessionHost

    func checkRoom(of userId: String) async throws { try await removal.checkRoom(of: userId) }

    func hasWaitingChanges(_ userId: String) async throws -> Bool {
        let open = state.withLock { $0.open[userId]?.space }
        let figures = try await open?.store.figures() ?? readsFigures(path(of: userId))
        return figures.map { $0.pending > 0 } ?? false
    }

    func mayFinishLogOuts(of userId: String) -> Bool { state.withLock { $0.open[userId] != nil } }

    /// Opens the space of the user. A new user gets a place here, because the remote has just answered, and the first
    /// sync begins.
    func sessionHasBegun(of userId: String) async {
        if let space = state.withLock({ $0.open[userId]?.space }) {
            await space.syncing?.engine.start()
            return
        }
        do { _ = try await space(of: userId) } catch {
            logger.notice("the space of the user \(userId) cannot be opened at the sign-in: \(error)")
        }
    }

    func sessionHasEnded(of userId: String) {
        let space = state.withLock { $0.open[userId]?.space }
        space?.api.endStreamsWithoutSession()
        space?.syncing?.engine.noteSessionChange()
    }

    // MARK: Requests

    func openPlace(of token: String) -> UserPlace? {
        guard let userId = book.userId(lookedAt: SessionDigest(of: token)) else { return nil }
        let (now, uptime) = (environment.now(), environment.uptime())
        return state.withLock { state in
            guard let open = state.open[userId] else { return nil }
            state.open[userId]?.usedAt = uptime
            state.requestedAt[userId] = now
            return UserPlace(api: open.space.api, user: Self.user(userId))
        }
    }

    func place(of token: String) async throws -> UserPlace {
        let session = try await book.usableSession(token)
        let space = try await space(of: session.userId)
        try await book.uses.note(session.userId)
        // The session may have ended while the space was opened.
        try book.look(at: session)
        state.withLock { $0.requestedAt[session.userId] = environment.now() }
        return UserPlace(api: space.api, user: Self.user(session.userId))
    }

    /// The principal of a user in the own space. It has no roles, because the remote enforces the rights of roles.
    private static func user(_ userId: String) -> SignedInUser {
        SignedInUser(objectId: userId, roles: [], sessionId: "")
    }

    func isUsable(_ token: String) -> Bool {
        guard let userId = try? people.session(SessionDigest(of: token))?.userId else { return false }
        return state.withLock { !$0.leaving.contains(userId) } && book.isUsable(token)
    }

    // MARK: Users

    var mode: String { PeopleSettings.Mode.personal.rawValue }
    func users() async throws -> [UserStatus] { try await overview.users() }
    func counts() async throws -> (users: Int, waitingForLogIn: Int) { try await overview.counts() }
    func families() async throws -> [MetricFamily] { try await overview.families() }
    func export(of user: String) async throws -> UserExport { try await overview.export(of: user) }
    func checkRoom(for name: LogInName) async throws { try await removal.checkRoom(for: name) }

    func forget(_ user: String, exported: String?) async throws -> KnownUser {
        try await removal.forget(user, exported: exported)
    }

    func standing(of userId: String, _ work: UserWork) async throws -> UserStanding {
        try await book.standing(of: userId, hasChanges: work.pending > 0)
    }

    /// The times of the users' last requests.
    func lastUses() throws -> [String: ParseDate] {
        try people.lastUses().merging(state.withLock { $0.requestedAt }) { max($0, $1) }
    }

    func api(ofUser userId: String) async throws -> any SpaceAPI {
        guard try people.user(userId) != nil, hasSpace(userId) else {
            throw StoreError.notFound(what: "data of a user with the objectId \(userId)")
        }
        return try await space(of: userId).api
    }

    func isOnlyOfGateway(_ object: Pointer) throws -> Bool { try GatewayNames(store: store).hasOnlyHere(object) }
    func unsentFile(_ name: String) throws -> UnsentFile? { try GatewayNames(store: store).unsentFile(name) }

    func shareFile(_ name: String) async throws -> Bool {
        for space in state.withLock({ $0.open.values.map(\.space) }) {
            guard let file = try space.store.objects.files.file(name, as: .master), let url = file.remoteURL else {
                continue
            }
            return try await store.sharedFiles.share(file.name, at: url) != nil
        }
        return false
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
            let task = environment.task { try await self.makeSpace(of: userId) }
            state.opening[userId] = task
            return (nil, task)
        }
        if let open { return open.space }
        guard let task else { preconditionFailure("a closed space has a task") }
        return try await task.value.space
    }

    private func makeSpace(of userId: String) async throws -> OpenSpace {
        defer { places.release(of: userId) }
        do {
            let gatewayVersion = state.withLock { $0.gatewayVersion }
            let made = try await openSpace(of: userId)
            made.space.start()
            let isLate = state.withLock { state in
                state.opening[userId] = nil
                if !state.isStopped { state.open[userId] = made }
                return state.isStopped
            }
            if isLate { await made.space.stop {} }
            await catchUp(since: gatewayVersion)
            return made
        } catch {
            state.withLock { $0.opening[userId] = nil }
            throw error
        }
    }

    func openSpace(of userId: String) async throws -> OpenSpace {
        // The data of the user may have been removed since the request began.
        guard try people.user(userId) != nil else { throw ParseError.invalidSession }
        let path = path(of: userId)
        if !hasSpace(userId) { try await removal.makeRoom(for: userId) }
        let sessions = book.sessions(of: userId)
        let user = SpaceUser(objectId: userId) { [people] in try people.user(userId) ?? [:] }
        // A closed space is in use until its requests in progress have ended. Opening it is tried again until then.
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

    /// - Parameter usedAt: closes the space only if no request has used it since; nil to close it in any case.
    func close(_ userId: String, unusedSince usedAt: Duration? = nil) async {
        let closed = state.withLock { state -> OpenSpace? in
            if let usedAt, state.open[userId]?.usedAt != usedAt { return nil }
            state.workOfClosed[userId] = nil
            return state.open.removeValue(forKey: userId)
        }
        if closed != nil { book.endLook(at: userId) }
        await closed?.space.stop {}
    }
}
