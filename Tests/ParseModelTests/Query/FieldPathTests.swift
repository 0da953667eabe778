import ParseModel
import Testing

@Suite struct FieldPathTests {
    @Test(arguments: [
        ("name", ["name"]), ("a.b", ["a", "b"]), ("tags.0", ["tags", "0"]), ("a._b.c_1", ["a", "_b", "c_1"]),
        ("link.objectId", ["link", "objectId"]), ("date.__type", ["date", "__type"]),
    ])
    func pathsHaveSegments(dotted: String, segments: [String]) throws {
        let path = try FieldPath(dotted)
        #expect(path.segments == segments)
        #expect(path.dotted == dotted)
    }

    @Test(arguments: [
        "", ".", "a.", ".a", "a..b", "_a", "0a", "0", "a.0b", "a-b", "a b", "a'b", "a\"b", "a[0]", "$a", "a.$b", "é",
        "a\u{0}",
        "a;b", String(repeating: "a.", count: 40) + "a",
    ])
    func otherTextsAreRefusedWithTheirName(dotted: String) {
        #expect(throws: ParseError(.invalidFieldName, "Invalid key name: \(dotted)")) { try FieldPath(dotted) }
    }
}
