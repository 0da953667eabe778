import HTTPServer
import HTTPTypes
import HeaderNames
import ParseModel
import StoreService

/// `GET /changes`: the change feed, as pages or, for clients that accept `text/event-stream`, as a stream.
struct ChangesRoute: Sendable {
    private static let limitDefault: Int64 = 100
    private static let limitMax: Int64 = 1000
    private static let pageMax = 100
    /// The size in bytes at which a list ends early. The client requests the rest with the answer's `next`.
    private static let bytesMax = 16 << 20
    let store: any ObjectStore
    let feed: ChangeStreams
    let responses: ResponseBuilder
    let addresses: FileAddresses
    /// Whether a session is open; nil if a stream does not end with its session.
    let isOpen: (@Sendable (_ token: String) -> Bool)?

    var routes: [Route] {
        [
            Route(.get, "/changes", "listChanges", .ofSpace) { request in
                .now(
                    Self.wantsStream(request.http.headers)
                        ? try stream(request) : responses.json(try list(request)))
            }
        ]
    }

    /// - Returns: `{"results":[{"number","className","objectId","kind","object"}],"next":position}` as JSON text.
    private func list(_ request: RoutedRequest) throws -> [UInt8] {
        let parameters = try Self.parameters(of: request, ["since", "classes", "kinds", "limit", "objects", "user"])
        let limit = try parameters.wholeNumber("limit") ?? Self.limitDefault
        guard limit > 0 else { throw ParseError(.invalidQuery, "limit must be 1 or more.") }
        var position = try feed.positions.since(parameters)
        let objects = try objects(request)
        let (classes, kinds) = (Self.classes(parameters), try Self.kinds(parameters))
        var left = Int(min(limit, Self.limitMax))
        var writer = JSONWriter(reserving: 512 * min(left, Self.pageMax) + 64)
        writer.raw("{\"results\":[")
        var isFirst = true
        while true {
            let page = try store.changes(
                since: position, classes: classes, kinds: kinds, limit: min(left, Self.pageMax), as: request.principal)
            for entry in page.entries {
                if !isFirst { writer.raw(",") }
                isFirst = false
                try ChangeText.write(entry, objects, &writer)
            }
            position = page.next
            left -= page.entries.count
            guard page.entries.count == Self.pageMax, left > 0, writer.bytes.count < Self.bytesMax else { break }
        }
        writer.raw("],\"next\":\(feed.positions.jsonText(position ?? 0))}")
        return writer.bytes
    }

    /// A stream of the events `change`, `sync` and `gone`, with comments as heartbeats.
    private func stream(_ request: RoutedRequest) throws -> HTTPServerResponse {
        var parameters = try Self.parameters(of: request, ["since", "classes", "objects", "user"])
        // A browser that reconnects requests the same URL again and sends its position in this header.
        if let last = request.http.headers[.lastEventID], !last.isEmpty { parameters["since"] = .string(last) }
        let stream = try feed.open(
            since: try feed.positions.since(parameters), classes: Self.classes(parameters),
            principal: request.principal,
            objects: try objects(request), session: session(request), mayContinue: mayContinue(request)
        ) { [addresses, base = request.base, principal = request.principal] in
            try ChangeText.addressed($0, addresses, base: base, for: principal)
        }
        var headers = responses.commonHeaders
        headers[.contentType] = "text/event-stream"
        headers[.cacheControl] = "no-store"
        return HTTPServerResponse(status: .ok, headers: headers, content: .stream(stream))
    }

    /// The session token of a request whose stream ends with its session; nil for any other request.
    private func session(_ request: RoutedRequest) -> String? {
        isOpen == nil || request.principal.readsEverything ? nil : request.parse.credentials.sessionToken
    }

    /// Whether the session of a request has not ended. Without a session that can end, the result is always true.
    private func mayContinue(_ request: RoutedRequest) -> @Sendable () -> Bool {
        guard let isOpen, let token = session(request) else { return { true } }
        return { isOpen(token) }
    }

    private func objects(_ request: RoutedRequest) throws(ParseError) -> ChangeText.Objects {
        switch request.parse.parameters.text("objects") {
        case "false": .none
        case "true", nil:
            request.wantsMark ? .marked(SyncMember(store: store, principal: request.principal)) : .plain
        default: throw ParseError(.invalidQuery, "objects must be true or false.")
        }
    }

    private static func parameters(of request: RoutedRequest, _ names: Set<String>) throws(ParseError) -> JSONObject {
        let parameters = request.parse.parameters
        for name in parameters.keys where !name.hasPrefix("_") && !names.contains(name) {
            throw ParseError(.invalidQuery, "Invalid parameter for query: \(name)")
        }
        return parameters
    }

    private static func classes(_ parameters: JSONObject) -> Set<String>? {
        parameters.text("classes").map { Set($0.split(separator: ",").map(String.init)) }
    }

    private static let wrongKinds = ParseError(
        .invalidQuery, "kinds must be create, update or delete, separated by commas.")

    private static func kinds(_ parameters: JSONObject) throws(ParseError) -> Set<ChangeEntry.Kind>? {
        guard let names = parameters.text("kinds") else { return nil }
        var kinds: Set<ChangeEntry.Kind> = []
        for name in names.split(separator: ",") {
            guard let kind = ChangeEntry.Kind(rawValue: String(name)) else {
                throw wrongKinds
            }
            kinds.insert(kind)
        }
        guard !kinds.isEmpty else { throw wrongKinds }
        return kinds
    }

    /// Whether `Accept` names `text/event-stream`, with any weight.
    private static func wantsStream(_ headers: HTTPFields) -> Bool {
        headers[.accept]?.split(separator: ",").contains { range in
            let type = range.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }
            return type.lowercased() == "text/event-stream"
        } ?? false
    }
}
