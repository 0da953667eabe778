import ParseModel
import Testing

@Suite struct JSONArraySplitterTests {
    private func elements(_ text: [UInt8], _ random: inout SeededRandom) throws -> [JSONArraySplitter.Element] {
        var splitter = JSONArraySplitter(elementBytesMax: 10_000)
        var (found, place): ([JSONArraySplitter.Element], Int) = ([], 0)
        while place < text.count {
            let end = min(text.count, place + Int(random.next() % 9) + 1)
            try splitter.take(text[place..<end]) { found.append($0) }
            place = end
        }
        try splitter.finish()
        return found
    }

    @Test func theElementsOfAnyListOfObjectsAreFoundWithTheirLines() throws {
        var random = SeededRandom(seed: 1)
        let texts = ["{}", #"{"a":"]}\"\\"}"#, "{\"a\":[{\"b\":\n[]}]}", #"{"ü":"\\\\"}"#]
        for round in 0..<300 {
            let chosen = (0..<random.next() % 5).map { _ in texts[Int(random.next() % 4)] }
            let list = "[ " + chosen.joined(separator: " ,\n ") + "\n]"
            let whole = round.isMultiple(of: 2) ? list : "{ \"results\" :\(list), \"count\": 3 }"
            let found = try elements(Array(whole.utf8), &random)
            #expect(found.map { String(decoding: $0.text, as: UTF8.self) } == chosen)
            var line = 1
            for (element, text) in zip(found, chosen) {
                #expect(element.line == line)
                line += 1 + text.count { $0 == "\n" }
            }
        }
    }

    @Test func anyBytesAreReadOrRefused() {
        var random = SeededRandom(seed: 2)
        let bytes = Array("[]{},\"\\a \n".utf8)
        var refused = 0
        for _ in 0..<5000 {
            let text = [UInt8(ascii: "[")] + (0..<random.next() % 10).map { _ in bytes[Int(random.next() % 10)] }
            do { _ = try elements(text, &random) } catch {
                #expect(error is ParseError)
                refused += 1
            }
        }
        #expect(refused > 1000)
    }
}
