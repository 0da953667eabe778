import HTTPServer
import HTTPTypes
import ParseModel

/// Calls that only the remote can answer: cloud code, jobs, pushes, hooks, mails, users' sign-up and log-in.
///
/// They reach it with the caller's own credentials, and its answer goes back as it is.
struct ForwardedCalls: Sendable {
    /// Nil where the program has no way to the remote.
    let remote: (any RemoteCalls)?
    let answers: Answers
    let keyCheck: KeyCheck

    /// Headers of a remote's answer that mean something to a local client, beside its content type.
    private static let handedBack: Set<HTTPField.Name> = [.retryAfter, .parseJobStatusId, .parsePushStatusId]
    private static let rateLimits = ["ratelimit", "x-ratelimit-"]

    /// - Throws: `APIError` where the remote gave no answer.
    func answer(_ call: Call) async throws(APIError) -> HTTPServerResponse {
        guard let remote else { throw .remoteUnreachable(reason: "This gateway has no way to its remote.") }
        guard call.http.headers[.tidegateForwarded] == nil else {
            throw .remoteUnreachable(
                reason:
                    "The call comes from another replica: only a Parse Server or a standalone gateway may be a remote.")
        }
        return response(to: call, try await remote.call(request(call)))
    }

    private func request(_ call: Call) -> RemoteCall {
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
        let (method, query, body) = reads ? Self.reading(call) : (call.parse.verb, call.http.query, Self.body(call))
        let path = call.path.segments.map { "/" + PercentCoding.encodedPathSegment($0) }.joined()
        return RemoteCall(
            method: method, target: path + (query.map { "?" + $0 } ?? ""), headers: headers, body: body,
            masterKey: credentials.masterKey, isOwnMasterKey: credentials.masterKey.map(keyCheck.isOwnKey) ?? false,
            isRepeatable: reads)
    }

    /// Parameters of a read travel in a body, where no log of a proxy has them: some hold passwords.
    private static func reading(_ call: Call) -> (HTTPRequest.Method, String?, [UInt8]) {
        // In a body a Parse Server does not look for JSON inside of texts.
        var body = call.endpoint.searches ? call.parse.searchParameters : call.parse.parameters
        guard !body.isEmpty else { return (.get, nil, []) }
        body["_method"] = "GET"
        return (.post, nil, body.jsonBytes)
    }

    /// Without the credentials of its sender.
    private static func body(_ call: Call) -> [UInt8] {
        guard case .object(let object) = call.parse.body else { return call.http.body }
        return object.jsonBytes
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
