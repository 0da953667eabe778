import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel
import RemoteService
import StoreService

/// Forwards requests that only the remote can answer, such as calls of cloud code, pushes, sign-ups and log-ins.
///
/// The remote receives the caller's session token. A master key is only passed on if it may be the remote's. The caller receives
/// the answer's status, a few of the answer's headers, and the body without operation ids.
struct ForwardedCalls: Sendable {
    /// Sends calls to the remote; nil in a standalone gateway, and if the remote answers no calls.
    let remote: (any RemoteCalls)?
    let responses: ResponseBuilder
    let keyCheck: KeyCheck
    /// The sync engine; nil in a standalone gateway, which has no queued writes.
    let control: (any SyncControl)?
    let names: CallNames
    let waits: RemoteWaits
    let lostSignUps: LostSignUps
    /// The maximum size in bytes of the objects that this gateway includes into an answer of the remote.
    let answerBytesMax: Int
    /// Receives the sessions that the remote opens and refuses; nil in a replica without users.
    var sessions: (any SessionObserver)?

    /// The headers of the remote's answer that are passed on to the client, besides the content type, the location and
    /// the headers of rate limits.
    private static let handedBack: Set<HTTPField.Name> = [.retryAfter, .parseJobStatusId, .parsePushStatusId]
    private static let rateLimits = ["ratelimit", "x-ratelimit-"]

    /// Waits until earlier local writes have reached the remote, if the route's policy requires this. Then forwards the request.
    /// - Throws: `APIError` if the remote gives no answer, if the earlier writes do not reach the remote in time, and if too many
    ///   requests wait for the remote. `ParseError` 108 (command unavailable) if this kind of remote answers no calls. Errors of
    ///   `HiddenOperationIds.check` and `CallNames.translated`.
    func answer(_ request: RoutedRequest) async throws -> HTTPServerResponse {
        var response = try await waits.hold { try await answerOfRemote(to: request) }
        // The remote itself has answered the write, so it has the change.
        if let preference = request.parse.preference, request.objects?.kind.isWrite == true,
            response.status.kind == .successful
        {
            response.note(.synced, as: preference)
        }
        return response
    }

    private func answerOfRemote(to request: RoutedRequest) async throws -> HTTPServerResponse {
        guard request.http.headers[.tidegateForwarded] == nil else {
            throw APIError.remoteUnreachable(
                reason:
                    "The call comes from another replica: only a Parse Server or a standalone gateway may be a remote.")
        }
        guard let remote else {
            throw ParseError(
                .commandUnavailable, "Only the remote could answer this call, and this kind of remote answers no calls."
            )
        }
        let sendsSession = try sendsSession(of: request)
        let isSignIn = SignInCalls.concerns(request)
        let name = isSignIn ? SignInCalls.name(in: request) : nil
        if let name { try await sessions?.checkRoom(for: name) }
        let policy = request.route.policy.forwarding
        let marks = HiddenOperationIds(try await control?.opFields() ?? [:])
        try marks.check(request)
        let ignoresPause = request.http.headers[.tidegateForward] == "now"
        if !ignoresPause, policy.waitsForQueuedWrites(isRead: request.parse.method == .get) {
            try await control?.waitForQueuedWrites(naming: CallNames.things(in: request), by: request.principal)
        }
        var call = try call(of: request, ignoresPause: ignoresPause)
        if !sendsSession { call.headers[.parseSessionToken] = nil }
        let signIn = isSignIn ? signInCalls : nil
        var answer: RemoteAnswer
        if let signIn, SignInCalls.isLogIn(request) {
            guard let given = try await remote.callIfReachable(call) else { return try await signIn.answer(request) }
            answer = given
        } else if policy.emptiesClass, let className = request.parameters.first {
            answer = try await given(by: remote, emptying: className, to: call, request)
        } else {
            answer = try await ForwardedIncludes(remote: remote, store: names.store, bytesMax: answerBytesMax).answer(
                to: request, call
            ) { try await given(by: remote, to: call, request) }
        }
        let teacher = signIn ?? (SignInCalls.testsPassword(request) ? signInCalls : nil)
        let lesson = teacher?.lesson(of: answer, to: request)
        answer.body = marks.hidden(in: answer.body, answering: request)
        await noteSession(in: answer, to: request)
        // A sign-in without a name, for example an anonymous one: only the answer shows the user.
        if isSignIn, name == nil, let token = Self.session(in: answer) {
            try await sessions?.checkRoom(forSession: token)
        }
        if let lesson { await teacher?.note(lesson, of: request) }
        await noteAccountChange(in: answer, to: request)
        await noteSessionChange(in: answer, to: request)
        if answer.status.kind == .successful, policy.changesSchema { await control?.noteRemoteSchemaChange() }
        return response(to: request, answer)
    }

