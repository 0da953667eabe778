import Foundation
import HTTPServer
import HTTPTypes
import ParseModel

/// One exchange with a real Parse Server 7.1.0: what was sent, and what came back.
struct RecordedExchange {
    let name: String
    let method: String
    /// Without the server's mount path, with its query.
    let target: String
    let headers: [(name: String, value: String)]
    let body: String
    let answer: Answer

    /// An answer, of the real server or of ours.
    struct Answer {
        let status: Int
        let contentType: String?
        /// Where a create says that the object is.
        let location: String?
        let text: String

        /// Nil for a page or a file.
        var json: JSONValue? { try? JSONReader.read(text) }

        var line: String { "\(status) \(contentType ?? "-") \(location ?? "") \(text)" }

        var code: Int? { json?.object?["code"]?.int }
    }

    /// All of them, in the order of their recording, which matters: later ones speak of what earlier ones made.
    static func all() throws -> [RecordedExchange] {
        // The fixtures are those of the tests of ParseRemote, which reads the same answers from the other side.
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

    /// Sends the same request to a handler of ours.
    /// - Parameter ids: our ids in place of the recorded ones.
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
