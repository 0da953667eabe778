import HTTPServer
import ParseModel
import StoreService

/// The routes of log-in, log-out, passwords and e-mails in a standalone gateway.
struct UserRoutes: Sendable {
    let sessions: Sessions
    let logIns: LogIns
    let responses: ResponseBuilder

    private var store: any AccountStore { sessions.store }

    var routes: [Route] {
        let logIn = RoutePolicy.parse.with { ($0.signIn, $0.sessions) = (.logIn, .ignored) }
        let passwordTest = RoutePolicy.parse.with { ($0.signIn, $0.sessions) = (.passwordTest, .ignored) }
        return [
            Route(.post, "/requestPasswordReset", "requestPasswordReset", .parse) { _ in throw Self.noMail },
            Route(.post, "/verificationEmailRequest", "requestVerificationEmail", .parse) { _ in throw Self.noMail },
            Route(.post, "/login", "logIn", logIn, self.logIn),
            Route(.get, "/login", "logInByQuery", logIn.refusingReadOnlyKey, self.logIn),
            Route(.post, "/loginAs", "logInAs", .parse.loggingInAs, logInAs),
            Route(.post, "/verifyPassword", "verifyPassword", passwordTest, verify),
            Route(.get, "/verifyPassword", "verifyPasswordByQuery", passwordTest, verify),
            Route(.post, "/logout", "logOut", .parse, logOut),
            Route(.get, "/users/me", "getCurrentUser", .parse, me),
        ]
    }

    private static let noMail = ParseError(
        .internalServerError,
        "An appName, publicServerURL, and emailAdapter are required for password reset and email verification functionality."
    )

    private func logIn(_ request: RoutedRequest) throws -> RouteReply {
        let claim = try LogInClaim(request)
        // Of the identity providers, only anonymous ids are supported at a log-in.
        if let body = try? request.parse.body.fields {
            _ = try UserBody(["authData": body["authData"] ?? [:]], of: .master)
        }
        let session = sessions.new(
            "login", by: "password", installationId: request.parse.credentials.installationId)
        return .later {
            let user = try await logIns.logIn(claim, opening: session, as: request.principal)
            return responses.json(Self.shown(try readable(user, as: request.principal), with: session.token))
        }
    }

    private func verify(_ request: RoutedRequest) throws -> RouteReply {
        let claim = try LogInClaim(request)
        return .later {
            let user = try await logIns.logIn(claim, opening: nil, as: request.principal)
            return responses.json(try readable(user, as: request.principal))
        }
    }

    /// Opens a session for a user without a password. Requires the master key.
    private func logInAs(_ request: RoutedRequest) throws -> RouteReply {
        guard request.principal.isMaster else {
            throw ParseError.denial(.operationForbidden, "master key is required")
        }
        let userId = try request.parse.body.fields["userId"] ?? request.parse.parameters["userId"]
        guard userId?.isTruthy == true else {
            throw ParseError(.invalidValue, "userId must not be empty, null, or undefined")
        }
        let session = sessions.new(
            "login", by: "masterkey", installationId: request.parse.credentials.installationId)
        return .later { [store, responses] in
            guard let account = try userId?.string.flatMap({ try store.account($0) }) else {
                throw ParseError(.objectNotFound, "user not found")
            }
            _ = try await store.open(session, of: account.userId)
            return responses.json(Self.shown(account.user, with: session.token))
        }
    }

    private func logOut(_ request: RoutedRequest) throws -> RouteReply {
        guard let token = request.parse.credentials.sessionToken else { return .now(responses.json([:])) }
        return .later { [store, responses] in
            try await store.endSession(of: token)
            return responses.json([:])
        }
    }

    private func me(_ request: RoutedRequest) throws -> RouteReply {
        guard let token = request.parse.credentials.sessionToken,
            let session = try store.session(of: token), let account = try store.account(session.user.objectId)
        else { throw ParseError.noSession }
        // As on a Parse Server, the answer has the form of an included object.
        var user = try readable(account.user, as: request.principal)
        (user["__type"], user["className"]) = ("Object", "_User")
        return .now(responses.json(Self.shown(user, with: token)))
    }

    /// The fields of a user's own object that the user may read. As on Parse Server 9, a log-in shows no more than a
    /// GET of that object. If the user may not read the object, only the id and the dates are shown.
    private func readable(_ user: JSONObject, as principal: Principal) throws -> JSONObject {
        guard !principal.readsEverything, let userId = user["objectId"]?.string else { return user }
        if let fields = try store.ownFields(of: userId) { return fields }
        var shown = JSONObject()
        for name in ["objectId", "createdAt", "updatedAt"] { shown[name] = user[name] }
        return shown
    }

    private static func shown(_ user: JSONObject, with token: String) -> JSONObject {
        var shown = user
        shown["sessionToken"] = .string(token)
        return shown
    }
}

/// The policies of log-in routes, which are the same in every product.
extension RoutePolicy {
    /// The policy of a log-in by GET. It refuses the read-only master key, because a log-in opens a session.
    var refusingReadOnlyKey: RoutePolicy { with { $0.readOnlyKey = .nothing(action: nil) } }

    var loggingInAs: RoutePolicy {
        with { ($0.signIn, $0.readOnlyKey) = (.logInAs, .nothing(action: "login as another user")) }
    }
}
