import HTTPServer
import ParseModel
import RemoteService
import StoreService

/// The routes of log-in, log-out, passwords, emails and the caller's session in a replica, which forwards their requests to its
/// remote. If the remote answers no calls, the routes answer like a Parse Server without users and email.
///
/// A replica that knows the sessions of its users answers log-outs and `/users/me` itself.
struct RemoteAccountRoutes: Sendable {
    let store: any ObjectStore
    let responses: ResponseBuilder
    /// The fields of the caller as the remote has shown them at the last confirmation of a session; nil if only the remote knows its users.
    var shownUser: (@Sendable (_ userId: String) throws -> JSONObject)?
    /// Ends a session; nil if the remote answers log-outs.
    var logOut: (@Sendable (_ token: String) async throws -> Void)?

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
            logOutRoute(independent(.object)),
            refusing(
                .post, "/upgradeToRevocableSession", "upgradeSession", independent(.texts("sessionToken")),
                ParseError(.objectNotFound, "invalid session")),
            meRoute ?? refusing(.get, "/users/me", "getCurrentUser", .remote(session), noSession),
            refusing(.get, "/sessions/me", "getCurrentSession", .remote(session), noSession),
            refusing(.put, "/sessions/me", "updateCurrentSession", .remote(.updated), noSession),
            refusing(
                .delete, "/sessions/me", "endCurrentSession", .remote().with { $0.forwarding.endsSession = true },
                noSession),
        ]
    }

    private func logOutRoute(_ forwarded: RoutePolicy) -> Route {
        guard let logOut else {
            return Route(.post, "/logout", "logOut", forwarded) { [responses] _ in .now(responses.json([:])) }
        }
        // A log-out of an unknown session is accepted, too.
        return Route(.post, "/logout", "logOut", .parse.with { $0.sessions = .ignored }) { [responses] request in
            guard let token = request.parse.credentials.sessionToken else { return .now(responses.json([:])) }
            return .later {
                try await logOut(token)
                return responses.json([:])
            }
        }
    }

    /// The route `/users/me` answers with the caller's own user as stored here, or else as last received from the
    /// remote.
    private var meRoute: Route? {
        guard let shownUser else { return nil }
        return Route(.get, "/users/me", "getCurrentUser", .parse) { [store, responses] request in
            guard let caller = request.principal.user else { throw ParseError.invalidSession }
            let stored = try store.object("_User", caller.objectId, as: request.principal)?.fields(of: "_User")
            var fields = try stored ?? shownUser(caller.objectId)
            (fields["__type"], fields["className"]) = ("Object", "_User")
            fields["sessionToken"] = request.parse.credentials.sessionToken.map(JSONValue.string)
            return .now(responses.json(fields))
        }
    }

    private func refusing(
        _ method: RequestMethod, _ pattern: String, _ name: String, _ policy: RoutePolicy, _ error: ParseError
    ) -> Route {
        Route(method, pattern, name, policy) { _ in throw error }
    }
}
