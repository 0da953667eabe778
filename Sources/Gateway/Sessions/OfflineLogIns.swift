import GatewayAPI
import Logging
import ParseModel
import Passwords
import StoreService
import Synchronization

/// Logs users in with verifiers of their passwords, while the remote cannot be reached.
final class OfflineLogIns: OfflineSignIn {
    private let people: any PeopleStore
    private let key: SpaceKey
    private let hasher: PasswordHasher
    private let clock: TrustedClock
    private let environment: Environment
    private let logger: Logger
    /// By user, the number of times that the way to sign in has changed.
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

    /// Sets what is called when the sessions that this gateway has opened for a user have ended.
    func onEnd(_ observer: @escaping Observer) { self.observer.withLock { $0 = observer } }

    /// The time of the remote.
    var now: ParseDate { clock.note.remote }

    /// Notes the time in an answer of the remote.
    func note(serverTime: ParseDate) { clock.note(serverTime) }

    /// Stores the time of the remote at the end of the program.
    func stop() async {
        do { try await people.setTrustedTime(clock.note) } catch {
            logger.warning("the time of the remote cannot be stored: \(error)")
        }
    }

    /// Stores the time of the remote now and then.
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
        // A second factor or another identity: the password alone must not open the data.
        guard user["authData"]?.object?.contains(where: { !$0.value.isNull }) != true else {
            return await noteChange(of: id)
        }
        let note = clock.note
        do {
            let hash = try await hasher.hash(try key.peppered(claim.password, of: id))
            try await people.setVerifier(hash, of: id, provenAt: note.remote)
            try await people.setTrustedTime(note)
            // A change since the answer may have removed the earlier verifier before this one was stored.
            if self.changeCount(of: id) != changeCount { await noteChange(of: id) }
        } catch {
            // An earlier password must not stay valid.
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
                // Without a comparison, the password may be the refused one.
                wouldAccept = true
            }
            if wouldAccept, let id { await noteChange(of: id) }
        } catch {
            logger.error("the verifier of a refused password cannot be compared: \(error)")
        }
    }

    func noteChange(of userId: String) async {
        changes.withLock { $0[userId, default: 0] += 1 }
        // The sessions are read for the audit log and for open streams. A failed read must not keep the verifier.
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
        // The attempt counts before the password is compared, so that a crash resets no count.
        let attempt = try await people.beginAttempt(of: id, at: clock.note)
        if case .locked = attempt {
            // Takes as long as for an unknown name, and has the same words: a lock would tell that the name is known here.
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

    /// A session that ends with the time in which the user can log in without the remote. Its times are those of the remote.
    private func session(_ token: String, of userId: String) throws -> KnownSession {
        let now = now
        return KnownSession(
            digest: SessionDigest(of: token), userId: userId, origin: .here,
            expiresAt: try people.verifier(of: userId)?.end ?? now, confirmedAt: now, changedAt: environment.now(),
            sealed: [])
    }

    /// The id of the user with a name. If the user name of one user is the e-mail address of another, the user name counts. Of two users
    /// with one stored name, of whom the remote has renamed one, the one counts who has logged in with it last.
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
