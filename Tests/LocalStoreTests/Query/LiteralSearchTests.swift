import ParseModel
import StoreService
import StoreSupport
import Testing

@testable import LocalStore

/// A query for a plain text first searches the JSON of the objects for it. This must not change the results.
@Suite struct LiteralSearchTests {
    /// Characters that JSON escapes, that equal others without regard to case, or that are special in patterns.
    private static let characters: [Character] = [
        "a", "k", "K", "\u{212A}", "s", "S", "ſ", "ß", "ẞ", "f", "i", "I", "İ", "ﬁ", "ﬀ", "st", "ﬆ", "t", "n", "ŉ", "j",
        "ǰ", "h",
        "\u{1E96}", "é", "É", "e", "\u{301}", "漢", "\"", "\\", "/", "\n", "\t", ".", "*", "(", "-", " ", "0", "😀",
    ].flatMap(Array.init)

    private static func text(_ random: TestClock, lengthMax: Int) -> String {
        String(
            (0..<random.random(below: lengthMax + 1)).map { _ in characters[random.random(below: characters.count)] })
    }

    private static func escaped(_ text: String) -> String {
        String(text.flatMap { #"\^$.*+?()[]{}|/-"#.contains($0) ? ["\\", $0] : [$0] })
    }

    @Test func anEscapedTextFindsTheObjectsThatItsExpressionMatches() async throws {
        let random = TestClock(seed: 7)
        let store = try LocalStore.make(.standalone)
        var objects: [(id: String, texts: [String])] = []
        for _ in 0..<150 {
            let texts = (0..<3).map { _ in Self.text(random, lengthMax: 6) }
            let id = try await store.create(
                ["a": .string(texts[0]), "b": ["c": .string(texts[1])], "list": [.string(texts[2]), 1]])
            objects.append((id, texts))
        }
        var found = 0
        for number in 0..<400 {
            let part = Self.text(random, lengthMax: 2)
            let pattern = (number % 5 == 0 ? "^" : "") + (number % 3 == 0 ? "\\Q\(part)\\E" : Self.escaped(part))
            guard !part.isEmpty, number % 3 != 0 || !part.contains("\\") else { continue }
            let options = number % 2 == 0 ? "i" : ""
            let condition: JSONValue = ["$regex": .string(pattern), "$options": .string(options)]
            let expression = try RegularExpression.compiled(pattern, options: options)
            let expected = try objects.filter { try $0.texts.contains { try expression.matches($0) } }.map(\.id)
            let ids = try store.ids(
                ["where": ["$or": [["a": condition], ["b.c": condition], ["list": condition]]], "limit": 1000])
            #expect(Set(ids) == Set(expected), "\(pattern.debugDescription) \(options)")
            let alone = try objects.filter { try expression.matches($0.texts[0]) }.map(\.id)
            #expect(Set(try store.ids(["where": ["a": condition], "limit": 1000])) == Set(alone))
            found += expected.count
        }
        #expect(found > 1000)
    }

    @Test(arguments: [
        ("abc", "", "abc"), ("^abc", "", "abc"), ("\\Qa.c\\E", "", "a.c"), ("ab\\.c\\-d", "i", "ab.c-d"),
        ("ABC", "i", "abc"), ("ABC", "", "ABC"), ("aé\\\"longer", "", "longer"), ("x/ab", "", "ab"),
    ])
    func aPatternWithoutOperatorsStandsForItsText(_ pattern: String, _ options: String, _ text: String) {
        #expect(LiteralPattern(pattern, options: options)?.text == text)
    }

    @Test(arguments: [
        ("a.c", ""), ("a|b", ""), ("a\\d", ""), ("a c", "x"), ("a\\", ""), ("\\Qa\\E|\\Qb\\E", ""),
        ("\\Qa\\E\u{301}|b\\Qc\\E", ""), ("é", ""), ("", ""),
        ("a{2}", ""), ("ab?", ""),
    ])
    func aPatternWithOperatorsStandsForNoText(_ pattern: String, _ options: String) {
        #expect(LiteralPattern(pattern, options: options) == nil)
    }
}
