import LocalStore
import ParseModel
import StoreService
import SyncModel
import Synchronization

/// The store's users and sessions, with a deliberate bug (`Sabotage`) in some calls.
final class SabotagedPeople: PeopleStore {
    private let store: LocalStore
    private let sabotage: Sabotage
    private var base: any PeopleStore { store.people }
    /// The id of the user who has logged in last.
    private let latest = Mutex<String?>(nil)

    init(_ store: LocalStore, _ sabotage: Sabotage) {
        self.store = store
        self.sabotage = sabotage
    }

    // MARK: Broken

    func session(_ digest: SessionDigest) throws -> KnownSession? {
        guard let session = try base.session(digest) else { return nil }
        guard sabotage == .spaceOfAnother, let latest = latest.withLock({ $0 }) else { return session }
        return KnownSession(
            digest: digest, userId: latest, origin: session.origin, expiresAt: session.expiresAt,
            confirmedAt: session.confirmedAt, state: session.state, changedAt: session.changedAt,
            sealed: session.sealed)
    }

    func save(_ session: KnownSession, user: JSONObject) async throws {
        try await base.save(session, user: user)
        latest.withLock { $0 = session.userId }
    }

    func change(_ digest: SessionDigest, to state: KnownSession.State, at time: ParseDate) async throws {
        if sabotage == .logOutReadsOn, state == .loggedOut { return }
        try await base.change(digest, to: state, at: time)
    }

    func removeVerifier(of userId: String, at time: ParseDate) async throws {
        if sabotage == .refusedPasswordKept { return }
        try await base.removeVerifier(of: userId, at: time)
    }

    func signedIn(_ userId: String, by session: SessionDigest) throws -> SignedInUser? {
        guard let user = try base.signedIn(userId, by: session) else {
            guard sabotage == .lockOutIgnored else { return nil }
            return SignedInUser(objectId: userId, roles: try base.roles(of: userId), sessionId: session.text)
        }
        guard sabotage == .unknownRoleHeld else { return user }
        let roles = try store.objects.find("_Role", ParseQuery(limit: 1000), as: .master).objects
        let known = Set(try roles.compactMap { try $0.fields(of: "_Role")["name"]?.string })
        let unknown = PeopleServer.roles.filter { !known.contains($0) }
        return SignedInUser(objectId: userId, roles: user.roles.union(unknown), sessionId: user.sessionId)
    }

    func mayWork(_ userId: String) throws -> Bool {
        try sabotage == .lockOutIgnored || base.mayWork(userId)
    }

    // MARK: Unchanged

    func verifier(of userId: String) throws -> LogInVerifier? { try base.verifier(of: userId) }
    func setVerifier(_ hash: String, of userId: String, provenAt: ParseDate) async throws {
        try await base.setVerifier(hash, of: userId, provenAt: provenAt)
    }
    func removeVerifiers(at time: ParseDate) async throws { try await base.removeVerifiers(at: time) }
    func beginAttempt(of userId: String?, at note: TrustedTime.Note) async throws -> LogInVerifier.Attempt {
        try await base.beginAttempt(of: userId, at: note)
    }
    func completeAttempt(_ hash: String, opening session: KnownSession) async throws -> Bool {
        try await base.completeAttempt(hash, opening: session)
    }
    func trustedTime() throws -> TrustedTime.Note? { try base.trustedTime() }
    func setTrustedTime(_ note: TrustedTime.Note) async throws { try await base.setTrustedTime(note) }

    func sessions(of userId: String) throws -> [KnownSession] { try base.sessions(of: userId) }
    func sessionCounts() throws -> [KnownSession.State: Int] { try base.sessionCounts() }
    func confirm(_ digest: SessionDigest, at time: ParseDate) async throws {
        try await base.confirm(digest, at: time)
    }
    func sessions(_ state: KnownSession.State) throws -> [KnownSession] { try base.sessions(state) }
    func unsentLogOuts() throws -> [UnsentLogOut] { try base.unsentLogOuts() }
    func unsentLogOut(_ digest: SessionDigest) throws -> UnsentLogOut? { try base.unsentLogOut(digest) }
    func add(_ logOut: UnsentLogOut) async throws { try await base.add(logOut) }
    func forget(_ digest: SessionDigest) async throws { try await base.forget(digest) }

    func user(_ userId: String) throws -> JSONObject? { try base.user(userId) }
    func confirm(_ digest: SessionDigest, at time: ParseDate, expiresAt: ParseDate?, user: JSONObject) async throws {
        try await base.confirm(digest, at: time, expiresAt: expiresAt, user: user)
    }
    func lacksRow(of userId: String) throws -> Bool { try base.lacksRow(of: userId) }
    func take(_ row: RemoteRecord) async throws { try await base.take(row) }
    func isLeaving(_ userId: String) throws -> Bool { try base.isLeaving(userId) }
    func refusal(of write: WriteRequest, by userId: String) throws -> ParseError? {
        try base.refusal(of: write, by: userId)
    }
    func work(of userId: String) throws -> (pending: Int, rejections: Int, conflicts: Int) {
        try base.work(of: userId)
    }
    func roles(of userId: String) throws -> Set<String> { try base.roles(of: userId) }
    func userIds() throws -> [String] { try base.userIds() }
    func noteUse(by userId: String, at time: ParseDate) async throws { try await base.noteUse(by: userId, at: time) }
    func lastUses() throws -> [String: ParseDate] { try base.lastUses() }
    func forget(userId: String, unusedSince time: ParseDate) async throws -> Bool {
        try await base.forget(userId: userId, unusedSince: time)
    }
    func forget(userId: String) async throws { try await base.forget(userId: userId) }
    func waitingWork(of userId: String) async throws -> WaitingWork { try await base.waitingWork(of: userId) }
    func forget(userId: String, withWork check: @escaping @Sendable (WaitingWork) throws -> Void) async throws {
        try await base.forget(userId: userId, withWork: check)
    }

    func endFeedPositions() async throws { try await base.endFeedPositions() }
    func mode() throws -> String? { try base.mode() }
    func setMode(_ mode: String) async throws { try await base.setMode(mode) }
}
