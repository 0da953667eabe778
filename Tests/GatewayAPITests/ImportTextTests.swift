import ParseModel
import Testing

@testable import GatewayAPI

@Suite struct ImportTextTests {
    /// Reads a text in pieces of random sizes.
    private func records(
        _ text: [UInt8], _ random: inout SeededRandom, _ limits: ImportLimits = ImportLimits()
    ) throws -> [ImportRecord] {
        var reader = NDJSONText(limits)
        var (found, place): ([ImportRecord], Int) = ([], 0)
        while place < text.count {
            let end = min(text.count, place + Int(random.next() % 9) + 1)
            try reader.take(Array(text[place..<end]), &found)
            place = end
        }
        try reader.finish(&found)
        return found
    }

    @Test func theObjectsOfAnyLinesAreFoundWithTheirNumbers() throws {
        var random = SeededRandom(seed: 1)
        let texts = ["{}", #"{"a":"]}\"\\"}"#, #"{"ü":"\n"}"#, "{\"a\":[{}]}\r", "", "  ", "{bad}", "[1]", "7"]
        for round in 0..<300 {
            let lines = (0..<random.next() % 7).map { _ in texts[Int(random.next() % UInt64(texts.count))] }
            let mark = round.isMultiple(of: 3) ? "\u{FEFF}" : ""
            let found = try records(Array((mark + lines.joined(separator: "\n")).utf8), &random)
            let expected = lines.enumerated().filter { !$0.element.allSatisfy { " \r".contains($0) } }
            #expect(found.map(\.line) == expected.map { $0.offset + 1 })
            for (record, line) in zip(found, expected) {
                let object = try? JSONReader.read(line.element).object
                #expect((try? record.fields.get()) == object, "\(line.element)")
            }
        }
    }

    @Test func anyBytesAreReadOrRefusedLineByLine() throws {
        var random = SeededRandom(seed: 2)
        let bytes = Array("{}[],:\"\\a1 \n\r".utf8) + [0, 0xC3, 0xFF]
        var (read, refused) = (0, 0)
        for _ in 0..<5000 {
            let middle = (0..<random.next() % 4).map { _ in bytes[Int(random.next() % UInt64(bytes.count))] }
            let text = Array("{\"a\":".utf8) + middle + Array("1}".utf8)
            for record in try records(text, &random) {
                if case .success = record.fields { read += 1 } else { refused += 1 }
            }
        }
        #expect(read > 1000 && refused > 1000, "\(read) \(refused)")
    }

    @Test func aLineThatIsTooLongEndsTheImportAlsoWithoutItsEnd() {
        var random = SeededRandom(seed: 3)
        let limits = ImportLimits(objectBytesMax: 100)
        for end in ["", "\n", "\n{}"] {
            let text = "{}\n{\"a\":\"" + String(repeating: "b", count: 200) + "\"}" + end
            #expect(throws: ParseError.self) { try records(Array(text.utf8), &random, limits) }
        }
    }
}
