import ParseModel
import StoreService

/// Decides which requests a replica forwards to its remote.
struct ForwardingRules: Sendable {
    let store: any ObjectStore
    let isReplica: Bool
    /// Whether the remote answers calls. A remote of tables answers none.
    let remoteAnswersCalls: Bool
    /// Whether the gateway has users of its own, so that the router resolves session tokens.
    let hasSessions: Bool
    /// The id of the user whose space the API serves; nil for the API of everybody. In a space, a session is no reason to ask the
    /// remote.
    let servedUserId: String?
    /// Whether this is a site replica, in which a session is no reason to ask the remote either.
    let isSite: Bool
    /// Whether the users of the replica have spaces.
    let hasSpaces: Bool

    private var resolvesSessions: Bool { servedUserId != nil || isSite }

    /// Whether the remote answers a request. False in a standalone gateway. In a replica, the remote answers:
    /// - every request to a route that is always forwarded, unless the remote answers no calls and the file has an answer;
    /// - every request about a class that is reserved for the server;
    /// - each sign-up and each create of a session;
    /// - requests about `_Installation`, `_Role`, `_Session` and `_User`, except aggregates, if the replica does not store the class,
    ///   or if they carry a session that is not resolved here;
    /// - in the space of a user and in a site replica, writes of the user's name, e-mail address, password and links.
    ///
    /// For an aggregate of a class that is not reserved, the result is false: `AggregateRoute` may forward this request itself.
    func isForwarded(_ request: RoutedRequest) throws -> Bool {
        let policy = request.route.policy
        guard isReplica else { return false }
        if policy.forwarding.isAlways { return remoteAnswersCalls || !policy.forwarding.hasLocalAnswer }
        guard let target = request.objects else { return false }
        // Only the remote stores the classes that are reserved for the server.
        if ClassName.isReservedForServer(target.className) { return true }
        guard target.kind != .aggregate, ClassName.special.contains(target.className) else { return false }
        if request.hasSession && !resolvesSessions
            || target.kind == .create && ["_User", "_Session"].contains(target.className)
        {
            return true
        }
        if resolvesSessions, changesAccount(request) { return true }
        return try !store.classNames().contains(target.className)
    }

    /// Whether a request changes what a user signs in with. Only the remote can check these fields.
    private func changesAccount(_ request: RoutedRequest) -> Bool {
        guard request.objects?.className == "_User", request.parse.method != .get,
            case .object(let body) = request.parse.body
        else { return false }
        return body.keys.contains { AccountFields.names.contains(String($0.prefix { $0 != "." })) }
    }

    /// Checks the parameter `user`, with which the local master key names the space that a request concerns.
    /// - Throws: `APIError.masterKeyRequired` without the master key. `ParseError` for a user whom this API does not serve.
    func checkNamedUser(_ request: RoutedRequest) throws {
        guard let name = request.namedUser else { return }
        guard hasSpaces else {
            throw ParseError(
                .invalidQuery, "Invalid parameter for query: user. This gateway has no data of single users.")
        }
        try request.requireMaster()
        guard !isSite else {
            throw ParseError(
                .invalidQuery,
                "Invalid parameter for query: user. All users of this gateway share one file: its lists name the user of each entry."
            )
        }
        guard name == servedUserId else {
            throw ParseError(.invalidQuery, "The parameter user is not supported in a batch.")
        }
    }

    /// Whether this gateway enforces the rights of users: a standalone gateway with at least one user, or a site replica.
    func hasUsers() throws -> Bool {
        guard !isReplica else { return isSite }
        return try !store.find("_User", ParseQuery(limit: 1), as: .master).objects.isEmpty
    }

    /// - Throws: `ParseError` for a write with a precondition, because a Parse Server would ignore the precondition.
    func checkForwarded(_ request: RoutedRequest) throws(ParseError) {
        guard request.route.policy.objects != nil, request.parse.method != .get, request.namesState else { return }
        throw ParseError(
            .commandUnavailable,
            "If-Match and _base apply only to objects stored locally, and the remote answers this request.")
    }

    /// The error for a request with a session. Code 209 (invalid session token) makes SDKs end the session. A replica uses
    /// another code, because only the remote knows whether the session has ended.
    var sessionRefusal: ParseError {
        guard isReplica else { return .invalidSession }
        return ParseError(
            .operationForbidden,
            hasSpaces
                ? "Send the session or the master key, not both. With the master key, the parameter `user` of routes under /sync names a user."
                : "This replica serves one identity. To use it with sessions, start it with --people personal.")
    }
}
