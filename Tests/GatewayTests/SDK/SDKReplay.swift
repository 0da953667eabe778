import HTTPServer
import HTTPTypes
import ParseModel

/// Replays a story on a gateway and compares the answers.
struct SDKReplay {
    let handler: any HTTPHandler
    let clock: TestClock
    /// Whether the gateway is a replica with an unreachable remote.
    var isOffline = false
    /// The ids by their names in the story.
    private(set) var ids: [String: String] = [:]

    init(_ handler: any HTTPHandler, clock: TestClock, isOffline: Bool = false) {
        (self.handler, self.clock, self.isOffline) = (handler, clock, isOffline)
    }

    /// - Returns: a line for each unexpected answer.
    mutating func tell(_ story: SDKStory) async -> [String] {
        var lines: [String] = []
        for request in story.requests {
            clock.advance(.milliseconds(5))
            let response = await send(request)
            let expected = isOffline ? request.answerOffline ?? request.answer : request.answer
            let text = String(decoding: response.body, as: UTF8.self)
            let json = try? JSONReader.read(response.body)
            let isJSON = response.headers[.contentType]?.hasPrefix("application/json") ?? false
            let isComplete = !expected.isWhole || json?.object?.count == expected.members.object?.count
            let fits = isComplete && json.map { matches($0, expected.members) } ?? false
            guard response.status.code != expected.status || !isJSON || !fits else { continue }
            lines.append("\(story.sdk), \(request.does): \(request.line) → \(response.status.code) \(text)")
        }
        return lines
    }

    /// Forgets a name, so that the next answer binds it anew.
    mutating func forget(_ name: String) { ids[name] = nil }

    private func send(_ request: SDKRequest) async -> HTTPServerResponse {
        let parts = withIds(request.line).split(separator: " ", maxSplits: 1).map(String.init)
        let target = parts[1].split(separator: "?", maxSplits: 1).map(String.init)
        var headers: HTTPFields = [HTTPField.Name("Host")!: "127.0.0.1:1338"]
        for (name, value) in request.headers { headers[HTTPField.Name(name)!] = withIds(value) }
        return await handler.handle(
            HTTPServerRequest(
                method: HTTPRequest.Method(rawValue: parts[0])!, path: target[0],
                query: target.count > 1 ? target[1] : nil, headers: headers, body: Array(withIds(request.body).utf8))
        ).response()
    }

    private func withIds(_ text: String) -> String {
        ids.reduce(text) { text, id in
            text.replacing("<\(id.key)>", with: id.value).replacing("%3C\(id.key)%3E", with: id.value)
        }
    }

    /// Whether an answer has the expected members. An unknown name is bound to the id in its place.
    private mutating func matches(_ answer: JSONValue, _ expected: JSONValue) -> Bool {
        switch (answer, expected) {
        case (.object(let answer), .object(let expected)):
            for (key, value) in expected {
                guard let member = answer[withIds(key)], matches(member, value) else { return false }
            }
            return true
        case (.array(let answer), .array(let expected)):
            guard answer.count == expected.count else { return false }
            for (element, value) in zip(answer, expected) where !matches(element, value) { return false }
            return true
        case (.string(let text), .string(let name)) where name.hasPrefix("<"): return matches(text, name)
        default: return answer == expected
        }
    }

    private mutating func matches(_ text: String, _ name: String) -> Bool {
        switch name {
        case "<any>": return !text.isEmpty
        case "<date>": return text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil
        default:
            let name = String(name.dropFirst().dropLast())
            guard let known = ids[name] else {
                ids[name] = text
                return !text.isEmpty
            }
            return text == known
        }
    }
}

/// The ways in which SDKs escape a query.
enum QueryEscaping {
    /// `http_build_query` of PHP.
    case php
    /// `Uri.EscapeDataString` of .NET.
    case dotNET
    /// A `Uri` of Dart for a whole query, which does not escape characters that a query may contain.
    case dart
    /// `URLComponents` of Foundation with items.
    case foundation

    func query(_ parameters: [(String, String)]) -> String {
        parameters.map { "\($0)=\(escaped($1))" }.joined(separator: "&")
    }

    private func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(UnicodeScalar(byte))
            if byte == UInt8(ascii: " "), self == .php { return "+" }
            if character.isASCII, character.isLetter || character.isNumber || kept.contains(character) {
                return String(character)
            }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }

    private var kept: String {
        switch self {
        case .php: "-_."
        case .dotNET: "-_.~"
        case .dart, .foundation: "-_.~!$'()*+,/:;?@"
        }
    }
}
