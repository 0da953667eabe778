import RemoteHTTP
import RemoteService
import SyncModel
import Synchronization

/// The sessions that a replica knows, by user. The user's latest session is used first.
final class SimulatedSessions: Sendable {
    private let tokens = Mutex<[String: [String]]>([:])

    func add(_ token: String, of userId: String) { tokens.withLock { $0[userId, default: []].append(token) } }

    func token(of userId: String) -> String? { tokens.withLock { $0[userId]?.last } }

    /// Removes a session that the server has refused.
    func drop(_ token: String) {
        tokens.withLock { tokens in
            for user in tokens.keys { tokens[user]?.removeAll { $0 == token } }
        }
    }

    /// Whether a user has no session left, because the server has refused the user's last one.
    var hasRefusal: Bool { tokens.withLock { $0.contains { $0.value.isEmpty } } }

    /// The latest session of any user.
    var latest: String? { tokens.withLock { $0.sorted { $0.key < $1.key }.compactMap(\.value.last).last } }

    /// The sessions of one user as the source of the tokens for requests.
    func source(of userId: String) -> any TokenSource { Source(sessions: self, userId: userId) }

    private struct Source: TokenSource {
        let sessions: SimulatedSessions
        let userId: String

        func token() async -> String? { sessions.token(of: userId) }

        func renewed(after refused: String?) async -> String? {
            if let refused { sessions.drop(refused) }
            return await token()
        }
    }
}

/// Gives each author of changes an access to the server under a session of this author.
struct SimulatedAuthors: AuthorRemotes {
    let sessions: SimulatedSessions
    /// The access with which the gateway reads from the server.
    let reading: any RemoteService
    let sabotage: Sabotage?
    /// Makes an access that sends writes under the sessions of the token source.
    let writing: @Sendable (any TokenSource) -> any RemoteService

    func remote(of author: SyncAuthor) async -> (any RemoteService)? {
        guard let userId = author.userId, sessions.token(of: userId) != nil else { return nil }
        if sabotage == .oneRefusalPausesAll, sessions.hasRefusal { return nil }
        if sabotage == .latestToken, let latest = sessions.latest {
            return AuthorRemote(reading: reading, writing: writing(FixedToken(latest)))
        }
        return AuthorRemote(reading: reading, writing: writing(sessions.source(of: userId)))
    }
}
