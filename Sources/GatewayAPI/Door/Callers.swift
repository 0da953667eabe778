import HTTPServer
import ParseModel

/// Finds the caller of each request: the principal whose rights count, and whose data answers it (the gateway's own or
/// a user's). Each product has its own implementation.
protocol Callers: Sendable {
    /// - Throws: an error that refuses the request.
    func caller(of claim: CallerClaim) throws -> CallerSearch

    /// Whether the session token in the body of an upload is needed to find the caller.
    var readsSessionsOfUploads: Bool { get }
}

extension Callers {
    var readsSessionsOfUploads: Bool { false }
}

/// The caller of a request: the principal whose rights count, and the data that answers it.
enum Caller: Sendable {
    /// The gateway answers the request from its own data.
    case here(Principal)
    /// The API of a user's space (the data of one user in a personal replica) answers the request.
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
    /// The user's space must be opened, or the remote must be asked about the session.
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
            // The master key takes precedence over the session. The key is checked when the file is read.
            case .ofFile:
                credentials.masterKey == nil && credentials.sessionToken != nil && hasKeys()
                    ? credentials.sessionToken : nil
            }
        self.token = principal == .public ? token : nil
    }

    /// The parameter `user`, which selects the space of a user on routes that concern one space, and for the life of an
    /// object; nil for none.
    var namedUser: String? {
        let asksForLife = route.policy.objects?.kind == .get && ObjectLives.areAsked(by: parameters)
        guard route.policy.isOfSpace || asksForLife, let value = parameters["user"] else { return nil }
        return value.string ?? value.jsonText
    }

    /// - Throws: `ParseError` 102 (invalid query) for the parameter `user`, which a gateway without a space for each
    ///   user does not support.
    func checkNamesNobody() throws(ParseError) {
        guard namedUser != nil else { return }
        throw ParseError(
            .invalidQuery, "Invalid parameter for query: user. This gateway has no data of single users.")
    }
}

/// Finds the callers of requests to a standalone gateway, which has users and sessions of its own.
struct AccountCallers: Callers {
    let sessions: Sessions

    /// - Throws: `ParseError` 209 (invalid session token) for an unknown or expired token.
    func caller(of claim: CallerClaim) throws -> CallerSearch {
        try claim.checkNamesNobody()
        guard let token = claim.token, claim.route.policy.access != .open else { return .known(.here(claim.principal)) }
        return .known(.here(.user(try sessions.session(of: token).user)))
    }
}

/// Finds the callers of requests to a gateway without users, by their keys alone. A replica forwards or refuses
/// requests with a session.
struct KeyCallers: Callers {
    func caller(of claim: CallerClaim) throws -> CallerSearch {
        try claim.checkNamesNobody()
        return .known(.here(claim.principal))
    }
}
