import ParseModel
import StoreSupport
import Testing

@testable import LocalStore

/// The stable content that is made without parsing is that of `StableContent`.
@Suite("Stable text")
struct StableTextTests {
    /// The text by way of the parsed fields.
    private func parsed(_ text: String, without opField: String? = nil) throws -> String {
        let fields = try #require(try JSONReader.read(text).object)
        return try StableContent(fields, without: opField, names: nil).tag(hiding: [])
    }

    private func made(_ text: String, without opField: String? = nil) -> String? {
        StableText.make(Array(text.utf8), without: opField).map { StableContent.tag(of: $0) }
    }

    @Test(arguments: [
        "{}", #"{"a":1}"#, #"{"b":-20,"a":"é, 😀","c":[1,"x",null,[true,false]],"d":null}"#,
        #"{"objectId":"x","createdAt":"t","updatedAt":"u"}"#, #"{"objectId":"x","b":0,"createdAt":"t","a":""}"#,
        #"{"at":{"__type":"Date","iso":"2026-01-01T00:00:00.000Z"},"l":[{"__type":"Date","iso":"x"}]}"#,
        #"{"ACL":{"*":{"read":true},"u":{"read":true,"write":true}},"o":{"a":{},"b":[{}]},"e":[]}"#,
        #"{"n":999999999999999}"#, #"{"object":1,"objectIds":2}"#,
    ])
    func isThatOfTheParsedFields(_ text: String) throws {
        #expect(try made(text) == parsed(text))
    }

    @Test func leavesOutTheFieldForOperations() throws {
        let text = #"{"ops":["r:1"],"a":1}"#
        #expect(try made(text, without: "ops") == parsed(#"{"a":1}"#))
    }

    @Test(arguments: [
        #"{"p":{"__type":"Pointer","className":"A","objectId":"b"}}"#, #"{"f":{"__type":"File","name":"x"}}"#,
        #"{"r":{"__type":"Relation","className":"A"}}"#, #"{"a":"\n"}"#, #"{"a\"":1}"#, #"{"n":1.5}"#, #"{"n":-0}"#,
        #"{"n":1e3}"#, #"{"n":[2.5]}"#, #"{"n":1234567890123456}"#, #"{"o":{"b":1,"a":2}}"#, #"{"l":[{"b":1,"a":2}]}"#,
        #"{"g":{"__type":"GeoPoint","latitude":1,"longitude":2}}"#, #"{"o":{"ACL":1,"__type":"Pointer"}}"#,
        #"{"at":{"__type":"Date","iso":"x","more":1}}"#,
    ])
    func leavesOtherContentToTheParser(_ text: String) { #expect(made(text) == nil) }

    @Test(arguments: [
        "", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1"#, #"{"a":1}}"#, #"{"a":1,}"#, #"{"a":[1"#, "[]", #"{"a": 1}"#,
        #"{"a":nul"#,
    ])
    func refusesOtherTexts(_ text: String) { #expect(made(text) == nil) }

    /// A flipped bit makes such texts. The parser reports the damage.
    @Test func leavesDamagedAndDeepTextsToTheParser() {
        #expect(
            StableText.make(Array(#"{"a":"x"}"#.utf8.map { $0 == UInt8(ascii: "x") ? 0xFF : $0 }), without: nil) == nil)
        let deep = #"{"a":"# + String(repeating: "[", count: 100) + String(repeating: "]", count: 100) + "}"
        #expect(made(deep) == nil)
    }

    /// Objects of random fields, as the store writes them.
    @Test(arguments: 1...20) func agreesOnRandomObjects(seed: Int) throws {
        var random = SeededRandom(seed: UInt64(seed))
        var madeCount = 0
        for _ in 0..<200 {
            let members = (0..<Int.random(in: 0...6, using: &random)).map {
                ("f\($0 * 7 % 5)\($0)", value(depth: 0, &random))
            }
            let text = JSONObject(members).jsonText
            guard let made = made(text) else { continue }
            madeCount += 1
            #expect(try made == parsed(text), "\(text)")
        }
        #expect(madeCount > 20)
    }

    private static let names = ["objectId", "createdAt", "updatedAt", "ACL", "ops", "a", "B", "ä", "_z", "a1", "title"]
    private static let references: [JSONValue] = [
        ["__type": "Pointer", "className": "A", "objectId": "b"], ["__type": "File", "name": "x", "url": "y"],
        ["__type": "Relation", "className": "A"],
    ]

    private func value(depth: Int, _ random: inout SeededRandom) -> JSONValue {
        switch Int.random(in: 0..<(depth < 3 ? 12 : 7), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .int(Int.random(in: -1000...1000, using: &random))
        case 3: return .number(JSONNumber(Double(Int.random(in: -1000...1000, using: &random)) / 8))
        case 4, 5: return .string(["", "x", "ü", "a\"b", "line\nbreak", "__type"].randomElement(using: &random) ?? "")
        case 6: return ["__type": "Date", "iso": "2026-01-01T00:00:00.000Z"]
        case 7, 8:
            return .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth: depth + 1, &random) })
        case 9: return Self.references.randomElement(using: &random) ?? .null
        default:
            // Half of the objects have their keys in order, as ACLs often have.
            let names = ["ACL", "a", "b", "é"].shuffled(using: &random).prefix(Int.random(in: 0..<4, using: &random))
            let ordered = Bool.random(using: &random) ? names.sorted() : Array(names)
            return .object(JSONObject(ordered.map { ($0, value(depth: depth + 1, &random)) }))
        }
    }
}
