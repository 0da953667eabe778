import HTTPServer
import HTTPTypes
import ParseModel

/// A request as a Parse Server understands it: what SDKs hide in bodies taken out and put in its place.
struct ParseRequest: Sendable {
    /// The method meant: of `_method` in the body where a POST has one. Nil where it is none that any route has.
    let method: Route.Method?
    /// The query's parameters, as strings; in a GET also the body's, with their own types.
    let parameters: JSONObject
    let body: Body
    /// The keys that the body carries.
    let bodyKeys: [String]
    let sessionToken: String?
    /// `X-Tidegate-Sync: true`.
    let asksForSyncState: Bool

    enum Body: Sendable, Hashable {
        case object(JSONObject)
        case array
        case scalar

        /// Field values of an object.
        /// - Throws: `ParseError` as a Parse Server has it: an array's indexes are bad field names.
        var fields: JSONObject {
            get throws(ParseError) {
                switch self {
                case .object(let object): return object
                case .array: throw ParseError(.invalidFieldName, "Invalid field name: 0.")
                case .scalar: throw ParseError(.invalidJSON, "The body must be a JSON object.")
                }
            }
        }
    }

    /// What the JavaScript SDK puts into bodies in place of headers, beside keys and session token.
    private static let bodyOnlyNames: Set<String> = [
        "_method", "_ApplicationId", "_ClientVersion", "_InstallationId", "_RevocableSession", "_context",
        "_ContentType", "_noBody",
    ]
    private static let bodyKeyNames: Set<String> = [
        "_JavaScriptKey", "_MasterKey", "_MaintenanceKey", "_ClientKey", "_RESTAPIKey",
    ]

    /// - Throws: `APIError` for a body or query that cannot be read.
    init(_ request: HTTPServerRequest, limits: GatewayAPI.Limits) throws(APIError) {
        let query = try Self.parameters(request.query, limits: limits)
        var (body, credentials) = (Body.object([:]), JSONObject())
        if !request.body.isEmpty {
            body = try Self.body(of: request, limits: limits)
            if case .object(let object) = body { (body, credentials) = Self.withoutCredentials(object) }
        }
        method = Self.method(request.method, override: credentials["_method"]?.string)
        if method == .get, case .object(var parameters) = body {
            for (name, value) in query { parameters[name] = value }
            self.parameters = parameters
        } else {
            parameters = query
        }
        self.body = body
        bodyKeys = credentials.isEmpty ? [] : Self.bodyKeyNames.compactMap { credentials[$0]?.string }
        sessionToken = [request.headers[.parseSessionToken], credentials["_SessionToken"]?.string]
            .compactMap { $0 }.first { !$0.isEmpty }
        asksForSyncState = request.headers[.tidegateSync] == "true"
    }

    /// The keys that the headers carry: every value that may be the access key.
    static func headerKeys(_ headers: HTTPFields) -> [String] {
        var keys = [headers[.tidegateAccessKey]].compactMap { $0 }
        if let authorization = headers[.authorization] {
            let parts = authorization.split(separator: " ", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == "bearer" { keys.append(String(parts[1])) }
        }
        return keys + HTTPField.Name.parseKeys.compactMap { headers[$0] }
    }

    /// The parameters of a query, within the limit.
    static func parameters(_ query: String?, limits: GatewayAPI.Limits) throws(APIError) -> JSONObject {
        guard let query, !query.isEmpty else { return [:] }
        guard query.utf8.count <= limits.queryBytesMax else { throw .queryTooLong(bytesMax: limits.queryBytesMax) }
        return PercentCoding.parameters(ofQuery: query)
    }

    /// Content types are not looked at: SDKs send JSON as `text/plain`, and curl as a form.
    private static func body(of request: HTTPServerRequest, limits: GatewayAPI.Limits) throws(APIError) -> Body {
        if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" { throw .encodedBody }
        do {
            return switch try JSONReader.read(request.body, depthMax: limits.nestingMax + batchNesting(request)) {
            case .object(let object): .object(object)
            case .array: .array
            default: .scalar
            }
        } catch {
            let reason = (error as? JSONReader.SyntaxError)?.message ?? "The body is not JSON."
            throw .malformedBody(reason: reason)
        }
    }

    /// What stands around an object in a batch: `{"requests":[{"body":…`.
    private static func batchNesting(_ request: HTTPServerRequest) -> Int { request.path.hasSuffix("/batch") ? 3 : 0 }

    private static func withoutCredentials(_ object: JSONObject) -> (Body, JSONObject) {
        guard object.contains(where: { $0.key.hasPrefix("_") }) else { return (.object(object), [:]) }
        var credentials = JSONObject()
        for (name, value) in object where isCredential(name) { credentials[name] = value }
        var rest = object
        rest.removeAll(where: isCredential)
        return (.object(rest), credentials)
    }

    private static func isCredential(_ name: String) -> Bool {
        name == "_SessionToken" || bodyOnlyNames.contains(name) || bodyKeyNames.contains(name)
    }

    private static func method(_ method: HTTPRequest.Method, override: String?) -> Route.Method? {
        if method == .post, let override { return Route.Method(rawValue: override.uppercased()) }
        return method == .head ? .get : Route.Method(rawValue: method.rawValue)
    }
}
