import HTTPServer
import HTTPTypes
import LocalStore
import ParseModel

/// Calls that only the remote can answer: cloud code, jobs, pushes, hooks, mails, users' sign-up and log-in.
///
/// They reach it with the caller's own credentials, and its answer goes back as it is.
struct ForwardedCalls: Sendable {
    /// Nil where the program has no way to the remote.
    let remote: (any RemoteCalls)?
    let answers: Answers
    let keyCheck: KeyCheck
    /// Nil where nothing waits to be sent.
    let control: (any SyncControl)?
    let names: CallNames
    let waits: RemoteWaits

    /// Headers of a remote's answer that mean something to a local client, beside its content type.
    private static let handedBack: Set<HTTPField.Name> = [.retryAfter, .parseJobStatusId, .parsePushStatusId]
    private static let rateLimits = ["ratelimit", "x-ratelimit-"]

    /// Earlier writes that may matter to the call go out first.
    /// - Throws: `APIError` where the remote gave no answer, where earlier writes have not reached it in time, and where as many
    ///   requests wait for the remote as may.
    func answer(_ call: Call) async throws -> HTTPServerResponse {
        try await waits.hold { try await answerOfRemote(to: call) }
    }

    private func answerOfRemote(to call: Call) async throws -> HTTPServerResponse {
        guard call.http.headers[.tidegateForwarded] == nil else {
            throw APIError.remoteUnreachable(
                reason:
                    "The call comes from another replica: only a Parse Server or a standalone gateway may be a remote.")
        }
        let marks = OperationMarks(try await control?.opFields() ?? [:])
        try marks.check(call)
        let isInsisted = call.http.headers[.tidegateForward] == "now"
        if !isInsisted, call.endpoint.waitsForQueuedWrites(isRead: call.parse.method == .get) {
            try await control?.letQueuedWritesPass(naming: CallNames.things(in: call))
        }
        let emptied = call.endpoint.emptiesClass ? call.parameters.first : nil
        let known = emptied == nil ? [] : try await control?.idsOnRemote(of: call.parameters[0]) ?? []
        let request = try request(call, isInsisted: isInsisted)
        guard let remote else { throw APIError.remoteUnreachable(reason: "This gateway has no way to its remote.") }
        var answer = try await remote.call(request)
        answer.body = marks.hidden(in: answer.body, answering: call)
        if answer.status.kind == .successful {
            if let emptied { try await control?.remoteHasDropped(known, of: emptied) }
            if call.endpoint.changesSchema { await control?.remoteSchemaHasChanged() }
        }
        return response(to: call, answer)
    }

    private func request(_ call: Call, isInsisted: Bool) throws -> RemoteCall {
        let names = try names.names(in: call)
        let credentials = call.parse.credentials
        var headers: HTTPFields = [
            .accept: "application/json", .contentType: "application/json", .tidegateForwarded: "true",
        ]
        headers[.parseSessionToken] = credentials.sessionToken
        headers[.parseInstallationId] = credentials.installationId
        headers[.parseClientVersion] = credentials.clientVersion
        headers[.parseRevocableSession] = credentials.revocableSession
        headers[.parseCloudContext] = credentials.context
        let reads = call.parse.method == .get
        let (method, query, body) = reads ? try reading(call, names) : try writing(call, names)
        let path = self.names.path(of: call, names).map { "/" + PercentCoding.encodedPathSegment($0) }.joined()
        return RemoteCall(
            method: method, target: path + (query.map { "?" + $0 } ?? ""), headers: headers, body: body,
            masterKey: credentials.masterKey, isOwnMasterKey: credentials.masterKey.map(keyCheck.isOwnKey) ?? false,
            isRepeatable: reads, isInsisted: isInsisted)
    }

    /// Parameters of a read travel in a body, where no log of a proxy has them: some hold passwords.
    private func reading(_ call: Call, _ names: RemoteNames) throws -> (HTTPRequest.Method, String?, [UInt8]) {
        // In a body a Parse Server does not look for JSON inside of texts.
        let parameters = call.endpoint.searches ? call.parse.searchParameters : call.parse.parameters
        var body = try self.names.translated(parameters, names)
        guard !body.isEmpty else { return (.get, nil, []) }
        body["_method"] = "GET"
        return (.post, nil, body.jsonBytes)
    }

    /// Without the credentials of its sender.
    private func writing(_ call: Call, _ names: RemoteNames) throws -> (HTTPRequest.Method, String?, [UInt8]) {
        let query = try self.names.translated(query: call.http.query, names)
        guard case .object(let object) = call.parse.body else { return (call.parse.verb, query, call.http.body) }
        return (call.parse.verb, query, try self.names.translated(object, names).jsonBytes)
    }

    private func response(to call: Call, _ answer: RemoteAnswer) -> HTTPServerResponse {
        var headers = answers.commonHeaders
        let type = answer.headers[.contentType]
        // A page of a proxy that stands before the remote must not become one of this gateway's.
        let isJSON = type?.lowercased().hasPrefix("application/json") == true
        headers[.contentType] = isJSON || type == nil ? type : "text/plain; charset=utf-8"
        for field in answer.headers {
            let name = field.name.canonicalName
            if Self.handedBack.contains(field.name) || Self.rateLimits.contains(where: name.hasPrefix) {
                headers.append(field)
            }
        }
        headers[.location] = answer.location.map { call.base + $0 }
        return HTTPServerResponse(status: answer.status, headers: headers, body: answer.body)
    }
}

extension ParseRequest {
    /// The method meant, as HTTP has it.
    fileprivate var verb: HTTPRequest.Method {
        switch method {
        case .put: .put
        case .delete: .delete
        case .get, .post, nil: .post
        }
    }
}

extension Call {
    /// What goes before the paths of Parse in an address: scheme, host and prefix.
    var base: String { "http://\(http.headers[.hostName] ?? "")\(path.prefix)" }
}
