import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import Synchronization

/// The facts about sessions, passwords and locked users that one replica has learned from the server's answers. The
/// checks compare the replica's later answers to users with these facts.
final class PeopleBeliefs: Sendable {
    private enum Ending {
        case session(String)
        case password(String, of: String)
        /// The server has ended all passwords of a user, except those with which the user has logged in since.
        case passwords(of: String, besides: Set<String> = [])
    }

    private struct State {
        /// The ends of sessions and passwords that the replica has just learned from the server. If the process crashes
        /// now, the replica may not have stored them.
        var endings: [Ending] = []
        /// The tokens of the sessions that the replica knows to have ended. The replica must refuse them.
        var ended: Set<String> = []
        /// The tokens that the replica may have sent to the server.
        var asked: Set<String> = []
        /// The tokens of sessions that are logged out, or being logged out, at this replica.
        var leaving: Set<String> = []
        /// The tokens that the replica has accepted in a request.
        var learned: Set<String> = []
        /// The passwords that may open a user's data without the server, by the user's id.
        var passwords: [String: Set<String>] = [:]
        var findings: [String] = []
    }

    private let name: String
    private let server: PeopleServer
    private let trace: Trace
    private let state = Mutex(State())

    private static let findingsMax = 20

    init(of name: String, server: PeopleServer, trace: Trace) {
        self.name = name
        self.server = server
        self.trace = trace
    }

    var findings: [String] { state.withLock { $0.findings } }

    func addFinding(_ line: String) {
        trace.note("\(name) finding: \(line)")
        state.withLock { if $0.findings.count < Self.findingsMax { $0.findings.append("\(name): \(line)") } }
    }

    // MARK: The server

    /// Records an answer of the server that has arrived at the replica.
    func note(_ answer: HTTPClientResponse, to request: HTTPClientRequest) {
        let token = request.headers[.parseSessionToken]
        let code = answer.status.kind == .clientError ? Self.json(answer.body)?["code"]?.int : nil
        if let token { state.withLock { _ = $0.asked.insert(token) } }
        if let token, code == ParseError.Code.invalidSessionToken.rawValue {
            trace.note("\(name) is told that \(token.suffix(6)) has ended")
            let userId = server.server.users.user(ofSession: token)
            state.withLock { state in
                state.endings.append(.session(token))
                // The replica knows the user of a session with which it has answered. The end of such a session also
                // ends the user's offline passwords, unless the replica itself has logged the session out.
                if state.learned.contains(token), !state.leaving.contains(token), let userId {
                    state.endings.append(.passwords(of: userId))
                }
            }
        }
        let isSignUp = request.method == .post && request.url.hasSuffix("/users")
        guard isSignUp || request.url.hasSuffix("/login"), let body = Self.json(request.body),
            let user = server.users.first(where: { $0.name == body["username"]?.string }),
            let password = body["password"]?.string
        else { return }
        state.withLock { state in
            if answer.status.kind == .successful {
                state.passwords[user.id, default: []].insert(password)
                state.endings = state.endings.map { ending in
                    guard case .passwords(user.id, let besides) = ending else { return ending }
                    return .passwords(of: user.id, besides: besides.union([password]))
                }
            } else if code == ParseError.Code.objectNotFound.rawValue {
                state.endings.append(.password(password, of: user.id))
            }
        }
    }

    private static func json(_ bytes: [UInt8]) -> JSONObject? { try? JSONReader.read(bytes).object }

    /// Counts the ends in `endings` as known to the replica. Called when the replica has had time to store them.
    func takeEndings() {
        state.withLock { state in
            for ending in state.endings {
                trace.note("\(name) has ended \(ending)")
                switch ending {
                case .session(let token): state.ended.insert(token)
                case .password(let password, let userId): state.passwords[userId]?.remove(password)
                case .passwords(let userId, let besides): state.passwords[userId]?.formIntersection(besides)
                }
            }
            state.endings = []
        }
    }

    func processHasEnded(isCrash: Bool) {
        if isCrash { state.withLock { $0.endings = [] } } else { takeEndings() }
    }

    // MARK: Users

    func noteLogIn(_ token: String, of userId: String, _ password: String, isOffline: Bool) {
        state.withLock { state in
            if isOffline {
                state.learned.insert(token)
            } else {
                state.asked.insert(token)
                state.passwords[userId] = [password]
            }
        }
    }

    /// Records that a user has changed the password through the replica.
    func noteNewPassword(of userId: String) { state.withLock { $0.passwords[userId] = nil } }

    func isLeaving(_ token: String) -> Bool { state.withLock { $0.leaving.contains(token) } }

    /// Records that a user has begun to log out.
    func noteLeaving(_ token: String) { state.withLock { _ = $0.leaving.insert(token) } }

    func noteLogOut(_ token: String) { state.withLock { _ = $0.ended.insert(token) } }

    func noteUse(of token: String) { state.withLock { _ = $0.learned.insert(token) } }

    func hasEnded(_ token: String) -> Bool { state.withLock { $0.ended.contains(token) } }

    func isUnknown(_ token: String) -> Bool {
        state.withLock { !$0.asked.contains(token) && !$0.learned.contains(token) && !$0.ended.contains(token) }
    }

    /// The tokens of the server's sessions that the replica knows and that have not ended at this replica.
    func openTokens() -> [String] {
        state.withLock { $0.learned.intersection($0.asked).subtracting($0.ended).subtracting($0.leaving).sorted() }
    }

    /// Whether a log-in with this password may open a user's data while the server cannot be reached.
    func mayOpen(_ userId: String, _ password: String) -> Bool {
        state.withLock { $0.passwords[userId]?.contains(password) == true }
    }
}
