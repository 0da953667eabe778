import GatewayAPI
import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import Gateway

/// Sends damaged and random messages to live queries. Each failure prints the seed.
@Suite("Random messages to live queries", .timeLimit(.minutes(5)))
struct LiveFuzzTests {
    private static let messages = [
        #"{"op":"connect","applicationId":"app","installationId":"phone","sessionToken":"r:x"}"#,
        #"{"op":"subscribe","requestId":1,"query":{"className":"Holiday","where":{"n":{"$gt":1}}}}"#,
        #"{"op":"subscribe","requestId":2,"query":{"className":"Holiday","where":{"$or":[{"a":"b"},{"t":{"$regex":"^a"}}]},"keys":["n"],"watch":["n"]},"since":0}"#,
        #"{"op":"update","requestId":1,"query":{"className":"Holiday","where":{"n":{"$in":[1,2]}},"fields":"a,b"}}"#,
        #"{"op":"query","requestId":2}"#, #"{"op":"unsubscribe","requestId":1}"#,
    ]
    private static let values = [
        "null", "true", "-1", "1.5", "1e999", "9007199254740993", #""""#, #""a.b""#, #""\u0000""#, #""_User""#, "[]",
        "{}", #"[{"$or":[]}]"#, #"{"$regex":"(a+)+$"}"#, #"{"__type":"Pointer","className":"A","objectId":"b"}"#,
    ]
    private static let signs: [Character] = [
        "{", "}", "[", "]", "\"", ",", ":", "\\", "$", ".", "0", "e", "\u{0}", "ä",
    ]

    @Test(arguments: 1...40) func eachMessageGetsOneAnswer(seed: Int) async throws {
        let directory = try TemporaryDirectory()
        let hub = try Hub(directory, clock: TestClock())
        let probe = try await LiveProbe.connected(to: hub.api)
        var random = SeededRandom(seed: UInt64(seed))
        for count in 1...30 {
            let text = Self.message(&random)
            probe.send(text: text)
            let answer = try await probe.message(after: count) { _ in true }
            let operation = try #require(answer["op"]?.string)
            #expect(
                ["connected", "subscribed", "unsubscribed", "result", "error"].contains(operation), "\(seed): \(text)")
            if operation == "error" { #expect(answer["code"]?.int ?? 0 > 0, "\(seed): \(text) \(answer)") }
        }
        #expect(probe.messages.count == 31)
        #expect(!probe.isDropped)
        let fresh = try await LiveProbe.connected(to: hub.api)
        try await fresh.subscribe(1, ["className": "Holiday", "where": [:]])
        try await hub.store.create("Holiday", ["n": 1])
        #expect(try await fresh.events(1) == ["create 1 1"])
    }

    /// A correct message with a few changes.
    private static func message(_ random: inout SeededRandom) -> String {
        var text = Array(messages.randomElement(using: &random) ?? "")
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            let place = Int.random(in: text.indices, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: text[place] = signs.randomElement(using: &random) ?? " "
            case 1: text.insert(signs.randomElement(using: &random) ?? " ", at: place)
            case 2: text.removeSubrange(place..<min(text.count, place + Int.random(in: 1...20, using: &random)))
            default: replaceValue(after: place, &text, &random)
            }
            if text.isEmpty { text = ["{"] }
        }
        return String(text)
    }

    /// Replaces the value of the next member. The result is JSON in most cases.
    private static func replaceValue(after place: Int, _ text: inout [Character], _ random: inout SeededRandom) {
        guard let colon = text[place...].firstIndex(of: ":") else { return }
        let end = text[(colon + 1)...].firstIndex { $0 == "," || $0 == "}" } ?? text.endIndex
        text.replaceSubrange((colon + 1)..<end, with: values.randomElement(using: &random) ?? "")
    }
}
