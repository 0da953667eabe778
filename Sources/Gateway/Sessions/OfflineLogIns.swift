import GatewayAPI
import Logging
import ParseModel
import Passwords
import StoreService
import Synchronization

/// Logs users in while the remote cannot be reached, with stored verifiers (hashes) of their passwords.
final class OfflineLogIns: OfflineSignIn {
    private let people: any PeopleStore
    private let key: SpaceKey
    private let hasher: PasswordHasher
    private let clock: TrustedClock
    private let environment: Environment
    private let logger: Logger
    /// The number of changes of the password, the name or the second factor since the start, by user.
    private let changes = Mutex<[String: Int]>([:])
    private let observer = Mutex<Observer?>(nil)
    typealias Observer = @Sendable (_ userId: String, _ ended: [KnownSession]) -> Void

    init(
        people: any PeopleStore, key: SpaceKey, hasher: PasswordHasher, clock: TrustedClock, environment: Environment,
        logger: Logger
    ) {
        self.people = people
        self.key = key
        self.hasher = hasher
        self.clock = clock
        self.environment = environment
        self.logger = logger
    }

    /// Sets the function that is called after the locally opened sessions of a user have ended.
    func onEnd(_ observer: @escaping Observer) { self.observer.withLock { $0 = observer } }

    /// The time of the remote. It does not follow the clock of this machine.
    var now: ParseDate { clock.note.remote }

    /// Notes the time in an answer of the remote.
    func note(serverTime: ParseDate) { clock.note(serverTime) }

    /// Stores the time of the remote when the program ends.
    func stop() async {
        do { try await people.setTrustedTime(clock.note) } catch {
            logger.warning("the time of the remote cannot be stored: \(error)")
        }
    }

    /// Stores the time of the remote if the stored one is older than an hour.
    func tend() async {
        do {
            try await clock.save(in: people)
        } catch {
            logger.warning("the time of the remote cannot be stored: \(error)")
        }
    }

    private static let refusal = ParseError(
        .objectNotFound,
        """
        Invalid username/password. The remote cannot be reached: only users who have logged in here within the last week can log in, and \
        not for some minutes after five failed attempts.
        """)

    // MARK: What the remote says

    func changeCount(of userId: String) -> Int { changes.withLock { $0[userId, default: 0] } }

    func noteAccepted(_ claim: LogInClaim, user: JSONObject, at time: ParseDate?, changeCount: Int) async {
        guard let id = user["objectId"]?.string else { return }
        if let time { clock.note(time) }
        // The user has a second factor or another identity, so the password alone must not open the data.
        guard user["authData"]?.object?.contains(where: { !$0.value.isNull }) != true else {
            return await noteChange(of: id)
        }
        let note = clock.note
        do {
            let hash = try await hasher.hash(try key.peppered(claim.password, of: id))
            try await people.setVerifier(hash, of: id, provenAt: note.remote)
            try await people.setTrustedTime(note)
            // A change that arrived while this verifier was stored must remove it, too.
            if self.changeCount(of: id) != changeCount { await noteChange(of: id) }
        } catch {
            // The new verifier could not be stored. The earlier one may be of an earlier password, so it is removed.
            logger.warning("the user \(id) cannot log in without the remote: \(error)")
            await noteChange(of: id)
        }
    }

    func noteRefused(_ claim: LogInClaim) async {
        do {
            let id = try claim.name.flatMap { try userId(named: $0) }
            let hash = try id.flatMap { try people.verifier(of: $0)?.hash }
            let wouldAccept: Bool
            do {
                wouldAccept = try await hasher.matches(try key.peppered(claim.password, of: id ?? ""), hash)
            } catch {
                // The password cannot be compared, so it counts as the one that the remote has refused.
                wouldAccept = true
            }
            if wouldAccept, let id { await noteChange(of: id) }
        } catch {
            logger.error("the verifier of a refused password cannot be compared: \(error)")
        }
    }

    func noteChange(of userId: String) async {
        changes.withLock { $0[userId, default: 0] += 1 }
        // The sessions are read only for the audit log and to end their streams. If the read fails, the verifier is
        // removed anyway.
        var sessions: [KnownSession] = []
        do { sessions = try people.sessions(of: userId) } catch {
            logger.error("the sessions of the user \(userId) cannot be read: \(error)")
        }
        do {
            try await people.removeVerifier(of: userId, at: environment.now())
        } catch {
            logger.error("the verifier of the user \(userId) cannot be removed: \(error)")
        }
        observer.withLock { $0 }?(userId, sessions.filter { $0.origin == .here && $0.state == .open })
    }

    // MARK: Log-ins

    func logIn(_ claim: LogInClaim) async throws -> JSONObject {
        let id = try claim.name.flatMap { try userId(named: $0) }
        // The attempt is counted before the password is compared, so that a crash does not undo the count.
        let attempt = try await people.beginAttempt(of: id, at: clock.note)
        if case .locked = attempt {
            // The refusal of a locked user takes as long and has the same text as that of an unknown name, so it does
            // not show that the name exists.
            _ = try await matches(claim.password, of: "", nil)
            throw Self.refusal
        }
        let hash: String? = if case .allowed(let hash) = attempt { hash } else { nil }
        let isRight = try await matches(claim.password, of: id ?? "", hash)
        guard isRight, let id, let hash, try people.mayWork(id), let fields = try people.user(id) else {
            throw Self.refusal
        }
        let token = environment.sessionToken()
        guard try await people.completeAttempt(hash, opening: try session(token, of: id)) else { throw Self.refusal }
        var user = fields
        user["sessionToken"] = .string(token)
        return user
    }

    private func matches(_ password: String, of userId: String, _ hash: String?) async throws -> Bool {
        do {
            return try await hasher.matches(try key.peppered(password, of: userId), hash)
        } catch is PasswordError {
            throw APIError.tooManyPasswords
        }
    }

    /// Makes a session that expires together with the user's right to log in without the remote. Both times are those
    /// of the remote.
    private func session(_ token: String, of userId: String) throws -> KnownSession {
        let now = now
        return KnownSession(
            digest: SessionDigest(of: token), userId: userId, origin: .here,
            expiresAt: try people.verifier(of: userId)?.end ?? now, confirmedAt: now, changedAt: environment.now(),
            sealed: [])
    }

    /// The id of the user with a name. If the user name of one user is the e-mail address of another, the user with the
    /// user name is chosen. If the remote has renamed a user, two users can have the same stored name. Then the user
    /// who has last logged in with it is chosen.
    private func userId(named name: LogInName) throws -> String? {
        let users = try people.userIds().compactMap { id in try people.user(id).map { (id: id, fields: $0) } }
        let found = users.filter { name.isExactly($0.fields) }
        var likely = found
        if found.count > 1, case .either(let text) = name {
            let named = found.filter { $0.fields["username"]?.string == text }
            if !named.isEmpty { likely = named }
        }
        guard likely.count > 1 else { return likely.first?.id }
        return try likely.map { ($0.id, try people.verifier(of: $0.id)?.provenAt.milliseconds ?? 0) }
            .max { $0.1 < $1.1 }?.0
    }
}
