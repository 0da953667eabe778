import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel

/// A request as a Parse Server reads it: method, credentials and parameters that SDKs put into bodies are taken out of them.
struct ParseRequest: Sendable {
    /// The method of `_method` in the body of a POST, else that of the request line. Nil for a method without routes.
    let method: RequestMethod?
    /// The query's parameters, as strings; in a GET also the body's, with their own types.
    let parameters: JSONObject
    /// Those of the query alone.
    private let query: JSONObject
    var body: Body
    let credentials: Credentials
    /// `X-Tidegate-Sync: true`.
    let asksForSyncState: Bool

    enum Body: Sendable, Hashable {
        case object(JSONObject)
        case array
        case scalar

        /// - Parameter json: nil and null count as an empty object.
        init(_ json: JSONValue?) {
            self =
                switch json {
                case nil, .null: .object([:])
                case .object(let object): .object(object)
                case .array: .array
                default: .scalar
                }
        }

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

    /// An item of a batch.
    init(method: RequestMethod, parameters: JSONObject, body: JSONValue?, of batch: ParseRequest) {
        self.method = method
        query = parameters
        // The SDK for PHP writes an object without members as an array without elements.
        self.body = body == .array([]) ? .object([:]) : Body(body)
        if method == .get, case .object(var all) = self.body {
            for (name, value) in parameters { all[name] = value }
            self.parameters = all
        } else {
            self.parameters = parameters
        }
        credentials = batch.credentials
        asksForSyncState = batch.asksForSyncState
    }

    /// - Throws: `APIError` for a body or query that cannot be read.
    init(_ request: HTTPServerRequest, limits: RequestLimits) throws(APIError) {
        let query = try Self.parameters(request.query, limits: limits)
        var credentials = try Credentials(request.headers)
        var (body, override) = (Body.object([:]), String?.none)
        if !request.body.isEmpty {
            body = try Self.body(of: request, limits: limits)
            if case .object(let object) = body {
                let taken = try credentials.take(from: object)
                (body, override) = (.object(taken.rest), taken.method)
            }
        }
        method = Self.method(request.method, override: override)
        self.query = query
        if method == .get, case .object(var parameters) = body {
            for (name, value) in query { parameters[name] = value }
            self.parameters = parameters
        } else {
            parameters = query
        }
        self.body = body
        self.credentials = credentials
        asksForSyncState = request.headers.first(.tidegateSync) == "true"
    }

    /// The parameters of a search: one in a URL is read as JSON where it is JSON, else it is a text (`JSONFromQuery` of Parse
    /// Server); one in a body has a type of its own.
    var searchParameters: JSONObject {
        var all = parameters
        for (name, value) in query { all[name] = value.string.flatMap { try? JSONReader.read($0) } ?? value }
        return all
    }

    /// The parameters of a query, within the limit.
    static func parameters(_ query: String?, limits: RequestLimits) throws(APIError) -> JSONObject {
        guard let query, !query.isEmpty else { return [:] }
        guard query.utf8.count <= limits.queryBytesMax else { throw .queryTooLong(bytesMax: limits.queryBytesMax) }
        return PercentCoding.parameters(ofQuery: Array(query.utf8))
    }

    /// How many parameters a form may have, as in Express.
    private static let formParametersMax = 1000

    /// SDKs send JSON as `text/plain`, and curl as a form; so a text that looks like JSON is JSON, with any type.
    private static func body(of request: HTTPServerRequest, limits: RequestLimits) throws(APIError) -> Body {
        if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" { throw .encodedBody }
        if isForm(request) {
            guard request.body.count(where: { $0 == UInt8(ascii: "&") }) < formParametersMax else {
                throw .tooManyParameters
            }
            return .object(PercentCoding.parameters(ofQuery: request.body))
        }
        do {
            let json = try JSONReader.read(request.body, depthMax: limits.nestingMax + batchNesting(request))
            return json.isNull ? .scalar : Body(json)
        } catch {
            let reason = (error as? JSONReader.SyntaxError)?.message ?? "The body is not JSON."
            throw .malformedBody(reason: reason)
        }
    }

    private static func isForm(_ request: HTTPServerRequest) -> Bool {
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true,
            let first = request.body.first(where: { !" \t\r\n".utf8.contains($0) })
        else { return false }
        return first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
    }

    /// The levels around an object in a batch: `{"requests":[{"body":…`.
    private static func batchNesting(_ request: HTTPServerRequest) -> Int { request.path.hasSuffix("/batch") ? 3 : 0 }

    private static func method(_ method: HTTPRequest.Method, override: String?) -> RequestMethod? {
        if method == .post, let override { return RequestMethod(rawValue: override.uppercased()) }
        return method == .head ? .get : RequestMethod(rawValue: method.rawValue)
    }
}
