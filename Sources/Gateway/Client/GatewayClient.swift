import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel

/// The keys and the session of the requests of a command. Nil leaves out the header.
package struct GatewayCredentials: Sendable, Hashable {
    package var accessKey: String?
    package var masterKey: String?
    package var applicationId: String?
    /// The key of the gateway for REST clients.
    package var clientKey: String?
    package var sessionToken: String?

    package init(accessKey: String? = nil, masterKey: String? = nil) {
        self.accessKey = accessKey
        self.masterKey = masterKey
    }
}

/// Sends requests of the command line, for example of `tidegate status`, to a gateway.
package struct GatewayClient: Sendable {
    /// The base URL of the gateway without a trailing slash: `http://127.0.0.1:1338`.
    package let url: String
    package let credentials: GatewayCredentials
    private let transport: any HTTPTransport

    /// - Parameter transport: sends the requests; by default over the network, with libcurl.
    package init(
        url: String, credentials: GatewayCredentials = GatewayCredentials(),
        transport: any HTTPTransport = CurlTransport(configuration: .init())
    ) {
        self.url = url
        self.credentials = credentials
        self.transport = transport
    }

    /// Creates a client that sends its requests over the network, with libcurl.
    /// - Parameter stallTimeout: the maximum time without progress of a request.
    package init(_ address: GatewayAddress, credentials: GatewayCredentials, stallTimeout: Duration) {
        self.init(
            url: address.url, credentials: credentials,
            transport: CurlTransport(
                configuration: .init(
                    stallTimeout: stallTimeout, caBundle: address.caFile, publicKeyPin: address.publicKeyPin)))
    }

    /// Sends a request of Parse's API.
    /// - Parameters:
    ///   - path: the path with percent escapes, and the query.
    ///   - body: nil for a request without a body.
    package func call(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONObject? = nil
    ) async throws(GatewayClientError) -> JSONObject {
        let (status, object) = try await answer(to: method, path, body)
        guard status.kind == .successful else { throw refusal(status, object) }
        return object
    }

    /// Returns the response of `GET /sync`.
    package func status() async throws(GatewayClientError) -> JSONObject {
        let (status, object) = try await answer(to: .get, "/sync")
        guard status == .ok else { throw refusal(status, object) }
        return object
    }

    /// Returns the users of a replica, the `results` of `GET /sync/users`. Needs the master key.
    package func usersOfReplica() async throws(GatewayClientError) -> [JSONObject] {
        try await call(.get, "/sync/users")["results"]?.array?.compactMap(\.object) ?? []
    }

    /// Whether the gateway accepts the client's master key.
    /// - Returns: false if it refuses the key, or answers without the rights of a key.
    package func hasMasterKey() async throws(GatewayClientError) -> Bool {
        let (status, object) = try await answer(to: .get, "/principal")
        guard status == .ok else { return false }
        return object["kind"]?.string.map { $0 != "public" } ?? false
    }

    /// Starts a sync and waits for its end.
    /// - Parameters:
    ///   - phase: `push` or `pull`; nil for both.
    ///   - audits: true to run a full audit.
    /// - Returns: the summary of `POST /sync?wait=true`; nil if the connection ends before the complete response.
    package func sync(phase: String? = nil, audits: Bool = false) async throws(GatewayClientError) -> JSONObject? {
        let (status, object): (HTTPResponse.Status, JSONObject)
        do {
            let options = (phase.map { "&phase=\($0)" } ?? "") + (audits ? "&audit=true" : "")
            (status, object) = try await answer(to: .post, "/sync?wait=true\(options)")
        } catch {
            guard case .interrupted = error else { throw error }
            return nil
        }
        guard status == .ok else { throw refusal(status, object) }
        return object
    }

    /// Sends a request with a file or for a file.
    /// - Parameters:
    ///   - file: the body; nil for none.
    ///   - key: the maintenance key to send in place of the master key; nil to send the master key.
    ///   - sink: receives the body of the answer.
    /// - Returns: the headers of the answer.
    @discardableResult
    func transfer(
        _ method: HTTPRequest.Method, _ path: String, accept: String, file: HTTPClientRequest.BodyFile?, key: String?,
        headers added: HTTPFields = [:], into sink: @escaping HTTPResponseSink
    ) async throws(GatewayClientError) -> HTTPFields {
        var own = credentials
        if key != nil { own.masterKey = nil }
        var headers = Self.headers(own, accept: accept)
        headers[.parseMaintenanceKey] = key
        headers.append(contentsOf: added)
        if file != nil, headers[.contentType] == nil { headers[.contentType] = "application/octet-stream" }
        let request = HTTPClientRequest(
            method: method, url: url + path, headers: headers, bodyFile: file, isRepeatable: method == .get)
        let response: HTTPClientResponse
        do { response = try await transport.send(request, into: sink) } catch { throw failure(error) }
        guard response.status.kind == .successful else {
            guard let object = try? JSONReader.read(response.body).object else {
                // As on a Parse Server, the answer for a missing file is no JSON.
                guard response.status != .notFound else {
                    throw .refused(status: response.status.code, code: nil, message: "Not found.")
                }
                throw .notAGateway(url: url)
            }
            throw refusal(response.status, object)
        }
        return response.headers
    }

    private func failure(_ error: HTTPTransportError) -> GatewayClientError {
        switch error {
        case .notSent(let reason), .forbidden(let reason): .unreachable(url: url, reason: reason)
        case .outcomeUnknown(let reason), .tooLong(let reason): .interrupted(url: url, reason: reason)
        }
    }

    private func answer(
        to method: HTTPRequest.Method, _ path: String, _ body: JSONObject? = nil
    ) async throws(GatewayClientError) -> (HTTPResponse.Status, JSONObject) {
        var headers = Self.headers(credentials, accept: "application/json")
        if body != nil { headers[.contentType] = "application/json" }
        let request = HTTPClientRequest(
            method: method, url: url + path, headers: headers, body: body?.jsonBytes ?? [],
            isRepeatable: method == .get)
        let response: HTTPClientResponse
        do { response = try await transport.send(request) } catch { throw failure(error) }
        guard let object = try? JSONReader.read(response.body).object else { throw .notAGateway(url: url) }
        return (response.status, object)
    }

    private static func headers(_ credentials: GatewayCredentials, accept: String) -> HTTPFields {
        var headers: HTTPFields = [.accept: accept]
        // With a master key in the place of the access key, a gateway needs neither the application id nor another key.
        headers[.tidegateAccessKey] = credentials.masterKey ?? credentials.accessKey
        headers[.parseMasterKey] = credentials.masterKey
        headers[.parseApplicationId] = credentials.applicationId
        headers[.parseRESTKey] = credentials.clientKey
        headers[.parseSessionToken] = credentials.sessionToken
        return headers
    }

    private func refusal(_ status: HTTPResponse.Status, _ object: JSONObject) -> GatewayClientError {
        guard let message = object["error"]?.string else { return .notAGateway(url: url) }
        return .refused(status: status.code, code: object["code"]?.int, message: message)
    }
}

/// An error of a request to a gateway. The description is one line.
package enum GatewayClientError: Error, Sendable, Hashable, CustomStringConvertible {
    case unreachable(url: String, reason: String)
    case interrupted(url: String, reason: String)
    /// The gateway has responded with an error.
    /// - Parameter code: the Parse error code; nil if the response has none.
    case refused(status: Int, code: Int?, message: String)
    case notAGateway(url: String)

    package var description: String {
        switch self {
        case .unreachable(let url, let reason) where url.hasPrefix("https:") && reason.contains("certificate"):
            "the certificate of the gateway at \(url) is not trusted (\(reason)); name the certificate with --ca, or the data "
                + "directory of the gateway with --data"
        case .unreachable(let url, let reason):
            "no gateway responds at \(url) (\(reason)); is 'tidegate serve' running?"
        case .interrupted(let url, let reason):
            "the connection to the gateway at \(url) ended before its response was complete (\(reason))"
        case .refused(403, nil, let message):
            "the gateway refuses the request (\(message)); check the master key, or set TIDEGATE_ACCESS_KEY if the gateway has an access key"
        case .refused(_, _, let message): message
        case .notAGateway(let url): "the server at \(url) is not a Tidegate gateway"
        }
    }
}
