import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import SyncModel

/// The parameters of a request for a list of rows.
struct TableList: Sendable {
    /// The `$filter` parameter; nil for all rows.
    var filter: String?
    /// The `$orderby` parameter; nil for any order.
    var order: String?
    /// The columns to return; nil for all.
    var columns: [String]?
    /// The `$top` parameter; nil for the server's page size. A server refuses a `$top` above its maximum, so most
    /// requests have none.
    var limit: Int?
    var includesDeleted = false
    var wantsCount = false
}

/// Builds the requests to a tables server.
struct TableRequests: Sendable {
    private let serverURL: String
    private static let apiVersion = "2.0.0"
    private static let includeDeleted = "?__includeDeleted=true"

    init(serverURL: String) {
        var address = serverURL.prefix { $0 != "?" && $0 != "#" }
        while address.last == "/" { address.removeLast() }
        self.serverURL = String(address)
    }

    /// A GET of the server's root. The answer has the server's time.
    func root() -> HTTPClientRequest { request(.get, path: "/", isRepeatable: true) }

    /// A GET of the description of all tables (Azure Mobile Apps).
    func description() -> HTTPClientRequest { request(.get, path: "/swagger", isRepeatable: true) }

    func list(_ list: TableList, of table: String, _ dialect: (any DialectRules)?) -> HTTPClientRequest {
        var parameters: [String] = []
        if let filter = list.filter { parameters.append("$filter=\(PercentCoding.encoded(filter))") }
        if let order = list.order { parameters.append("$orderby=\(PercentCoding.encoded(order))") }
        if let columns = list.columns {
            parameters.append("$select=\(PercentCoding.encoded(columns.joined(separator: ",")))")
        }
        if let limit = list.limit { parameters.append("$top=\(limit)") }
        if list.wantsCount, let dialect { parameters.append(dialect.countParameter) }
        // Azure Mobile Apps requires this spelling, Community Datasync accepts it.
        if list.includesDeleted { parameters.append("__includeDeleted=true") }
        let query = parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&")
        return request(.get, path: table + query, isRepeatable: true)
    }

    /// A request for a row by its id. Some servers also return the tombstone of a deleted row.
    func row(_ id: String, of table: String) -> HTTPClientRequest {
        request(.get, path: rowPath(id, of: table) + Self.includeDeleted, isRepeatable: true)
    }

    func insert(_ body: JSONObject, into table: String, isRepeatable: Bool) -> HTTPClientRequest {
        request(.post, path: table, body: body, isRepeatable: isRepeatable)
    }

    /// A write of a row.
    /// - Parameters:
    ///   - version: the version that the row must have; nil for an unconditional write.
    ///   - includesDeleted: whether the write may change a tombstone (Community Datasync).
    func write(
        _ method: HTTPRequest.Method, _ id: String, of table: String, body: JSONObject? = nil, version: String?,
        includesDeleted: Bool = false, isRepeatable: Bool
    ) -> HTTPClientRequest {
        let path = rowPath(id, of: table) + (includesDeleted ? Self.includeDeleted : "")
        var request = request(method, path: path, body: body, isRepeatable: isRepeatable)
        if let version { request.headers[.ifMatch] = "\"\(version)\"" }
        return request
    }

    private func rowPath(_ id: String, of table: String) -> String {
        // A DELETE of a path without an id would delete many rows.
        precondition(!id.isEmpty, "a row has an id")
        return table + "/" + PercentCoding.encodedPathSegment(id)
    }

    private func request(
        _ method: HTTPRequest.Method, path: String, body: JSONObject? = nil, isRepeatable: Bool
    ) -> HTTPClientRequest {
        var headers: HTTPFields = [.accept: "application/json", .zumoAPIVersion: Self.apiVersion]
        if method == .get { headers[.cacheControl] = "no-cache" }
        if body != nil { headers[.contentType] = "application/json" }
        return HTTPClientRequest(
            method: method, url: serverURL + path, headers: headers, body: body?.jsonBytes ?? [],
            isRepeatable: isRepeatable)
    }
}

extension ClassMapping {
    /// The percent-encoded path of the class's table.
    func path(of className: String) -> String {
        guard let table else { return "/tables/" + PercentCoding.encodedPathSegment(className) }
        return table.split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentCoding.encodedPathSegment(String($0)) }.joined(separator: "/")
    }
}
