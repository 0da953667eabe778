import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel

/// A request as Parse Server interprets it. Method, credentials and parameters are also read from the body, where SDKs may put
/// them.
struct ParseRequest: Sendable {
    /// The `_method` in the body of a POST, or else the method of the request line. HEAD counts as GET. Nil for a
    /// method without routes.
    let method: RequestMethod?
    /// The parameters of the URL's query: strings, or arrays of strings for repeated names. In a GET, also the members of the
    /// body, with their JSON types.
    let parameters: JSONObject
    /// The parameters of the URL's query.
    private let query: JSONObject
    var body: Body
    let credentials: Credentials
    /// Whether the header `X-Tidegate-Sync: true` is set.
    let asksForSyncState: Bool
    /// The client's wish about the remote in a write; nil for none.
    let preference: RemotePreference?

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

        /// The field values of an object.
        /// - Throws: `ParseError` if the body is not an object. An array gives Parse Server's error, in which the index 0 is an
        ///   invalid field name.
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

    /// The request of one item of a batch. Credentials, `asksForSyncState` and `preference` are those of the batch.
    init(method: RequestMethod, parameters: JSONObject, body: JSONValue?, of batch: ParseRequest) {
        self.method = method
        query = parameters
        // The PHP SDK encodes an empty object as an empty array.
        self.body = body == .array([]) ? .object([:]) : Body(body)
        if method == .get, case .object(var all) = self.body {
            for (name, value) in parameters { all[name] = value }
            self.parameters = all
        } else {
            self.parameters = parameters
        }
        credentials = batch.credentials
        asksForSyncState = batch.asksForSyncState
        preference = batch.preference
    }

    /// - Parameter levelsAround: the number of outer nesting levels of the body that do not count against the limit.
    /// - Throws: `APIError` for an unreadable body or query, and for a malformed context or preference.
    init(_ request: HTTPServerRequest, limits: RequestLimits, levelsAround: Int = 0) throws(APIError) {
        let query = try Self.parameters(request.query, limits: limits)
        var credentials = try Credentials(request.headers)
        var (body, override) = (Body.object([:]), String?.none)
        if !request.body.isEmpty {
            body = try Self.body(of: request, depthMax: limits.nestingMax + levelsAround)
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
        preference = try RemotePreference(request.headers) ?? credentials.preference
    }

    /// The parameters of a search. A URL parameter is parsed as JSON if possible and is a string otherwise
    /// (`JSONFromQuery` of Parse Server). A body parameter keeps its type.
    var searchParameters: JSONObject {
        var all = parameters
        for (name, value) in query { all[name] = value.string.flatMap { try? JSONReader.read($0) } ?? value }
        return all
    }

    /// Parses the parameters of a URL's query.
    /// - Throws: `APIError.queryTooLong` if the query exceeds `RequestLimits.queryBytesMax`.
    static func parameters(_ query: String?, limits: RequestLimits) throws(APIError) -> JSONObject {
        guard let query, !query.isEmpty else { return [:] }
        guard query.utf8.count <= limits.queryBytesMax else { throw .queryTooLong(bytesMax: limits.queryBytesMax) }
        return PercentCoding.parameters(ofQuery: Array(query.utf8))
    }

    /// The maximum number of parameters in a form, as in Express.
    private static let formParametersMax = 1000

    /// Parses the body as a form if the content type says so and the body does not begin with `{` or `[`, because curl sends JSON
    /// with the content type of a form. Parses every other body as JSON, because SDKs send JSON as `text/plain`.
    private static func body(of request: HTTPServerRequest, depthMax: Int) throws(APIError) -> Body {
        if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" { throw .encodedBody }
        let text = request.textBody
        if isForm(request, text) {
            guard text.count(where: { $0 == UInt8(ascii: "&") }) < formParametersMax else {
                throw .tooManyParameters
            }
            return .object(PercentCoding.parameters(ofQuery: text))
        }
        do {
            let json = try JSONReader.read(text, depthMax: depthMax)
            return json.isNull ? .scalar : Body(json)
        } catch {
            let reason = (error as? JSONReader.SyntaxError)?.message ?? "The body is not JSON."
            throw .malformedBody(reason: reason)
        }
    }

    private static func isForm(_ request: HTTPServerRequest, _ text: [UInt8]) -> Bool {
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/x-www-form-urlencoded") == true,
            let first = text.first(where: { !" \t\r\n".utf8.contains($0) })
        else { return false }
        return first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
    }

    private static func method(_ method: HTTPRequest.Method, override: String?) -> RequestMethod? {
        if method == .post, let override { return RequestMethod(rawValue: override.uppercased()) }
        return method == .head ? .get : RequestMethod(rawValue: method.rawValue)
    }
}

/// A method that a route can have.
package enum RequestMethod: String, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
}
