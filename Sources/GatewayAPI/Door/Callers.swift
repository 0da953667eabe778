import HTTPServer
import ParseModel

/// Finds the caller of each request: the gateway that answers it, and the principal whose rights count. Each product has its own
/// implementation.
protocol Callers: Sendable {
    /// - Throws: an error that refuses the request.
    func caller(of claim: CallerClaim) throws -> CallerSearch

    /// Whether a session in the body of an upload can change who answers the request.
    var readsSessionsOfUploads: Bool { get }
}

extension Callers {
    var readsSessionsOfUploads: Bool { false }
}

/// The caller of a request: the gateway that answers, and the principal.
enum Caller: Sendable {
    /// The gateway at whose door the request has arrived answers it.
    case here(Principal)
    /// The gateway of a user's space answers it.
    case space(any SpaceAPI, Principal)

    var principal: Principal {
        switch self {
        case .here(let principal), .space(_, let principal): principal
        }
    }
}

/// The result of a search for a caller: known at once, or found by an asynchronous function, which may ask the remote.
enum CallerSearch: Sendable {
    case known(Caller)
    /// The space must be opened, or the remote must be asked about the session.
    case asking(@Sendable () async throws -> Caller)
}

/// The facts of a request by which `Callers` finds its caller: route, credentials, keys, and address of the client.
struct CallerClaim: Sendable {
    let route: Route
    /// The principal of the request's keys.
    let principal: Principal
    /// The session token that counts for the route; nil for none. This gateway's master key takes precedence over a session.
    let token: String?
    /// The values of the parameters in the path.
    let path: [String]
    /// The parameters of the query.
    let parameters: JSONObject
    let peer: IPAddress

    /// - Parameter hasKeys: whether the request has the keys that sessions need. A route for everybody checks no keys.
    init(
        _ match: RequestLine.Match, _ credentials: Credentials, principal: Principal, parameters: JSONObject,
        peer: IPAddress, hasKeys: @autoclosure () -> Bool
    ) {
        route = match.route
        path = match.parameters
        self.principal = principal
        self.parameters = parameters
        self.peer = peer
        let token =
            switch route.policy.sessions {
            case .ignored: nil as String?
            case .used, .ofItems: credentials.sessionToken
            // The master key takes precedence. Its check follows when the file is read.
            case .ofFile:
                credentials.masterKey == nil && credentials.sessionToken != nil && hasKeys()
                    ? credentials.sessionToken : nil
            }
        self.token = principal == .public ? token : nil
    }

    /// The parameter `user` of a route that concerns one space; nil for none.
    var namedUser: String? {
        guard route.policy.isOfSpace, let value = parameters["user"] else { return nil }
        return value.string ?? value.jsonText
    }

    /// - Throws: `ParseError` 102 (invalid query) if the claim names a user, in a gateway without data of single users.
    func checkNamesNobody() throws(ParseError) {
        guard namedUser != nil else { return }
        throw ParseError(
            .invalidQuery, "Invalid parameter for query: user. This gateway has no data of single users.")
    }
}

/// The callers of a standalone gateway, which has users and sessions of its own.
struct AccountCallers: Callers {
    let sessions: Sessions

    /// - Throws: `ParseError` 209 (invalid session token) for an unknown or expired token.
    func caller(of claim: CallerClaim) throws -> CallerSearch {
        try claim.checkNamesNobody()
        guard let token = claim.token, claim.route.policy.access != .open else { return .known(.here(claim.principal)) }
        return .known(.here(.user(try sessions.session(of: token).user)))
    }
}

/// The callers of a gateway without users: only keys count. A replica forwards the requests with a session, or refuses them.
struct KeyCallers: Callers {
    func caller(of claim: CallerClaim) throws -> CallerSearch {
        try claim.checkNamesNobody()
        return .known(.here(claim.principal))
    }
}
