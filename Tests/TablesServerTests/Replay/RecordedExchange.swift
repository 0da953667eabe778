import Foundation
import HTTPClient
import HTTPTypes
import ParseModel

/// One exchange with a real Node server 3.0.1 of Azure Mobile Apps on SQLite.
struct RecordedExchange: Sendable {
    /// The body of a recorded response.
    enum Body: Sendable {
        case empty
        case json(JSONValue)
        case text(String)
        /// A long body: its length and its beginning.
        case long(bytes: Int, starts: String)
    }

    let name: String
    let method: String
    /// The path and the query.
    let target: String
    let headers: HTTPFields
    let requestBody: [UInt8]
    let status: Int
    /// The recorded entity tag of a row; nil for the weak tag that Express makes of a body.
    let tag: String?
    let contentType: String?
    let body: Body

    /// All exchanges in their order.
    static func all() throws -> [RecordedExchange] {
        let file = "azure-mobile-apps-3.0.1"
        guard let url = Bundle.module.url(forResource: file, withExtension: "jsonl", subdirectory: "Fixtures") else {
            throw CocoaError(.fileNoSuchFile)
        }
        return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map { line in
            RecordedExchange(try JSONReader.read(String(line)).object ?? [:])
        }
    }

    private init(_ line: JSONObject) {
        name = line["name"]?.string ?? "?"
        let request = line["request"]?.object ?? [:]
        let response = line["response"]?.object ?? [:]
        method = request["method"]?.string ?? "?"
        target = Self.target(request["path"] ?? .null)
        var headers = HTTPFields()
        for (name, value) in request["headers"]?.object ?? [:] {
            if let name = HTTPField.Name(name) { headers[name] = value.string }
        }
        self.headers = headers
        requestBody = Self.requestBody(request["body"] ?? .null)
        status = response["status"]?.int ?? 0
        let recordedHeaders = response["headers"]?.object ?? [:]
        tag = recordedHeaders["etag"]?.string.flatMap { $0.hasPrefix("W/") ? nil : $0 }
        contentType = recordedHeaders["content-type"]?.string
        body = Self.body(response["body"] ?? .null)
    }

    /// The rows of the response: a row, an array, or nothing for every other body.
    var rows: [JSONObject] {
        guard case .json(let value) = body else { return [] }
        return value.array?.compactMap(\.object) ?? [value.object].compactMap { $0 }
    }

    /// The time of the change that the response reports, in microseconds since 1970; nil for no change.
    var changeTime: Int64? {
        guard method != "GET", status == 200 || status == 201 else { return nil }
        let times = rows.compactMap { $0["updatedAt"]?.string.flatMap { ParseDate(iso: $0) } }
        return times.max().map { $0.milliseconds * 1000 }
    }

    /// The id that the server chose for a new row; nil if the request has an id.
    var chosenId: String? {
        guard method == "POST", status == 201 else { return nil }
        return rows.first?["id"]?.string
    }
}

// MARK: Shortened parts

extension RecordedExchange {
    /// The target; a long one is rebuilt from its pattern, conditions on `id` joined by `or`.
    private static func target(_ recorded: JSONValue) -> String {
        guard let long = recorded.object else { return recorded.string ?? "/" }
        let bytes = long["bytes"]?.int ?? 0
        let beginning = "/tables/Open?$filter="
        let separator = "%20or%20"
        let condition = { (index: Int) in "id%20eq%20%27r\(String(100_000 + index).dropFirst())%27" }
        let count = (bytes - beginning.utf8.count + separator.utf8.count) / (condition(0) + separator).utf8.count
        return beginning + (0..<count).map(condition).joined(separator: separator)
    }

    /// The body; a long one is rebuilt by repeating the last character of its beginning.
    private static func requestBody(_ recorded: JSONValue) -> [UInt8] {
        if let text = recorded.string { return Array(text.utf8) }
        if let encoded = recorded.object?["base64"]?.string { return Array(Data(base64Encoded: encoded) ?? Data()) }
        guard let bytes = recorded.object?["bytes"]?.int, let starts = recorded.object?["starts"]?.string else {
            return []
        }
        let end = "\"}"
        let filler = String(repeating: starts.last ?? "x", count: bytes - starts.utf8.count - end.utf8.count)
        return Array((starts + filler + end).utf8)
    }

    private static func body(_ recorded: JSONValue) -> Body {
        if let bytes = recorded.object?["bytes"]?.int, let starts = recorded.object?["starts"]?.string {
            return .long(bytes: bytes, starts: starts)
        }
        guard let text = recorded.string, !text.isEmpty else { return .empty }
        return (try? JSONReader.read(text)).map(Body.json) ?? .text(text)
    }
}

// MARK: Comparison

extension RecordedExchange {
    /// The difference between the recorded response and another one; nil if they agree. The order of the members of an object
    /// does not count.
    func difference(from response: HTTPClientResponse) -> String? {
        let text = String(decoding: response.body, as: UTF8.self)
        guard response.status.code == status else {
            return "status \(response.status.code), recorded \(status): \(text)"
        }
        let sentTag = response.headers[.eTag].flatMap { $0.hasPrefix("W/") ? nil : $0 }
        guard sentTag == tag else { return "ETag \(sentTag ?? "none"), recorded \(tag ?? "none")" }
        guard response.headers[.contentType] == contentType else {
            return "Content-Type \(response.headers[.contentType] ?? "none"), recorded \(contentType ?? "none")"
        }
        let agrees =
            switch body {
            case .empty: response.body.isEmpty
            case .json(let value): (try? JSONReader.read(response.body)) == value
            case .text(let recorded): text.isExactly(recorded)
            case .long(let bytes, let starts): response.body.count == bytes && text.hasPrefix(starts)
            }
        return agrees ? nil : "\(response.body.count) bytes: \(text.prefix(600)) recorded: \(body)"
    }
}
