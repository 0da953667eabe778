import ParseModel
import Testing

/// A valid and an invalid example of each rule of RFC 8259.
@Suite struct JSONReaderTests {
    @Test(
        arguments: [
            ("null", .null), ("true", true), ("false", false), ("0", 0), ("\"\"", ""), ("[]", []), ("{}", [:]),
            (" \t\r\n null \n", .null), ("[ ]", []), ("{ }", [:]), ("[[],[[]]]", [[], [[]]]),
            ("[1,2 , 3]", [1, 2, 3]), ("[true,false,null]", [true, false, nil]),
            (#"{"a":1,"b":{"c":[]}}"#, ["a": 1, "b": ["c": []]]), (#"{ "a" : 1 , "b" : 2 }"#, ["a": 1, "b": 2]),
            (#"{"":0}"#, ["": 0]), (#"{"a\u0062":0}"#, ["ab": 0]),
        ] as [(String, JSONValue)])
    func validJSONTextsAreRead(text: String, value: JSONValue) throws {
        #expect(try JSONReader.read(text) == value)
        #expect(try JSONReader.read(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        "0", "-0", "1", "-1", "10", "1234567890", "0.0", "-0.0", "0.5", "1.25", "1e0", "1E0", "1e+2", "1e-2", "1.5E+10",
        "0e0", "0E-1", "123456789012345678901234567890", "0.1000", "1e999", "-1e-999",
    ])
    func numbersKeepTheirText(text: String) throws {
        #expect(try JSONReader.read(text).number?.text == text)
        #expect(try JSONReader.read("[\(text)]").jsonText == "[\(text)]")
    }

    @Test(arguments: [
        "+1", "01", "-01", "00", ".5", "-.5", "1.", "-1.", "1.e1", "1e", "1e+", "1E-", "-", "--1", "0x10", "1_000",
        "1,0",
        "Infinity", "-Infinity", "NaN", "1e1.5", "1 2", "１", "0.1.2", "1a",
    ])
    func invalidNumbersAreRefused(text: String) {
        #expect(throws: JSONReader.SyntaxError.self) { try JSONReader.read(text) }
        #expect(throws: JSONReader.SyntaxError.self) { try JSONReader.read("[\(text)") }
    }

    @Test(arguments: [
        ("\\\"", "\""), ("\\\\", "\\"), ("\\/", "/"), ("/", "/"), ("\\b", "\u{8}"), ("\\f", "\u{C}"), ("\\n", "\n"),
        ("\\r", "\r"), ("\\t", "\t"), ("\\u0041", "A"), ("\\u00e9", "é"), ("\\u00E9", "é"), ("\\u20aC", "€"),
        ("\\u0000", "\0"), ("\\uFFFF", "\u{FFFF}"), ("a\\nb\\nc", "a\nb\nc"), ("\u{7F}", "\u{7F}"), ("é日🎄", "é日🎄"),
        ("\u{2028}", "\u{2028}"), ("\\ud83c\\udf84", "🎄"), ("\\uD83C\\uDF84!", "🎄!"),
        ("\\uD800\\uDC00", "\u{10000}"), ("\\uDBFF\\uDFFF", "\u{10FFFF}"),
        // Lone surrogates, with JavaScript's replacement character.
        ("\\ud83c", "\u{FFFD}"), ("\\udf84", "\u{FFFD}"), ("\\ud83cx", "\u{FFFD}x"), ("\\ud83c\\n", "\u{FFFD}\n"),
        ("\\ud83c\\u0041", "\u{FFFD}A"), ("\\ud83c\\ud83c\\udf84", "\u{FFFD}🎄"), ("\\udf84\\ud83c", "\u{FFFD}\u{FFFD}"),
    ])
    func escapesInStringsAreDecoded(inside: String, text: String) throws {
        #expect(try JSONReader.read("\"\(inside)\"").string?.isExactly(text) == true)
        #expect(try JSONReader.read("{\"\(inside)\":0}").object?.keys.first?.isExactly(text) == true)
    }

    @Test(arguments: [
        "\"", "\"a", "\"\\", "\"\\\"", "\"\\a\"", "\"\\'\"", "\"\\x41\"", "\"\\0\"", "\"\\u\"", "\"\\u12\"",
        "\"\\u12G4\"",
        "\"\\u 123\"", "\"\\U0041\"", "\"\\ud83c\\u\"", "\"\\ud83c\\uZZZZ\"", "'a'", "\"a\"\"", "\"a\nb\"", "\"\t\"",
        "\"\0\"", "\"\u{1F}\"", "\"\\\n\"",
    ])
    func invalidStringsAreRefused(text: String) {
        #expect(throws: JSONReader.SyntaxError.self) { try JSONReader.read(text) }
    }

    @Test(arguments: 0..<UInt8(0x20)) func controlCharactersMustBeEscaped(byte: UInt8) throws {
        #expect(throws: JSONReader.SyntaxError.self) { try JSONReader.read([0x22, byte, 0x22]) }
        #expect(throws: JSONReader.SyntaxError.self) { try JSONReader.read([0x22, 0x5C, 0x6E, byte, 0x22]) }
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xE0, 0x80, 0xAF],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x9F, 0x8E], [0xF0, 0x80, 0x80, 0xAF],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        ] as [[UInt8]])
    func malformedUTF8IsRefused(bytes: [UInt8]) {
        for text in [[0x22] + bytes + [0x22], [0x22, 0x5C, 0x6E] + bytes + [0x22], bytes, [0x5B] + bytes + [0x5D]] {
            #expect(throws: JSONReader.SyntaxError.self) { try JSONReader.read(text) }
        }
    }

    @Test(arguments: [
        "", " ", "nul", "nulll", "True", "tru", "fals", "undefined", "[", "]", "[1", "[1,", "[1,]", "[,1]", "[,]",
        "[1 2]",
        "[1;2]", "[1}", "{", "}", "{]", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{\"a\" 1}",
        "{\"a\",1}", "{a:1}", "{1:1}", "{\"a\":1 \"b\":2}", "{\"a\":}", "{null:1}", "{[]:1}", "[] []", "{}x",
        "null null",
        "// a\n1", "/* a */1", "[1]#", "\u{FEFF}1", "\u{A0}1", "\u{B}1", "\u{C}1", "\0",
    ])
    func invalidJSONTextsAreRefused(text: String) {
        #expect(throws: JSONReader.SyntaxError.self) { try JSONReader.read(text) }
    }

    @Test(arguments: [
        ("", "Unexpected end of JSON input", 0), (#"{"name": "#, "Unexpected end of JSON input", 9),
        ("{bad", "Unexpected token 'b' in JSON at position 1", 1),
        ("[1,]", "Unexpected token ']' in JSON at position 3", 3),
        ("\"a", "Unterminated string in JSON at position 2", 2),
        ("\"\\q\"", "Bad escaped character in JSON at position 2", 2),
        ("\"\\u00g0\"", "Bad Unicode escape in JSON at position 5", 5),
    ])
    func syntaxErrorsHaveMessageAndOffset(text: String, message: String, offset: Int) throws {
        let error = try #require(throws: JSONReader.SyntaxError.self) { try JSONReader.read(text) }
        #expect(error.message == message)
        #expect(error.offset == offset)
    }

    @Test func theNestingDepthOfJSONIsBounded() throws {
        let nested = { (depth: Int) in String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
        #expect(throws: Never.self) { try JSONReader.read(nested(JSONReader.depthMax)) }
        #expect(throws: JSONReader.SyntaxError.self) { try JSONReader.read(nested(JSONReader.depthMax + 1)) }
        #expect(throws: Never.self) { try JSONReader.read(#"{"a":{"b":1}}"#, depthMax: 2) }
        #expect(throws: JSONReader.SyntaxError.self) { try JSONReader.read(#"{"a":{"b":[]}}"#, depthMax: 2) }
        #expect(throws: JSONReader.SyntaxError.self) { try JSONReader.read(String(repeating: "[", count: 1_000_000)) }
        #expect(throws: JSONReader.SyntaxError.self) {
            try JSONReader.read(String(repeating: "{\"a\":", count: 100_000))
        }
    }

    @Test func theNumberOfJSONValuesIsBounded() throws {
        #expect(throws: Never.self) { try JSONReader.read(Array(#"{"a":[1,{}],"b":2}"#.utf8), valuesMax: 5) }
        let error = try #require(throws: JSONReader.SyntaxError.self) {
            try JSONReader.read(Array(#"{"a":[1,{}],"b":2}"#.utf8), valuesMax: 4)
        }
        #expect(error.isOverBound)
        #expect(throws: JSONReader.SyntaxError.self) {
            try JSONReader.read("[" + String(repeating: "[],", count: JSONReader.valuesMax) + "0]")
        }
    }

    @Test func syntaxErrorsAreNotReportedAsExceededLimits() throws {
        let error = try #require(throws: JSONReader.SyntaxError.self) { try JSONReader.read("[1,") }
        #expect(!error.isOverBound)
    }

    @Test func aRepeatedKeyKeepsItsFirstPositionAndLastValue() throws {
        let object = try #require(try JSONReader.read(#"{"a":1,"b":2,"\u0061":3}"#).object)
        #expect(object.keys == ["a", "b"])
        #expect(object["a"] == 3)
    }
}