    private func given(
        by remote: any RemoteCalls, to call: RemoteCall, _ request: RoutedRequest
    ) async throws -> RemoteAnswer {
        do {
            return try await SignUpCalls(remote: remote, lost: lostSignUps).answer(to: request, call)
        } catch {
            guard case .remoteUnreachable(let reason) = error, sessions != nil, SignInCalls.isLogIn(request) else {
                throw error
            }
            if LogInClaim.hasEmptyPassword(request) { throw ParseError.wrongPassword }
            throw SignInCalls.unanswered(reason)
        }
    }

    /// The remote's answer to a call that empties a class. No sync runs during the call: a sync could read objects
    /// before the call, and store them after it.
    private func given(
        by remote: any RemoteCalls, emptying className: String, to call: RemoteCall, _ request: RoutedRequest
    ) async throws -> RemoteAnswer {
        guard let control else { return try await given(by: remote, to: call, request) }
        return try await control.withoutSyncs {
            let known = try await control.idsOnRemote(of: className)
            let answer = try await given(by: remote, to: call, request)
            if answer.status.kind == .successful { try await control.noteRemoteDeletion(known, of: className) }
            return answer
        }
    }

    private var signInCalls: SignInCalls? {
        sessions?.offlineSignIn.map { SignInCalls(offline: $0, responses: responses) }
    }

    /// Whether the remote gets the session token of a request.
    /// - Throws: `APIError.remoteUnreachable` if the request needs a session, and the remote does not know this one.
    private func sendsSession(of request: RoutedRequest) throws -> Bool {
        guard let token = request.parse.credentials.sessionToken, try sessions?.isFromHere(token) == true else {
            return true
        }
        guard request.route.policy.ignoresSession else {
            throw APIError.remoteUnreachable(
                reason:
                    "This session was opened without the remote, which does not know it: log in again to use this call."
            )
        }
        return false
    }

    /// Removes the verifier with which a user can log in offline, if the answer shows a change after which an earlier
    /// password must not open a session.
    private func noteAccountChange(in answer: RemoteAnswer, to request: RoutedRequest) async {
        guard let offline = sessions?.offlineSignIn, answer.status.kind == .successful,
            request.objects?.className == "_User", let id = request.objects?.objectId
        else { return }
        let body: JSONObject = if case .object(let body) = request.parse.body { body } else { [:] }
        let isChange = request.parse.method == .put && (body["password"] != nil || body["authData"] != nil)
        if isChange || request.parse.method == .delete { await offline.noteChange(of: id) }
    }

    /// Ends or checks the sessions that a call has ended or may have ended.
    private func noteSessionChange(in answer: RemoteAnswer, to request: RoutedRequest) async {
        guard let sessions, answer.status.kind == .successful else { return }
        let token = request.parse.credentials.sessionToken
        let isDeletion = request.parse.method == .delete
        switch (request.objects?.className, token) {
        case (_, let token?) where request.route.policy.forwarding.endsSession: await sessions.noteEnded(token)
        case ("_Session", let token?) where isDeletion: await sessions.refresh(token)
        // A new password ends all sessions of the user, and the answer contains a new one.
        case ("_User", let token?) where request.parse.method == .put && !request.principal.isMaster:
            await sessions.refresh(Self.session(in: answer) ?? token)
            if let id = request.objects?.objectId, request.principal.user?.objectId != id {
                await sessions.confirmSessions(of: id)
            }
        // A change with the master key, or a deletion. The remote accepts no session of a deleted user.
        case ("_User", _) where isDeletion || request.parse.method == .put:
            guard let id = request.objects?.objectId else { return }
            if let token, request.principal.user?.objectId == id { await sessions.noteEnded(token) }
            await sessions.confirmSessions(of: id)
        default: break
        }
    }

