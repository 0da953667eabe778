import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel
import RemoteService

/// Sends log-ins and sign-ups to the remote, and answers log-ins here while the remote cannot be reached.
struct SignInCalls: Sendable {
    let offline: any OfflineSignIn
    let responses: ResponseBuilder

    private static let logIns: Set<String> = ["logIn", "logInByQuery"]

    /// Whether the remote's answer to a request teaches how its user signs in.
    static func concerns(_ request: RoutedRequest) -> Bool {
        request.principal == .public && (logIns.contains(request.route.name) || request.route.name == "signUp")
    }

    /// The name and the password of a request without further credentials; nil for another request.
    private func claim(_ request: RoutedRequest) -> LogInClaim? {
        if case .object(let body) = request.parse.body, body["authData"]?.isTruthy == true { return nil }
        return try? LogInClaim(request)
    }

    /// The answer while the remote cannot be reached.
    /// - Throws: the errors of `OfflineSignIn.logIn`; `APIError.remoteUnreachable` for a request that only the remote can answer.
    func answer(_ request: RoutedRequest) async throws -> HTTPServerResponse {
        guard Self.logIns.contains(request.route.name), let claim = claim(request) else {
            throw APIError.remoteUnreachable(reason: "The remote cannot be reached, and only it can answer this.")
        }
        var response = responses.json(try await offline.logIn(claim))
        response.headers[.tidegateOffline] = "true"
        return response
    }

    /// Learns from the remote's answer.
    func note(_ answer: RemoteAnswer, to request: RoutedRequest) async {
        guard let fields = try? JSONReader.read(answer.body).object else { return }
        if answer.status.kind == .successful {
            guard fields["sessionToken"]?.string != nil, let id = fields["objectId"]?.string else { return }
            let time = answer.headers[.date].flatMap { ParseDate(httpDate: $0) }
            if let claim = claim(request) {
                await offline.noteAccepted(claim, user: fields, at: time)
            } else {
                await offline.noteChange(of: id)
            }
        } else if Self.logIns.contains(request.route.name),
            fields["code"]?.int == ParseError.Code.objectNotFound.rawValue, let claim = claim(request)
        {
            await offline.noteRefused(claim)
        }
    }
}
