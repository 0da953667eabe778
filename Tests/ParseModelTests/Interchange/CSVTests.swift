import ParseModel
import Testing

@Suite struct CSVTests {
    /// Reads a text in pieces of random sizes.
    private func records(_ text: [UInt8], _ random: inout SeededRandom) throws -> [CSVReader.Record] {
        var reader = CSVReader(recordBytesMax: 1000)
        var (records, place): ([CSVReader.Record], Int) = ([], 0)
        while place < text.count {
            let end = min(text.count, place + Int(random.next() % 7) + 1)
            try reader.take(text[place..<end]) { records.append($0) }
            place = end
        }
        try reader.finish { records.append($0) }
        return records
    }

    private func cells(_ text: String) throws -> [[String]] {
        var random = SeededRandom(seed: 1)
        return try records(Array(text.utf8), &random).map { $0.cells.map(\.text) }
    }

    @Test func recordsMayHaveQuotesLineBreaksAndAnyLineEnd() throws {
        let table = "\u{FEFF}a,b\r\n\"x \"\"y\"\"\",\"two\r\nlines\"\r\n\r\n,\n\"\",z\rlast"
        #expect(try cells(table) == [["a", "b"], ["x \"y\"", "two\r\nlines"], ["", ""], ["", "z"], ["last"]])
        var random = SeededRandom(seed: 2)
        #expect(try records(Array(table.utf8), &random).map(\.line) == [1, 2, 5, 6, 7])
        #expect(try cells("") == [])
    }

    @Test(arguments: ["a\"b", "\"a\"b", "\"a", "\"a\n"]) func malformedTextIsRefused(text: String) {
        #expect(throws: ParseError.self) { try cells(text) }
    }

    @Test func aTooLongRecordAndInvalidUTF8AreRefused() {
        #expect(throws: ParseError.self) { try cells(String(repeating: "a", count: 1001)) }
        var random = SeededRandom(seed: 1)
        #expect(throws: ParseError.self) { try records([0x61, 0xFF, 0x0A], &random) }
        #expect(throws: ParseError.self) { try records([0xEF, 0x41], &random) }
    }

    @Test func writtenCellsAreReadBack() throws {
        var random = SeededRandom(seed: 3)
        let parts = ["a", "\"", ",", "\r", "\n", " ", "\t", "ü", "=", "'", "", "\u{FEFF}"]
        for _ in 0..<500 {
            let rows = (0..<3).map { _ in
                (0..<3).map { _ in (0..<random.next() % 5).map { _ in parts[Int(random.next() % 12)] }.joined() } + [
                    "end"
                ]
            }
            var bytes = CSVText.mark
            for row in rows { CSVText.append(row, to: &bytes) }
            #expect(try records(bytes, &random).map { $0.cells.map(\.text) } == rows)
        }
    }

    @Test func anyBytesAreReadOrRefused() {
        var random = SeededRandom(seed: 4)
        let bytes: [UInt8] = [0x22, 0x2C, 0x0D, 0x0A, 0x61, 0xC3, 0xBC, 0xEF, 0xBB, 0xBF, 0x00]
        var (read, refused) = (0, 0)
        for _ in 0..<5000 {
            let text = (0..<random.next() % 12).map { _ in bytes[Int(random.next() % 11)] }
            do {
                _ = try records(text, &random)
                read += 1
            } catch {
                #expect(error is ParseError)
                refused += 1
            }
        }
        #expect(read > 100 && refused > 100)
    }

    @Test func aTextThatASpreadsheetCouldRunGetsAnApostrophe() {
        let hostile = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "\u{FF1D}1"]
        #expect(hostile.map { CSVText.cell(.string($0)) } == hostile.map { "'" + $0 })
        #expect(["a=1", "'=1", " =1", ""].map { CSVText.cell(.string($0)) } == ["a=1", "'=1", " =1", ""])
        #expect(CSVText.cell(["__type": "Pointer", "className": "X", "objectId": "=HYPERLINK()"]) == "'=HYPERLINK()")
        #expect([-5, 1.5, true, nil].map { CSVText.cell($0) } == ["-5", "1.5", "true", ""])
        #expect([["=1"], ["a": 1]].map { CSVText.cell($0) } == ["[\"=1\"]", "{\"a\":1}"])
    }

    @Test func headsNameTypesAndPaths() throws {
        let column = try CSVColumn(head: "project:Pointer<Project>")
        #expect(column.name == "project" && column.type == .pointer("Project"))
        #expect(try CSVColumn(head: "address.city").path == ["address", "city"])
        for wrong in ["", "a:Day", "a..b", ":String", "p:Pointer"] {
            #expect(throws: ParseError.self) { try CSVColumn(head: wrong) }
        }
    }

    @Test func cellsBecomeValuesOfTheirType() throws {
        func value(_ type: String?, _ text: String, isQuoted: Bool = false) throws -> JSONValue? {
            try CSVColumn(name: "f", type: type.map { try CSVColumn.type($0) })
                .value(of: CSVReader.Cell(text, isQuoted: isQuoted))
        }
        #expect(try value("Number", "-2.50") == -2.5)
        #expect(try value("Boolean", "TRUE") == true)
        #expect(try value("String", "'=1") == "=1")
        #expect(try value("String", "12") == "12")
        #expect(try value("String", "", isQuoted: true) == "")
        #expect(try value("String", "") == nil && value("Number", "", isQuoted: true) == nil)
        #expect(try value("GeoPoint", #"{"__type":"GeoPoint","latitude":1,"longitude":2}"#)?.object?["latitude"] == 1)
        #expect(
            try [value(nil, "12"), value(nil, "012"), value(nil, "true"), value(nil, "-x"), value(nil, "1e5")] == [
                12, "012", true, "-x", 1e5,
            ])
        for (type, text) in [
            ("Number", "1,5"), ("Boolean", "yes"), ("Date", "tomorrow"), ("GeoPoint", "{}"), ("Array", "{}"),
            ("Object", "[]"),
        ] {
            #expect(throws: ParseError.self, "\(type)") { try value(type, text) }
        }
    }
}
