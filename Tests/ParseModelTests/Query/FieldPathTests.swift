import ParseModel
import Testing

@Suite struct FieldPathTests {
    @Test(arguments: [
        ("name", ["name"]), ("a.b", ["a", "b"]), ("tags.0", ["tags", "0"]), ("a._b.c_1", ["a", "_b", "c_1"]),
        ("link.objectId", ["link", "objectId"]), ("date.__type", ["date", "__type"]),
    ])
    func aFieldPathIsSplitIntoSegments(dotted: String, segments: [String]) throws {
        let path = try FieldPath(dotted)
        #expect(path.segments == segments)
        #expect(path.dotted == dotted)
    }

    @Test func pathsAreBoundedInSegmentsAndInBytes() throws {
        let deep = { (count: Int) in "a" + String(repeating: ".0", count: count - 1) }
        #expect(try FieldPath(deep(FieldPath.segmentsMax)).segments.count == FieldPath.segmentsMax)
        #expect(throws: ParseError.self) { try FieldPath(deep(FieldPath.segmentsMax + 1)) }
        let long = String(repeating: "a", count: FieldPath.bytesMax)
        #expect(try FieldPath(long).segments == [long])
        #expect(throws: ParseError(.invalidFieldName, "A key name is longer than 1000 bytes.")) {
            try FieldPath(long + "a")
        }
    }

    @Test(arguments: [
        "", ".", "a.", ".a", "a..b", "_a", "0a", "0", "a.0b", "a-b", "a b", "a'b", "a\"b", "a[0]", "$a", "a.$b", "é",
        "a\u{0}",
        "a;b", String(repeating: "a.", count: 40) + "a",
    ])
    func invalidPathsAreRefusedWithTheirName(dotted: String) {
        #expect(throws: ParseError(.invalidFieldName, "Invalid key name: \(dotted)")) { try FieldPath(dotted) }
    }
}
