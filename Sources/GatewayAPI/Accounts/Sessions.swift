import ParseModel
import StoreService
import Synchronization

/// Finds the user of a session token, and makes new sessions.
final class Sessions: Sendable {
    let store: any AccountStore
    let settings: AccountSettings
    private let environment: Environment
    /// The ids of the sessions whose expiry date is being moved by a running task.
    private let extending = Mutex<Set<String>>([])

    init(store: any AccountStore, settings: AccountSettings, environment: Environment) {
        self.store = store
        self.settings = settings
        self.environment = environment
    }

    /// The principal of a request after the check of its keys and its session token. As on a Parse Server, a master key takes
    /// precedence over a session token, and a log-in ignores the token.
    /// - Throws: `ParseError` 209 (invalid session token) for an unknown or expired token.
    func principal(_ principal: Principal, _ credentials: Credentials, _ policy: RoutePolicy) throws -> Principal {
        guard let token = credentials.sessionToken, principal == .public, policy.access != .open, !policy.ignoresSession
        else { return principal }
        return .user(try session(of: token).user)
    }

    /// - Throws: `ParseError` 209 (invalid session token) for an unknown or expired token.
    func session(of token: String) throws -> OpenSession {
        guard let session = try store.session(of: token) else { throw ParseError.invalidSession }
        let now = environment.now()
        guard !session.isExpired(at: now) else { throw ParseError.expiredSession }
        if settings.extendsSessionsOnUse, let end = session.expiresAt, end < now + settings.sessionLength / 2 {
            extend(session.user.sessionId)
        }
        return session
    }

    /// A new session with a random token.
    /// - Parameters:
    ///   - action: the reason for the session: `signup`, `login`, `create` or `upgrade`.
    ///   - provider: the kind of proof of identity, for example `password`; nil for none.
    func new(_ action: String, by provider: String?, installationId: String?) -> NewSession {
        var fields = JSONObject()
        var createdWith: JSONObject = ["action": .string(action)]
        if let provider { createdWith["authProvider"] = .string(provider) }
        fields["createdWith"] = .object(createdWith)
        if let installationId, !installationId.isEmpty { fields["installationId"] = .string(installationId) }
        fields["expiresAt"] = end.json
        return NewSession(token: environment.sessionToken(), fields: fields)
    }

    /// The expiry date of a session that is opened or extended now.
    private var end: ParseDate { environment.now() + settings.sessionLength }

    private func extend(_ sessionId: String) {
        guard extending.withLock({ $0.insert(sessionId).inserted }) else { return }
        environment.task { [self] in
            // If the write fails, the next use of the session tries again.
            try? await store.extend(sessionId: sessionId, to: end)
            extending.withLock { _ = $0.remove(sessionId) }
        }
    }
}
