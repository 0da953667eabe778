import ParseModel
import Testing

@Suite struct PercentCodingTests {
    @Test(arguments: [
        ("azAZ09-._~", "azAZ09-._~"), ("a b+c/d", "a%20b%2Bc%2Fd"), ("ü", "%C3%BC"), ("", ""),
        ("..", "%2E%2E"), (".", "%2E"), (".a", ".a"),
    ])
    func pathSegmentsAreEncodedAndDecoded(_ text: String, _ encoded: String) {
        #expect(PercentCoding.encodedPathSegment(text) == encoded)
        #expect(PercentCoding.decodedPathSegment(encoded[...].utf8) == text)
    }

    @Test func percentEncodingOfAQueryKeepsDots() { #expect(PercentCoding.encoded("..") == "..") }

    @Test(arguments: ["%", "%2", "%zz", "a%00b", "a\0b"])
    func invalidPathSegmentsDecodeToNil(_ text: String) {
        #expect(PercentCoding.decodedPathSegment(text[...].utf8) == nil)
    }

    @Test func queryStringIsDecodedLikeAForm() {
        let parameters = PercentCoding.parameters(ofQuery: Array("a=1+2&b=%zz&a=%33&c".utf8))
        #expect(parameters == ["a": ["1 2", "3"], "b": "%zz", "c": ""])
    }
}