    /// The session that the remote has opened; nil for none. Most answers have no session, and are not parsed.
    private static func session(in answer: RemoteAnswer) -> String? {
        guard answer.body.firstRange(of: sessionMember) != nil else { return nil }
        return (try? JSONReader.read(answer.body).object)?["sessionToken"]?.string
    }

    private static let sessionMember = Array(#""sessionToken""#.utf8)

    /// Tells `sessions` about a session that the remote has opened, for example by a log-in, or refused.
    private func noteSession(in answer: RemoteAnswer, to request: RoutedRequest) async {
        guard let sessions else { return }
        if answer.status.kind == .successful {
            // Answers about the own user repeat the caller's own token, which is already known.
            if let token = Self.session(in: answer), token != request.parse.credentials.sessionToken {
                await sessions.noteOpened(token)
            }
        } else if let token = request.parse.credentials.sessionToken, answer.body.count < 1000,
            let code = try? JSONReader.read(answer.body).object?["code"]?.int,
            code == ParseError.Code.invalidSessionToken.rawValue
        {
            await sessions.noteRefused(token)
        }
    }

    private func call(of request: RoutedRequest, ignoresPause: Bool) throws -> RemoteCall {
        let names = try names.names(in: request)
        let credentials = request.parse.credentials
        var headers: HTTPFields = [
            .accept: "application/json", .contentType: "application/json", .tidegateForwarded: "true",
        ]
        headers[.parseSessionToken] = credentials.sessionToken
        headers[.parseInstallationId] = credentials.installationId
        headers[.parseClientVersion] = credentials.clientVersion
        headers[.parseRevocableSession] = credentials.revocableSession
        headers[.parseCloudContext] = credentials.context
        let reads = request.parse.method == .get
        let (method, query, body) = reads ? try reading(request, names) : try writing(request, names)
        let path = self.names.path(of: request, names).map { "/" + PercentCoding.encodedPathSegment($0) }.joined()
        return RemoteCall(
            method: method, target: path + (query.map { "?" + $0 } ?? ""), headers: headers, body: body,
            masterKey: credentials.masterKey, isOwnMasterKey: credentials.masterKey.map(keyCheck.isOwnKey) ?? false,
            isRepeatable: reads, ignoresPause: ignoresPause, form: AnswerForm(answering: request))
    }

    /// The method, query and body of a read. The parameters are sent in the body, because proxies log URLs and some
    /// parameters are passwords.
    private func reading(
        _ request: RoutedRequest, _ names: RemoteNames
    ) throws -> (HTTPRequest.Method, String?, [UInt8]) {
        // The JSON text of search parameters is parsed here, because Parse Server does not parse JSON text inside a body.
        let parameters =
            request.route.policy.objects?.searches == true ? request.parse.searchParameters : request.parse.parameters
        var body = try self.names.translated(parameters, names)
        guard !body.isEmpty else { return (.get, nil, []) }
        body["_method"] = "GET"
        return (.post, nil, body.jsonBytes)
    }

    /// The method, query and body of a write. Credentials in the JSON body are left out.
    private func writing(
        _ request: RoutedRequest, _ names: RemoteNames
    ) throws -> (HTTPRequest.Method, String?, [UInt8]) {
        let query = try self.names.translated(query: request.http.query, names)
        guard case .object(let object) = request.parse.body else {
            return (request.parse.verb, query, request.http.body)
        }
        return (request.parse.verb, query, try self.names.translated(object, names).jsonBytes)
    }

    private func response(to request: RoutedRequest, _ answer: RemoteAnswer) -> HTTPServerResponse {
        var headers = responses.commonHeaders
        let type = answer.headers[.contentType]
        // An HTML page of a proxy in front of the remote must not appear as a page of this gateway.
        let isJSON = type?.lowercased().hasPrefix("application/json") == true
        headers[.contentType] = isJSON || type == nil ? type : "text/plain; charset=utf-8"
        for field in answer.headers {
            let name = field.name.canonicalName
            if Self.handedBack.contains(field.name) || Self.rateLimits.contains(where: name.hasPrefix) {
                headers.append(field)
            }
        }
        headers[.location] = answer.location.map { request.base + $0 }
        return HTTPServerResponse(status: answer.status, headers: headers, body: answer.body)
    }
}

extension ParseRequest {
    /// The HTTP method of a write.
    fileprivate var verb: HTTPRequest.Method {
        switch method {
        case .put: .put
        case .delete: .delete
        case .get, .post, nil: .post
        }
    }
}
