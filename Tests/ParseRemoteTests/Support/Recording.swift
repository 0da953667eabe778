import Foundation
import HTTPClient
import HTTPTypes
import ParseModel

/// One recorded exchange of a fixture file: the request and the response.
struct Recording: Sendable {
    let name: String
    let request: JSONObject
    let response: HTTPClientResponse
    /// The complete line of the fixture, including expected results.
    let line: JSONObject

    /// The body of the recorded request.
    var requestBody: JSONValue? { request["body"]?.string.flatMap { try? JSONReader.read($0) } }

    /// Exchanges with a real Parse Server 7.1.0.
    static let parseServer = load("parse-server-7.1.0")
    /// Answers of proxies, captive portals and failing servers, with the expected results.
    static let oddAnswers = load("odd-answers")

    static func named(_ name: String) throws -> Recording {
        guard let recording = parseServer.first(where: { $0.name == name }) else { throw NoSuchRecording(name: name) }
        return recording
    }

    struct NoSuchRecording: Error { let name: String }

    private static func load(_ file: String) -> [Recording] {
        guard let url = Bundle.module.url(forResource: file, withExtension: "jsonl", subdirectory: "Fixtures"),
            let text = try? String(contentsOf: url, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").compactMap { (try? JSONReader.read(String($0)))?.object }.map(Recording.init)
    }

    private init(line: JSONObject) {
        self.line = line
        name = line["name"]?.string ?? "?"
        request = line["request"]?.object ?? [:]
        let recorded = line["response"]?.object ?? [:]
        var headers = HTTPFields()
        for (key, value) in recorded["headers"]?.object ?? [:] {
            if let name = HTTPField.Name(key) { headers[name] = value.string }
        }
        response = HTTPClientResponse(
            status: .init(code: recorded["status"]?.int ?? 0), headers: headers,
            body: Array((recorded["body"]?.string ?? "").utf8))
    }
}
