import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import RemoteService
import SyncModel

/// Builds the requests to a Parse Server, except downloads of files.
struct ParseRequests: Sendable {
    /// The maximum length of a query's URL in bytes. A longer query is sent in a body. A Parse Server refuses URLs of about 28 kB
    /// with status 431 (request header fields too large), and proxies refuse URLs of 8 kB.
    static let urlBytesMax = 8000

    /// The scheme, host and port of the server's URL.
    private let origin: String
    /// The mount path of the server, for example `/parse`; empty for none. Paths inside a batch begin with the mount path.
    private let mount: String
    private let headers: HTTPFields

    init(_ configuration: ParseRemoteConfiguration) {
        var address = configuration.serverURL.prefix { $0 != "?" && $0 != "#" }
        while address.last == "/" { address.removeLast() }
        let host = address.firstRange(of: "://")?.upperBound ?? address.startIndex
        let path = address[host...].firstIndex(of: "/") ?? address.endIndex
        origin = String(address[..<path])
        mount = String(address[path...])
        var headers: HTTPFields = [.accept: "application/json", .parseApplicationId: configuration.applicationId]
        headers[.parseRESTKey] = configuration.restKey
        headers[.parseMasterKey] = configuration.masterKey
        headers[.parseInstallationId] = configuration.replicaId
        self.headers = headers
    }

    /// A GET of a path below the mount path, for example `/health`. The path may include a query string.
    func get(_ path: String) -> HTTPClientRequest {
        HTTPClientRequest(method: .get, url: origin + mount + path, headers: readHeaders, isRepeatable: true)
    }

    /// A request for changes of another Tidegate gateway.
    func changes(_ parameters: [(name: String, value: String)]) -> HTTPClientRequest {
        let query = parameters.map { "\($0)=\(PercentCoding.encodedPathSegment($1))" }.joined(separator: "&")
        return get("/changes?" + query)
    }

    /// A request for an endless stream of the changes of classes.
    func changes(of classes: Set<String>, after position: String) -> HTTPClientRequest {
        var request = changes([
            ("since", position), ("classes", classes.sorted().joined(separator: ",")), ("objects", "false"),
        ])
        request.headers[.accept] = "text/event-stream"
        request.isEndless = true
        return request
    }

    /// A request for one object by its id.
    func object(_ className: String, _ objectId: String) -> HTTPClientRequest {
        get(Self.path(className) + "/" + PercentCoding.encodedPathSegment(objectId))
    }

    /// A query as a GET, or as a POST with `_method` if its URL is too long.
    func list(_ query: ListQuery) -> HTTPClientRequest {
        let path = Self.path(query.className)
        let request = get(path + "?" + query.urlQuery)
        if request.url.utf8.count <= Self.urlBytesMax { return request }
        var body = query.parameters
        body["_method"] = "GET"
        return send(.post, path, body, headers: readHeaders, isRepeatable: true)
    }

    /// A query with the given parameters, as a POST with `_method`.
    func query(_ className: String, _ parameters: JSONObject) -> HTTPClientRequest {
        var body = parameters
        body["_method"] = "GET"
        return send(.post, Self.path(className), body, headers: readHeaders, isRepeatable: true)
    }

    /// A query as an item of a batch. The parameters are in `body`: with parameters in the path, a Parse Server returns an empty
    /// list and no error.
    func item(_ query: ListQuery) -> JSONObject {
        ["method": "GET", "path": .string(mount + Self.path(query.className)), "body": .object(query.parameters)]
    }

    /// A read of a path below the mount path, as an item of a batch.
    func item(reading path: String) -> JSONObject { ["method": "GET", "path": .string(mount + path)] }

    /// A request that ends the session under which it is sent.
    func logOut() -> HTTPClientRequest { send(.post, "/logout", [:], headers: headers, isRepeatable: true) }

    /// A write as a single request.
    func write(_ operation: PushOperation) -> HTTPClientRequest {
        var headers = headers
        headers[.parseRequestId] = operation.requestId
        return send(
            operation.method, Self.path(operation), operation.body, headers: headers, isRepeatable: false)
    }

    /// A write as an item of a batch.
    func item(_ operation: PushOperation) -> JSONObject {
        var item: JSONObject = [
            "method": .string(operation.method.rawValue), "path": .string(mount + Self.path(operation)),
        ]
        item["body"] = operation.body.map { .object($0) }
        return item
    }

    /// The size of an operation as an item of a batch, in bytes.
    func itemBytes(_ operation: PushOperation) -> Int { item(operation).jsonBytes.count + 1 }

    func batch(_ items: [JSONObject], isRepeatable: Bool) -> HTTPClientRequest {
        send(
            .post, "/batch", ["requests": .array(items.map { .object($0) })], headers: headers,
            isRepeatable: isRepeatable)
    }

    func isBatch(_ request: HTTPClientRequest) -> Bool { request.url == origin + mount + "/batch" }

    /// The request that uploads a file. The server adds a random prefix to the file's name.
    func upload(_ file: FileUpload) -> HTTPClientRequest {
        var headers = headers
        headers[.contentType] = file.contentType
        let name = PercentCoding.encodedPathSegment(FileName.given(file.name))
        return HTTPClientRequest(
            method: .post, url: origin + mount + "/files/" + name, headers: headers,
            bodyFile: file.path.map { .init(path: $0, size: file.size) }, isRepeatable: false)
    }

    /// The request that forwards a call of a local client.
    func call(_ call: RemoteCall) -> HTTPClientRequest {
        var headers = call.headers
        headers[.parseApplicationId] = self.headers[.parseApplicationId]
        headers[.parseRESTKey] = self.headers[.parseRESTKey]
        headers[.parseMasterKey] = call.masterKey
        return HTTPClientRequest(
            method: call.method, url: origin + mount + call.target, headers: headers, body: call.body,
            isRepeatable: call.isRepeatable)
    }

    /// The part of a URL after the mount path, for example `/users/kQnaN4jB3w`; nil for a URL outside the mount path.
    func pathBelowMount(_ address: String) -> String? {
        let root = origin + mount
        return address.hasPrefix(root + "/") ? String(address.dropFirst(root.count)) : nil
    }

    /// The request of a `ChosenIdProbe`: a create with an invalid date, which no server executes.
    func chosenIdProbe(_ className: String, replicaId: String) -> HTTPClientRequest {
        let body = ChosenIdProbe.body(className: className, replicaId: replicaId)
        return send(.post, Self.path(className), body, headers: headers, isRepeatable: false)
    }

    /// The headers of a read. They bypass the caches of proxies, because a cached page would hide changes.
    private var readHeaders: HTTPFields {
        var headers = headers
        headers[.cacheControl] = "no-cache"
        return headers
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: JSONObject?, headers: HTTPFields, isRepeatable: Bool
    ) -> HTTPClientRequest {
        var headers = headers
        if body != nil { headers[.contentType] = "application/json" }
        return HTTPClientRequest(
            method: method, url: origin + mount + path, headers: headers, body: body?.jsonBytes ?? [],
            isRepeatable: isRepeatable)
    }

    private static func path(_ className: String) -> String {
        "/classes/" + PercentCoding.encodedPathSegment(className)
    }

    private static func path(_ operation: PushOperation) -> String {
        let path = path(operation.className)
        return operation.kind == .create || operation.kind == .undelete
            ? path : path + "/" + PercentCoding.encodedPathSegment(operation.objectId)
    }
}
