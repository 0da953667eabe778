import HTTPServer
import ParseModel
import RemoteService
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
        let independent = { (answer: AnswerForm) in
            RoutePolicy.remote(answer).with { $0.forwarding.queuedWrites = .never }
        }
        let logIn = independent(.logIn).with { ($0.signIn, $0.sessions) = (.logIn, .ignored) }
        let passwordTest = independent(.texts("objectId")).with { $0.signIn = .passwordTest }
        let session = AnswerForm.texts("objectId")
        return [
            refusing(.post, "/requestPasswordReset", "requestPasswordReset", independent(.empty), noMail),
            refusing(.post, "/verificationEmailRequest", "requestVerificationEmail", independent(.empty), noMail),
            refusing(.post, "/login", "logIn", logIn, noUsers),
            refusing(.get, "/login", "logInByQuery", logIn.refusingReadOnlyKey, noUsers),
            refusing(.post, "/loginAs", "logInAs", independent(.logIn).loggingInAs, noUsers),
            refusing(.post, "/verifyPassword", "verifyPassword", passwordTest, noUsers),
            refusing(.get, "/verifyPassword", "verifyPasswordByQuery", passwordTest, noUsers),
            logOut(independent(.object)),
            refusing(
                .post, "/upgradeToRevocableSession", "upgradeSession", independent(.texts("sessionToken")),
                ParseError(.objectNotFound, "invalid session")),
            user != nil || isSite
                ? Route(.get, "/users/me", "getCurrentUser", .parse, me)
                : refusing(.get, "/users/me", "getCurrentUser", .remote(session), noSession),
            refusing(.get, "/sessions/me", "getCurrentSession", .remote(session), noSession),
            refusing(.put, "/sessions/me", "updateCurrentSession", .remote(.updated), noSession),
            refusing(
                .delete, "/sessions/me", "endCurrentSession", .remote().with { $0.forwarding.endsSession = true },
                noSession),
        ]
    }

    private func logOut(_ forwarded: RoutePolicy) -> Route {
        guard let sessions else {
            return Route(.post, "/logout", "logOut", forwarded) { [responses] _ in .now(responses.json([:])) }
        }
        // An unknown session is ended, too.
        return Route(.post, "/logout", "logOut", .parse.with { $0.sessions = .ignored }) { [responses] request in
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
