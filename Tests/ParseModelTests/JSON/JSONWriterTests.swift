import ParseModel
import Testing

@Suite struct JSONWriterTests {
    @Test(
        arguments: [
            (.null, "null"), (true, "true"), (false, "false"), (-12.5, "-12.5"), ([], "[]"), ([:], "{}"),
            (["b": [1, "x", nil], "a": [:]], #"{"b":[1,"x",null],"a":{}}"#), ([[], [[]], [:]], "[[],[[]],{}]"),
        ] as [(JSONValue, String)])
    func writtenJSONHasNoSpacesAndKeepsTheOrderOfMembers(value: JSONValue, text: String) {
        #expect(value.jsonText == text)
        #expect(Array(text.utf8) == value.jsonBytes)
    }

    @Test(arguments: [
        ("plain", "plain"), ("é日🎄/\u{7F}\u{2028}", "é日🎄/\u{7F}\u{2028}"), ("\"", #"\""#), ("\\", #"\\"#),
        ("\u{8}\u{C}\n\r\t", #"\b\f\n\r\t"#),
        ("\0\u{1}\u{B}\u{F}\u{10}\u{1F}", #"\u0000\u0001\u000b\u000f\u0010\u001f"#),
        ("say \"hi\" twice, \"hi\"", #"say \"hi\" twice, \"hi\""#),
    ])
    func onlyRequiredCharactersAreEscaped(text: String, inside: String) {
        #expect(JSONValue.string(text).jsonText == "\"\(inside)\"")
        #expect(JSONObject(dictionaryLiteral: (text, 1)).jsonText == "{\"\(inside)\":1}")
    }

    @Test func rawJSONCanBeAppended() {
        var writer = JSONWriter()
        writer.raw("[")
        writer.write(["a": 1] as JSONObject)
        writer.raw(",null]")
        #expect(writer.bytes == Array(#"[{"a":1},null]"#.utf8))
    }
}
