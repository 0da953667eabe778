import Foundation
import HTTPServer
import HTTPTypes
import ParseModel

/// One exchange with a real Parse Server 7.1.0: the request and its answer.
struct RecordedExchange {
    let name: String
    let method: String
    /// The path and query of the request, without the server's mount path.
    let target: String
    let headers: [(name: String, value: String)]
    let body: String
    let answer: Answer

    /// An answer to the request, of the recorded server or of the gateway.
    struct Answer {
        let status: Int
        let contentType: String?
        /// The header `Location` of the answer to a create.
        let location: String?
        let text: String

        /// The body as JSON; nil for a web page or a file.
        var json: JSONValue? { try? JSONReader.read(text) }

        var line: String { "\(status) \(contentType ?? "-") \(location ?? "") \(text)" }

        var code: Int? { json?.object?["code"]?.int }
    }

    /// All recorded exchanges in their order, because later ones depend on objects that earlier ones created.
    static func all() throws -> [RecordedExchange] {
        // The recordings are stored with the tests of ParseRemote, which parse the same answers as a client.
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "ParseRemoteTests/Fixtures/parse-server-7.1.0.jsonl")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            try RecordedExchange(JSONReader.read(String(line)).object ?? [:])
        }
    }

    private init(_ line: JSONObject) throws {
        let request = line["request"]?.object ?? [:]
        let response = line["response"]?.object ?? [:]
        name = line["name"]?.string ?? ""
        method = request["method"]?.string ?? ""
        target = request["path"]?.string ?? ""
        headers = (request["headers"]?.object ?? [:]).map { ($0.key, $0.value.string ?? "") }
        body = request["body"]?.string ?? ""
        let answered = response["headers"]?.object ?? [:]
        answer = Answer(
            status: response["status"]?.int ?? 0, contentType: answered["content-type"]?.string,
            location: answered["location"]?.string, text: response["body"]?.string ?? "")
    }

    /// Sends the recorded request to the gateway's handler.
    /// - Parameter ids: this run's ids in place of the recorded ones.
    func replayed(to handler: any HTTPHandler, _ ids: IdTranslation) async -> Answer {
        let parts = ids.ours("/parse" + target).split(separator: "?", maxSplits: 1).map(String.init)
        var fields: HTTPFields = [:]
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { fields[name] = ids.ours(value) }
        }
        if let host = HTTPField.Name("Host") { fields[host] = "127.0.0.1:1337" }
        let response = await handler.handle(
            HTTPServerRequest(
                method: HTTPRequest.Method(rawValue: method) ?? .get, path: parts[0],
                query: parts.count > 1 ? parts[1] : nil, headers: fields, body: Array(ids.ours(body).utf8))
        ).response()
        return Answer(
            status: response.status.code, contentType: response.headers[.contentType],
            location: response.headers[.location], text: String(decoding: response.wholeBody, as: UTF8.self))
    }
}
