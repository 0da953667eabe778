import HTTPTypes
import ParseModel
import RemoteService

/// Sends sign-ups to the remote. If the answer to a sign-up was lost, the remote refuses its repetition, because the account exists. Then
/// a log-in with the same password shows that the account is that of this sign-up, and its session answers the repetition.
struct SignUpCalls: Sendable {
    let remote: any RemoteCalls
    let lost: LostSignUps

    /// The tolerance when the time of a creation is compared with the header `Date`, which has whole seconds.
    private static let clockSlack = Duration.seconds(2)

    /// - Throws: as `RemoteCalls.call`.
    func answer(to request: RoutedRequest, _ call: RemoteCall) async throws(APIError) -> RemoteAnswer {
        guard let attempt = lost.attempt(of: request), let claim = SignUpClaim(request) else {
            return try await remote.call(call)
        }
        let answer: RemoteAnswer
        do { answer = try await remote.call(call) } catch {
            switch error {
            case .remoteSilent, .remoteUnusable: lost.add(attempt)
            default: break
            }
            throw error
        }
        if answer.status.kind == .serverError { lost.add(attempt) }
        if answer.status.kind == .successful { lost.remove(attempt) }
        guard answer.code == ParseError.Code.usernameTaken, let earlier = lost.earlier(than: attempt) else {
            return answer
        }
        // A sign-up with the master key opens no session. If the fields differ, the account was not created by this
        // request.
        guard !request.principal.isMaster, call.masterKey == nil, attempt.isEqual(to: earlier) else {
            return answer.refusing(Self.mayExist)
        }
        return await logIn(claim, answer, call, earlier)
    }

    /// Logs the user in, and answers like a first sign-up.
    /// - Parameter refusal: the answer to the repeated sign-up.
    private func logIn(
        _ claim: SignUpClaim, _ refusal: RemoteAnswer, _ call: RemoteCall, _ earlier: LostSignUps.Attempt
    ) async -> RemoteAnswer {
        var logIn = call
        (logIn.method, logIn.target, logIn.form) = (.post, "/login", .logIn)
        logIn.headers[.parseSessionToken] = nil
        let body: JSONObject = ["username": .string(claim.username), "password": .string(claim.password)]
        logIn.body = body.jsonBytes
        guard let answer = try? await remote.call(logIn) else { return refusal.refusing(Self.mayExist) }
        guard answer.status.kind == .successful, let user = try? JSONReader.read(answer.body).object else {
            switch answer.code {
            // The account has another password.
            case ParseError.Code.objectNotFound: return refusal
            // The password is right, but the remote requires a verified e-mail address.
            case ParseError.Code.emailNotFound: return refusal.refusing(Self.exists)
            default: return refusal.refusing(Self.mayExist)
            }
        }
        guard let id = user["objectId"], let created = user["createdAt"]?.string, let token = user["sessionToken"],
            let createdAt = ParseDate(iso: created),
            let now = answer.headers[.date].flatMap({ ParseDate(httpDate: $0) }),
            createdAt >= now - lost.age(of: earlier) - Self.clockSlack
        else {
            await end(user["sessionToken"]?.string, logIn)
            return refusal
        }
        let made: JSONObject = ["objectId": id, "createdAt": .string(created), "sessionToken": token]
        return RemoteAnswer(
            status: .created, headers: answer.headers, body: made.jsonBytes,
            location: "/users/\(PercentCoding.encodedPathSegment(id.string ?? ""))")
    }

    /// Ends the session of an account that was created before the first attempt, and therefore by another sign-up.
    private func end(_ token: String?, _ logIn: RemoteCall) async {
        var logOut = logIn
        (logOut.target, logOut.form, logOut.body) = ("/logout", .object, Array("{}".utf8))
        logOut.headers[.parseSessionToken] = token
        _ = try? await remote.call(logOut)
    }

    private static let exists =
        "Account already exists for this username: an earlier attempt of this sign-up created it, and the answer was lost. Log in with the same password."
    private static let mayExist =
        "Account already exists for this username. An earlier attempt of this sign-up may have created it, because its answer was lost. Try to log in."
}

extension RemoteAnswer {
    /// The error code of a refusal; nil for another answer.
    fileprivate var code: ParseError.Code? {
        guard status.kind == .clientError else { return nil }
        return (try? JSONReader.read(body).object?["code"]?.int).map { ParseError.Code(rawValue: $0) }
    }

    /// The refusal with another message.
    fileprivate func refusing(_ words: String) -> RemoteAnswer {
        var answer = self
        answer.body =
            (["code": .int(ParseError.Code.usernameTaken.rawValue), "error": .string(words)] as JSONObject).jsonBytes
        return answer
    }
}
