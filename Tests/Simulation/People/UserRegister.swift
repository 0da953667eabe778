import LocalStore
import ParseModel
import StoreService
import Synchronization

/// The users of the server and all sessions that ever existed. Empty except in runs of the kinds `site` and `people`.
final class UserRegister: Sendable {
    /// The server's master key, which the replicas also have.
    static let masterKey = "master"

    private struct State {
        var ids: [String] = []
        var users: [String: String] = [:]
    }

    private let state = Mutex(State())

    /// The ids of the users on the server.
    var ids: [String] { state.withLock { $0.ids } }

    func add(_ userId: String) { state.withLock { $0.ids.append(userId) } }

    /// Opens a new session of a user.
    /// - Returns: its token.
    func addSession(of userId: String) -> String {
        state.withLock { state in
            let token = "r:session\(state.users.count + 1)"
            state.users[token] = userId
            return token
        }
    }

    /// Records a session that the server has opened.
    func note(_ token: String, of userId: String) { state.withLock { $0.users[token] = userId } }

    func user(ofSession token: String) -> String? { state.withLock { $0.users[token] } }

    /// A user with the roles that a replica knows.
    static func principal(_ userId: String, in store: LocalStore) -> Principal {
        .user(SignedInUser(objectId: userId, roles: (try? store.people.roles(of: userId)) ?? [], sessionId: ""))
    }
}
