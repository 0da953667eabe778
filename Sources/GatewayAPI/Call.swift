import HTTPServer
import LocalStore
import ParseModel

/// A request that found its route: what a handler gets.
struct Call: Sendable {
    let endpoint: Endpoint
    /// The texts at the places of the pattern's parameters, in order.
    let parameters: [String]
    let parse: ParseRequest
    let path: RoutePath
    let http: HTTPServerRequest
    /// It carries this gateway's master key.
    let isMaster: Bool

    init(
        _ endpoint: Endpoint, _ parameters: [String], _ parse: ParseRequest, _ path: RoutePath,
        _ http: HTTPServerRequest, isMaster: Bool
    ) {
        self.endpoint = endpoint
        self.parameters = parameters
        self.parse = parse
        self.path = path
        self.http = http
        self.isMaster = isMaster
    }
}

extension Call {
    /// A request that came as an item of a batch, with the credentials of the whole.
    /// - Parameters:
    ///   - parameters: those of the item's path.
    ///   - ifMatch: the header that the request alone would have.
    init(
        item match: (endpoint: Endpoint, parameters: [String]), _ method: Route.Method, _ path: RoutePath,
        query: String?, parameters: JSONObject, body: JSONValue?, ifMatch: String?, of batch: Call
    ) {
        var http = batch.http
        http.headers[.ifMatch] = ifMatch
        http.query = query
        http.body = body.map(\.jsonBytes) ?? []
        self.init(
            match.endpoint, match.parameters,
            ParseRequest(method: method, parameters: parameters, body: body, of: batch.parse), path, http,
            isMaster: batch.isMaster)
    }

    /// The same, asked of the class that the path stands for.
    var onObjects: Call {
        guard let objects = endpoint.onObjects else { return self }
        return Call(objects.endpoint, [objects.className] + parameters, parse, path, http, isMaster: isMaster)
    }

    /// Whether objects and the results of writes are shown with `_sync`.
    var wantsMark: Bool { parse.asksForSyncState || parse.parameters.flag("_sync") }

    /// The state that an update or a deletion names as the one it was made on.
    /// - Throws: `ParseError` for an `If-Match` or a `_base` that cannot be read.
    var terms: WriteTerms {
        get throws(ParseError) {
            var terms = WriteTerms(wantsMark: wantsMark)
            if let match = http.headers[.ifMatch] { terms.match = try Preconditions.match(match) }
            if case .object(let body) = parse.body, let base = body["_base"] {
                terms.base = try Preconditions.base(base)
            }
            return terms
        }
    }

    /// Whether it names the state that a write was made on.
    var namesState: Bool {
        if http.headers.contains(.ifMatch) { return true }
        guard case .object(let body) = parse.body else { return false }
        return body["_base"] != nil
    }

    /// - Throws: `APIError.masterKeyRequired`.
    func requireMaster() throws(APIError) {
        guard isMaster else { throw .masterKeyRequired }
    }
}

extension JSONObject {
    /// A parameter as it would stand in a URL, the last one where there are several; nil where it is absent or empty.
    func text(_ name: String) -> String? {
        let text =
            switch self[name] {
            case .string(let text): text
            case .number(let number): number.text
            case .bool(let bool): String(bool)
            case .array(let values): values.last?.string ?? ""
            default: ""
            }
        return text.isEmpty ? nil : text
    }

    /// `true` or `1`.
    func flag(_ name: String) -> Bool { ["true", "1"].contains(text(name)) }

    /// A number that is not negative.
    /// - Throws: `ParseError` with code 102 where something else stands there.
    func wholeNumber(_ name: String) throws(ParseError) -> Int64? {
        guard let text = text(name) else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text) else {
            throw ParseError(.invalidQuery, "\(name) must be a whole number, 0 or more.")
        }
        return number
    }
}
