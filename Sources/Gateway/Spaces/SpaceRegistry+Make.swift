import GatewayAPI
import HTTPClient
import Logging
import ParseModel
import Passwords
import RemoteService
import StoreService

extension SpaceRegistry {
    /// The service of a replica's users; nil if the settings ask for none.
    /// - Parameters:
    ///   - store: the gateway's own store.
    ///   - remote: the remote, asked without a session.
    /// - Throws: `GatewayError` if the remote has no sessions, or the key for tokens is unusable. Without a key, a directory with the data
    ///   of users is not served as one without users.
    static func people(
        _ parts: PeopleParts, store: any GatewayStore, remote: any RemoteService
    ) throws -> (any ServedPeople)? {
        let configuration = parts.configuration
        if let reason = configuration.people.keyFault(lastMode: try store.people.mode()) { throw GatewayError(reason) }
        guard configuration.people.mode != .off, let identity = configuration.store(onLocalWrite: {}).identity.remote
        else { return nil }
        let book = try book(parts, store: store, remote: remote)
        if configuration.people.mode == .site { return try SiteUsers.make(book, parts, store: store, remote: remote) }
        let classes: @Sendable () async throws -> [SyncClass] = { try await store.sync(as: .gateway).syncClasses() }
        return SpaceRegistry(
            book, names: SpaceNames(dataDirectory: configuration.dataDirectory, remote: identity),
            readsFigures: parts.stores.figures, classes: classes, store: store
        ) { directory, user, sessions, registry in
            let owner = Space.Owner(
                user: user, sessions: sessions, registry: registry, classes: registry.classes,
                isPaused: { try await store.figures().isPaused }, files: registry.files)
            return try await Space(
                configuration.ofUser(in: directory), owner: owner, stores: parts.stores, remotes: parts.remotes,
                isOwnAddress: parts.isOwnAddress, environment: parts.environment, audit: parts.audit,
                logger: parts.logger, common: parts.common)
        }
    }
}

extension SpaceRegistry {
    private static func book(
        _ parts: PeopleParts, store: any GatewayStore, remote: any RemoteService
    ) throws -> SessionBook {
        let people = parts.configuration.people
        guard let sessions = remote.sessions else {
            throw GatewayError(
                "\(ConfigurationKey.people.option) \(people.mode.rawValue) needs a Parse Server as the remote")
        }
        let key = SpaceKey(file: people.sessionKeyFile ?? "", replicaId: store.replicaId)
        try key.prepare()
        var logIns: OfflineLogIns?
        if people.offlineLogIn {
            logIns = OfflineLogIns(
                people: store.people, key: key,
                hasher: PasswordHasher(
                    strength: parts.configuration.accounts.passwordStrength,
                    threads: parts.environment.hasThreads ? PasswordHasher.threadsStandard : 0),
                clock: TrustedClock(try store.people.trustedTime(), environment: parts.environment),
                environment: parts.environment, logger: parts.logger)
        }
        return SessionBook(
            people, people: store.people, remote: CircuitSessionService(sessions, parts.common.circuit), key: key,
            logIns: logIns,
            environment: parts.environment,
            audit: parts.audit, logger: parts.logger)
    }
}

/// Asks the remote about sessions through the circuit breaker that all requests of the gateway share.
private struct CircuitSessionService: RemoteSessionService {
    private let sessions: any RemoteSessionService
    private let circuit: RemoteCircuit

    init(_ sessions: any RemoteSessionService, _ circuit: RemoteCircuit) {
        (self.sessions, self.circuit) = (sessions, circuit)
    }

    func session(of token: String) async throws(RemoteError) -> RemoteSession? {
        try await circuit.send { [sessions] () async throws(RemoteError) in try await sessions.session(of: token) }
    }

    func endSession(of token: String) async throws(RemoteError) {
        try await circuit.send { [sessions] () async throws(RemoteError) in try await sessions.endSession(of: token) }
    }
}

extension GatewayConfiguration {
    /// The configuration of a user's space. Its classes come from the gateway's own store.
    fileprivate func ofUser(in directory: String) throws -> GatewayConfiguration {
        var configuration = self
        configuration.localKeys.masterKey =
            try localKeys.masterKey ?? KeyFile.masterKey(in: dataDirectory).key(orNew: Environment.live.secret)
        configuration.sharedDirectory = dataDirectory
        configuration.dataDirectory = directory
        configuration.classes = []
        return configuration
    }
}
