import RemoteHTTP
import RemoteService
import SyncModel
import Synchronization

/// The sessions that a replica knows, by user. The latest one of a user is used first.
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

    /// Whether the server has refused a user's only session.
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

/// The authors' accesses to the server.
struct SimulatedAuthors: AuthorRemotes {
    let sessions: SimulatedSessions
    /// The server as the gateway reads it.
    let reading: any RemoteService
    let sabotage: Sabotage?
    /// Makes the remote that sends writes under sessions.
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
