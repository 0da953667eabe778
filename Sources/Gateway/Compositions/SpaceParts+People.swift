import GatewayAPI
import ParseModel
import Passwords
import RemoteService
import StoreService

/// The parts that replicas with users have in common.
extension SpaceParts {
    /// Whether the replica was ever a site replica. It may then have objects that only some users may read.
    var wasSite: Bool {
        get throws { try stores.remoteOutline(in: configuration.dataDirectory)?.wasSite == true }
    }

    /// Checks the key for session tokens. A directory with data of users is not served without the key, because it would
    /// look like one without users.
    /// - Throws: `GatewayError` if the key is unusable.
    func checkSessionKey(in store: any GatewayStore) throws {
        if let reason = configuration.people.keyFault(lastMode: try store.people.mode()) { throw GatewayError(reason) }
    }

    /// Makes the `SessionBook`, which keeps the sessions of the users.
    /// - Parameter remote: the remote, to which the book's requests are sent without a user's session.
    /// - Throws: `GatewayError` if the remote has no sessions, or the key for tokens is unusable.
    func sessionBook(_ store: any GatewayStore, _ remote: any RemoteService) throws -> SessionBook {
        let people = configuration.people
        guard let sessions = remote.sessions else {
            throw GatewayError(
                "\(Setting.people.option) \(people.mode.rawValue) needs a Parse Server as the remote")
        }
        let key = SpaceKey(file: people.sessionKeyFile ?? "", replicaId: store.replicaId)
        try key.prepare()
        var logIns: OfflineLogIns?
        if people.offlineLogIn {
            logIns = OfflineLogIns(
                people: store.people, key: key,
                hasher: PasswordHasher(
                    strength: configuration.accounts.passwordStrength,
                    threads: environment.hasThreads ? PasswordHasher.threadsStandard : 0),
                clock: TrustedClock(try store.people.trustedTime(), environment: environment),
                environment: environment, logger: logger)
        }
        return SessionBook(
            people, people: store.people, remote: CircuitSessionService(sessions, circuit), key: key, logIns: logIns,
            environment: environment, audit: audit, logger: logger)
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
