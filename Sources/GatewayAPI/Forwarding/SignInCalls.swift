import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel
import RemoteService
import StoreService

/// Sends log-ins and sign-ups to the remote, and answers log-ins here while the remote cannot be reached.
struct SignInCalls: Sendable {
    let offline: any OfflineSignIn
    let responses: ResponseBuilder

    /// The error of a log-in while the remote cannot be reached, in a gateway without `--offline-login`.
    static func unanswered(_ reason: String) -> APIError {
        .remoteUnreachable(
            reason: reason.sentence + " Without the remote, users can log in only at a gateway with --offline-login.")
    }

    static func isLogIn(_ request: RoutedRequest) -> Bool { request.route.policy.signIn == .logIn }

    /// Whether a request only tests a password (`/verifyPassword`). If the remote refuses the password, the verifier
    /// for offline log-ins is removed, as after a refused log-in.
    static func testsPassword(_ request: RoutedRequest) -> Bool { request.route.policy.signIn == .passwordTest }

    /// Whether a request signs its user in.
    static func concerns(_ request: RoutedRequest) -> Bool {
        if isLogIn(request) { return true }
        // With the master key, a sign-up opens no session.
        guard !request.principal.isMaster, let target = request.objects else { return false }
        return target.className == "_User" && target.kind == .create
    }

    /// The name with which a request signs in or up; nil for a request without a name, for example one with `authData` alone.
    static func name(in request: RoutedRequest) -> LogInName? { (try? LogInClaim(request))?.name }

    /// The name and the password of a request without further credentials; nil for another request.
    private func claim(_ request: RoutedRequest) -> LogInClaim? {
        if case .object(let body) = request.parse.body, body["authData"]?.isTruthy == true { return nil }
        return try? LogInClaim(request)
    }

    /// Answers a log-in while the remote cannot be reached.
    /// - Throws: the errors of `OfflineSignIn.logIn`; `APIError.remoteUnreachable` for a request that only the remote can answer.
    func answer(_ request: RoutedRequest) async throws -> HTTPServerResponse {
        // No user has an empty password.
        if Self.isLogIn(request), LogInClaim.hasEmptyPassword(request) { throw ParseError.wrongPassword }
        guard Self.isLogIn(request), let claim = claim(request) else {
            throw APIError.remoteUnreachable(reason: "The remote cannot be reached, and only it can answer this.")
        }
        var response = responses.json(try await offline.logIn(claim))
        response.headers[.tidegateOffline] = "true"
        return response
    }

    /// The fact that an answer of the remote shows about a user's name and password.
    enum Lesson {
        /// The remote has opened a session.
        case accepted(user: JSONObject, id: String, at: ParseDate?, changeCount: Int)
        /// The remote has refused the name or the password.
        case refused
    }

    /// Classifies an answer of the remote. Called as soon as the answer has arrived.
    func lesson(of answer: RemoteAnswer, to request: RoutedRequest) -> Lesson? {
        guard let fields = try? JSONReader.read(answer.body).object else { return nil }
        if answer.status.kind == .successful {
            guard fields["sessionToken"]?.string != nil, let id = fields["objectId"]?.string else { return nil }
            let time = answer.headers[.date].flatMap { ParseDate(httpDate: $0) }
            return .accepted(user: fields, id: id, at: time, changeCount: offline.changeCount(of: id))
        }
        let isRefusal =
            (Self.isLogIn(request) || Self.testsPassword(request))
            && fields["code"]?.int == ParseError.Code.objectNotFound.rawValue
        return isRefusal ? .refused : nil
    }

    /// Stores or removes the verifier with which a user can log in offline, according to an answer of the remote.
    func note(_ lesson: Lesson, of request: RoutedRequest) async {
        switch (lesson, claim(request)) {
        case (.accepted(let user, _, let time, let changeCount), let claim?):
            await offline.noteAccepted(claim, user: user, at: time, changeCount: changeCount)
        case (.accepted(_, let id, _, _), nil): await offline.noteChange(of: id)
        case (.refused, let claim?): await offline.noteRefused(claim)
        case (.refused, nil): break
        }
    }
}
