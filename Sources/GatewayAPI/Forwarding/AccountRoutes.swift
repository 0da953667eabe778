import HTTPServer
import ParseModel
import StoreService

/// The routes of log-in, log-out, passwords, emails and the caller's session in a replica, which forwards their requests to its
/// remote. If the remote answers no calls, the routes answer like a Parse Server without users and email.
///
/// With spaces for users, log-outs and `/users/me` are answered here.
struct AccountRoutes: Sendable {
    let store: any ObjectStore
    /// The user of the space; nil for the API of everybody.
    let user: SpaceUser?
    /// Whether this is a site replica, which knows the user of each session.
    let isSite: Bool
    /// The log-out of a replica with spaces; nil if the remote answers log-outs.
    let sessions: (any SessionObserver)?
    let responses: ResponseBuilder

    var routes: [Route] {
        let noUsers = ParseError(.operationForbidden, "Users are not supported yet.")
        let noMail = ParseError(.operationForbidden, "A standalone gateway does not send email.")
        let noSession = ParseError(.invalidSessionToken, "Invalid session token")
        // Log-ins and emails do not depend on objects, so they do not wait for queued writes.
        let independent = RoutePolicy.remote { $0.queuedWrites = .never }
        var logIn = independent
        logIn.ignoresSession = true
        return [
            refusing(.post, "/requestPasswordReset", "requestPasswordReset", independent, noMail),
            refusing(.post, "/verificationEmailRequest", "requestVerificationEmail", independent, noMail),
            refusing(.post, "/login", "logIn", logIn, noUsers),
            refusing(.get, "/login", "logInByQuery", logIn, noUsers),
            refusing(.post, "/loginAs", "logInAs", independent, noUsers),
            refusing(.post, "/verifyPassword", "verifyPassword", independent, noUsers),
            refusing(.get, "/verifyPassword", "verifyPasswordByQuery", independent, noUsers),
            logOut(independent),
            refusing(
                .post, "/upgradeToRevocableSession", "upgradeSession", independent,
                ParseError(.objectNotFound, "invalid session")),
            user != nil || isSite
                ? Route(.get, "/users/me", "getCurrentUser", .parse, me)
                : refusing(.get, "/users/me", "getCurrentUser", .remote(), noSession),
            refusing(.get, "/sessions/me", "getCurrentSession", .remote(), noSession),
            refusing(.put, "/sessions/me", "updateCurrentSession", .remote(), noSession),
            refusing(.delete, "/sessions/me", "endCurrentSession", .remote(), noSession),
        ]
    }

    private func logOut(_ forwarded: RoutePolicy) -> Route {
        guard let sessions else {
            return Route(.post, "/logout", "logOut", forwarded) { [responses] _ in .now(responses.json([:])) }
        }
        // An unknown session is ended, too.
        var policy = RoutePolicy.parse
        policy.ignoresSession = true
        return Route(.post, "/logout", "logOut", policy) { [responses] request in
            guard let token = request.parse.credentials.sessionToken else { return .now(responses.json([:])) }
            return .later {
                try await sessions.logOut(token)
                return responses.json([:])
            }
        }
    }

    /// The user as the space shows it, or as the remote has shown it at the last confirmation of a session.
    private func me(_ request: RoutedRequest) throws -> RouteReply {
        guard let caller = request.principal.user else { throw ParseError.invalidSession }
        let stored = try store.object("_User", caller.objectId, as: request.principal)?.fields(of: "_User")
        var fields = try stored ?? user?.fields() ?? sessions?.fields(of: caller.objectId) ?? [:]
        (fields["__type"], fields["className"]) = ("Object", "_User")
        fields["sessionToken"] = request.parse.credentials.sessionToken.map(JSONValue.string)
        return .now(responses.json(fields))
    }

    private func refusing(
        _ method: RequestMethod, _ pattern: String, _ name: String, _ policy: RoutePolicy, _ error: ParseError
    ) -> Route {
        Route(method, pattern, name, policy) { _ in throw error }
    }
}
