import HTTPClient
import HTTPTypes
import HeaderNames
import ParseModel
import Synchronization

/// A transport with a deliberate bug (`Sabotage`) in requests and answers of the tables protocol.
final class SabotagedTransport: HTTPTransport {
    /// The first filter of a pull, and the number of rows that the pull has read so far.
    private struct Pages {
        let filter: Substring?
        var rows = 0
    }

    private let transport: any HTTPTransport
    private let sabotage: Sabotage
    private let pages = Mutex<[Substring: Pages]>([:])

    init(_ transport: any HTTPTransport, _ sabotage: Sabotage) {
        self.transport = transport
        self.sabotage = sabotage
    }

    func send(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        var request = request
        switch sabotage {
        case .conditionsDropped: request.headers[.ifMatch] = nil
        case .columnsDropped where request.method == .put:
            guard var row = try? JSONReader.read(request.body).object else { break }
            row[TableColumns.unknown] = nil
            request.body = row.jsonBytes
        case .pagesSkipped where isPull(request): return try await sendPull(request)
        case .tombstonesBare where request.method == .get:
            var answer = try await transport.send(request)
            if let json = try? JSONReader.read(answer.body) { answer.body = Self.withBareTombstones(json).jsonBytes }
            return answer
        default: break
        }
        return try await transport.send(request)
    }

    /// The answer with tombstones that have no values.
    private static func withBareTombstones(_ json: JSONValue) -> JSONValue {
        if let rows = json.array { return .array(rows.map(withBareTombstones)) }
        guard var object = json.object else { return json }
        for list in ["results", "items"] { object[list] = object[list].map(withBareTombstones) }
        if object["deleted"] == true { for name in TableColumns.names { object[name] = .null } }
        return .object(object)
    }

    // MARK: Pulls

    private func isPull(_ request: HTTPClientRequest) -> Bool {
        request.method == .get && request.url.contains("$orderby=updatedAt%2Cid")
    }

    /// Sends the request for a page of a pull. A page after the first one is requested with the first page's filter and
    /// a `$skip`.
    private func sendPull(_ request: HTTPClientRequest) async throws(HTTPTransportError) -> HTTPClientResponse {
        var request = request
        let parts = request.url.split(separator: "?", maxSplits: 1)
        var parameters = parts[1].split(separator: "&")
        let filter = parameters.first { $0.hasPrefix("$filter=") }
        if let first = pages.withLock({ $0[parts[0]] }), filter?.contains("updatedAt%20gt%20") == true {
            parameters.removeAll { $0.hasPrefix("$filter=") }
            parameters += [first.filter, "$skip=\(first.rows)"].compactMap { $0 }
            request.url = "\(parts[0])?\(parameters.joined(separator: "&"))"
        } else {
            pages.withLock { $0[parts[0]] = Pages(filter: filter) }
        }
        let answer = try await transport.send(request)
        let json = try? JSONReader.read(answer.body)
        let rows = json?.array ?? json?.object?["results"]?.array ?? json?.object?["items"]?.array ?? []
        pages.withLock { $0[parts[0]]?.rows += rows.count }
        return answer
    }
}
