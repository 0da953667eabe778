import HTTPServer
import ParseModel

/// The routes of log-in, log-out, passwords, emails and the caller's session in a replica, which forwards their requests to its
/// remote. If the remote answers no calls, the routes answer like a Parse Server without users and email.
struct AccountRoutes: Sendable {
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
            Route(.post, "/logout", "logOut", independent) { [responses] _ in .now(responses.json([:])) },
            refusing(
                .post, "/upgradeToRevocableSession", "upgradeSession", independent,
                ParseError(.objectNotFound, "invalid session")),
            refusing(.get, "/users/me", "getCurrentUser", .remote(), noSession),
            refusing(.get, "/sessions/me", "getCurrentSession", .remote(), noSession),
            refusing(.put, "/sessions/me", "updateCurrentSession", .remote(), noSession),
            refusing(.delete, "/sessions/me", "endCurrentSession", .remote(), noSession),
        ]
    }

    private func refusing(
        _ method: RequestMethod, _ pattern: String, _ name: String, _ policy: RoutePolicy, _ error: ParseError
    ) -> Route {
        Route(method, pattern, name, policy) { _ in throw error }
    }
}
