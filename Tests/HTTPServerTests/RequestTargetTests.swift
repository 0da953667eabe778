import HTTPTypes
import Testing

@testable import HTTPServer

struct RequestTargetTests {
    @Test(arguments: [
        ("/", "/", nil), ("/a/b", "/a/b", nil), ("/a?b=c", "/a", "b=c"), ("/a?", "/a", ""), ("/?a?b", "/", "a?b"),
        ("http://host:80/a?b", "/a", "b"), ("HTTPS://host", "/", nil), ("http://host?b", "/", "b"),
        ("/%2F%00", "/%2F%00", nil),
    ])
    func aRequestTargetIsSplitIntoPathAndQuery(text: String, path: String, query: String?) throws {
        let target = try #require(RequestTarget(text))
        #expect(target.path == path)
        #expect(target.query == query)
    }

    @Test(arguments: ["", "a", "*", "?a", "host:80", "ftp://host/a", "/a b", "/\u{E4}", "/\u{7F}", "/\t"])
    func anInvalidRequestTargetIsRefused(text: String) {
        #expect(RequestTarget(text) == nil)
    }
}

struct BodyFramingTests {
    @Test func theBodyFramingIsReadFromLengthAndTransferEncoding() {
        #expect(BodyFraming([:]) == .length(0))
        #expect(BodyFraming([.contentLength: "17"]) == .length(17))
        #expect(BodyFraming([.transferEncoding: "Chunked"]) == .chunked)
    }

    @Test(
        arguments: [
            [(.contentLength, "-1")], [(.contentLength, "+1")], [(.contentLength, "1, 1")], [(.contentLength, "")],
            [(.contentLength, "1"), (.contentLength, "1")], [(.contentLength, "99999999999999999999")],
            [(.transferEncoding, "gzip, chunked")], [(.transferEncoding, "chunked"), (.transferEncoding, "chunked")],
            [(.transferEncoding, "chunked"), (.contentLength, "1")],
        ] as [[(HTTPField.Name, String)]])
    func contradictoryBodyFramingIsRefused(fields: [(HTTPField.Name, String)]) {
        #expect(BodyFraming(HTTPFields(fields.map { HTTPField(name: $0.0, value: $0.1) })) == nil)
    }
}
