import GatewayAPI
import HTTPServer
import HTTPTypes
import ParseModel

@testable import Gateway

/// A local client of a gateway, with short helpers for uploads and downloads.
struct FileClient: Sendable {
    let api: GatewayAPI

    func send(
        _ method: HTTPRequest.Method, _ target: String, _ headers: HTTPFields = [:], _ body: [UInt8] = []
    ) async -> HTTPServerResponse {
        let parts = target.split(separator: "?", maxSplits: 1).map(String.init)
        var headers = headers
        headers[HTTPField.Name("Host")!] = "localhost:1338"
        return await api.handle(
            HTTPServerRequest(
                method: method, path: parts[0], query: parts.count > 1 ? parts[1] : nil, headers: headers, body: body)
        ).response()
    }

    func json(_ method: HTTPRequest.Method, _ target: String, _ body: JSONObject? = nil) async throws -> JSONObject {
        try await send(method, target, [:], body?.jsonBytes ?? []).json
    }

    /// - Returns: the file value for objects.
    func upload(_ name: String, _ text: String, type: String = "image/png") async throws -> JSONValue {
        let answer = try await send(.post, "/files/\(name)", [.contentType: type], Array(text.utf8)).json
        return ["__type": "File", "name": answer["name"] ?? .null, "url": answer["url"] ?? .null]
    }

    /// The answer to a GET of the URL in a file value.
    func get(_ file: JSONValue?, _ headers: HTTPFields = [:]) async -> HTTPServerResponse {
        let url = file?.object?["url"]?.string ?? ""
        let path = url.firstRange(of: "/files/").map { String(url[$0.lowerBound...]) } ?? "/files/none"
        return await send(.get, path, headers)
    }
}

extension HTTPServerResponse {
    var json: JSONObject { get throws { try JSONReader.read(wholeBody).object ?? [:] } }
    var text: String { String(decoding: wholeBody, as: UTF8.self) }
}
