import ParseModel
import StoreService

/// Decides which requests a replica forwards to its remote.
struct ForwardingRules: Sendable {
    let store: any ObjectStore
    /// Whether the remote answers forwarded requests. A remote with Datasync tables answers none.
    let remoteAnswersCalls: Bool
    let sessions: Sessions

    /// Whether the remote or this gateway knows the users of session tokens.
    enum Sessions: Sendable {
        /// The remote knows the sessions, so a request about users with a session is forwarded.
        case ofRemote
        /// This gateway knows the sessions, as in a user's space and in a site replica.
        case here
    }

    /// Whether the remote answers a request, unless its route is local:
    /// - every request to a route that is always forwarded, unless the remote answers no calls and the gateway's file
    ///   has an answer;
    /// - every request about a class that is reserved for the server;
    /// - each sign-up and each create of a session;
    /// - requests about `_Installation`, `_Role`, `_Session` and `_User`, except aggregates, if the replica does not store the class,
    ///   or if they carry a session of the remote;
    /// - in a gateway that knows the sessions, writes of a user's name, e-mail address, password and `authData`.
    ///
    /// For an aggregate of a class that is not reserved, the result is false: `AggregateRoute` may forward this request itself.
    func isForwarded(_ request: RoutedRequest) throws -> Bool {
        let policy = request.route.policy
        if policy.forwarding.isLocal { return false }
        if policy.forwarding.isAlways { return remoteAnswersCalls || !policy.forwarding.hasLocalAnswer }
        guard let target = request.objects else { return false }
        // Only the remote stores the classes that are reserved for the server.
        if ClassName.isReservedForServer(target.className) { return true }
        guard target.kind != .aggregate, ClassName.special.contains(target.className) else { return false }
        if target.kind == .create, ["_User", "_Session"].contains(target.className) { return true }
        switch sessions {
        case .ofRemote: if request.hasSession { return true }
        case .here: if changesAccount(request) { return true }
        }
        return try !store.classNames().contains(target.className)
    }

    /// Whether a request changes the fields with which a user signs in. Only the remote can check these fields.
    private func changesAccount(_ request: RoutedRequest) -> Bool {
        guard request.objects?.className == "_User", request.parse.method != .get,
            case .object(let body) = request.parse.body
        else { return false }
        return body.keys.contains { AccountFields.names.contains(String($0.prefix { $0 != "." })) }
    }

    /// - Throws: `ParseError` for a write with a precondition, because a Parse Server would ignore the precondition.
    func checkForwarded(_ request: RoutedRequest) throws(ParseError) {
        guard request.route.policy.objects != nil, request.parse.method != .get, request.namesState else { return }
        throw ParseError(
            .commandUnavailable,
            "If-Match and _base apply only to objects stored locally, and the remote answers this request.")
    }
}
