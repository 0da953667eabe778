import ParseModel
import Synchronization

/// The browser sessions of the person who runs the gateway. With such a session, the page operates a replica without the master key.
///
/// The program prints a link with a token, which opens one session. A session has two secrets, and a request needs both: an id in a
/// cookie, and a proof that the page keeps. A browser sends the cookie of one port of this machine to the programs at all its ports, and
/// the proof only to this gateway. Links and sessions are in memory only, so a restart ends them.
package final class OwnerSessions: Sendable {
    /// The time in which the link must be opened.
    package static let linkLifetime = Duration.seconds(3600)
    /// The time after which a session ends.
    static let lifetime = Duration.seconds(7 * 86_400)
    /// The maximum number of links, and of sessions. A further one replaces the oldest.
    private static let countMax = 16

    /// The secrets of a session.
    struct Secrets: Sendable {
        let id: String
        let proof: String
    }

    private struct Link {
        let token: [UInt8]
        let end: Duration
    }

    private struct Session {
        let id: [UInt8]
        let proof: [UInt8]
        let end: Duration

        func matches(_ secrets: Secrets) -> Bool {
            let (hasId, hasProof) = (ConstantTime.isEqual(secrets.id, id), ConstantTime.isEqual(secrets.proof, proof))
            return hasId && hasProof
        }
    }

    private struct State {
        var links: [Link] = []
        var sessions: [Session] = []
    }

    private let environment: Environment
    private let state = Mutex(State())

    package init(_ environment: Environment) { self.environment = environment }

    /// A new token for one session. The token expires after `linkLifetime`.
    package func newToken() -> String {
        let token = environment.secret()
        let end = environment.uptime() + Self.linkLifetime
        state.withLock { state in
            state.links = state.links.suffix(Self.countMax - 1) + [Link(token: Array(token.utf8), end: end)]
        }
        return token
    }

    /// Opens a session. The token is then used up, and opens no other session.
    /// - Returns: nil for a wrong token, and for one that is used up or has ended.
    func open(with token: String) -> Secrets? {
        let now = environment.uptime()
        let secrets = Secrets(id: environment.secret(), proof: environment.secret())
        return state.withLock { state in
            state.links.removeAll { $0.end <= now }
            let count = state.links.count
            // All tokens are compared, so that the duration does not reveal which one matched.
            state.links.removeAll { ConstantTime.isEqual(token, $0.token) }
            guard state.links.count < count else { return nil }
            let session = Session(
                id: Array(secrets.id.utf8), proof: Array(secrets.proof.utf8), end: now + Self.lifetime)
            state.sessions = state.sessions.suffix(Self.countMax - 1) + [session]
            return secrets
        }
    }

    /// Whether a session has these secrets.
    func has(_ secrets: Secrets) -> Bool {
        let now = environment.uptime()
        return state.withLock { state in
            state.sessions.removeAll { $0.end <= now }
            return state.sessions.reduce(false) { $1.matches(secrets) || $0 }
        }
    }

    func end(_ secrets: Secrets) {
        state.withLock { state in state.sessions.removeAll { $0.matches(secrets) } }
    }
}

/// Two values are equal only if they are the same instance.
extension OwnerSessions: Hashable {
    package static func == (a: OwnerSessions, b: OwnerSessions) -> Bool { a === b }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
