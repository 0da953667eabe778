import Logging
import ParseModel
import RemoteHTTP
import StoreService
import Synchronization

/// Chooses the session under which the changes of one user are sent. The outbox belongs to the user, so any session of
/// the user can send it. This includes a session whose user has deleted the own account here and, with
/// `--after-logout push`, a session that is logged out here but not yet at the remote.
final class UserSessions: TokenSource {
    let userId: String
    private let afterLogOut: PeopleSettings.AfterLogOut
    private let people: any PeopleStore
    private let key: SpaceKey
    private let environment: Environment
    private let logger: Logger
    /// Called when the remote has refused a session. Ends the session.
    private let onRefusal: @Sendable (SessionDigest) async throws -> Void
    /// Called when a part of an answer shows a refused session. Checks the session at the remote.
    private let onDoubt: @Sendable (SessionDigest) async -> Void
    /// Called with the time in an answer of the remote.
    private let onServerTime: @Sendable (ParseDate) -> Void
    /// Called after a sync without an error, with the session that the remote has accepted.
    private let onSyncEnd: @Sendable (SessionDigest?) async -> Void
    /// The session that the remote has accepted last, since the end of the last sync.
    private let accepted = Mutex<SessionDigest?>(nil)

    init(
        _ userId: String, afterLogOut: PeopleSettings.AfterLogOut, people: any PeopleStore, key: SpaceKey,
        environment: Environment, logger: Logger, onRefusal: @escaping @Sendable (SessionDigest) async throws -> Void,
        onDoubt: @escaping @Sendable (SessionDigest) async -> Void,
        onServerTime: @escaping @Sendable (ParseDate) -> Void,
        onSyncEnd: @escaping @Sendable (SessionDigest?) async -> Void
    ) {
        self.userId = userId
        self.afterLogOut = afterLogOut
        self.people = people
        self.key = key
        self.environment = environment
        self.logger = logger
        self.onRefusal = onRefusal
        self.onDoubt = onDoubt
        self.onServerTime = onServerTime
        self.onSyncEnd = onSyncEnd
    }

    func token() async -> String? {
        do {
            for session in try people.sessions(of: userId) where session.origin == .remote {
                guard session.state != .loggedOut || afterLogOut == .push else { continue }
                guard session.expiresAt.map({ $0 > environment.now() }) ?? true else { continue }
                guard let token = key.token(of: session) else {
                    if key.noteLoss() {
                        logger.warning(
                            "the key in \(key.path) does not open the session tokens: changes wait for their authors to log in"
                        )
                    }
                    continue
                }
                return token
            }
        } catch {
            logger.error("the sessions of a user cannot be read: \(error)")
        }
        return nil
    }

    /// Whether the user has a session under which requests can be sent.
    func isThere() async -> Bool { await token() != nil }

    func renewed(after refused: String?) async -> String? {
        guard let refused else { return nil }
        await refuse(SessionDigest(of: refused))
        return await token()
    }

    func note(serverTime: ParseDate) { onServerTime(serverTime) }

    func noteAccepted(_ token: String) { accepted.withLock { $0 = SessionDigest(of: token) } }

    func noteDoubt(about token: String) async { await onDoubt(SessionDigest(of: token)) }

    /// Notes that the remote has refused a session.
    private func refuse(_ digest: SessionDigest) async {
        do {
            try await onRefusal(digest)
        } catch {
            logger.error("the end of a session cannot be recorded: \(error)")
        }
    }

    /// Notes that a sync has ended without an error.
    func noteSyncEnd() async {
        let accepted = accepted.withLock { $0.take() }
        if let accepted { await confirm(accepted) }
        await onSyncEnd(accepted)
    }

    private func confirm(_ digest: SessionDigest) async {
        do {
            try await people.confirm(digest, at: environment.now())
        } catch {
            logger.warning("the confirmation of a session cannot be recorded: \(error)")
        }
    }
}
