import Testing

@testable import HTTPClient

struct ResponseCollectorTests {
    /// A thousand header lines of libcurl's maximum length would take 100 MB, so a limit of lines is not enough.
    @Test func responseHeadersAreBoundedInBytes() {
        var collector = ResponseCollector()
        let line = Array(("A: " + String(repeating: "b", count: 90_000) + "\r\n").utf8)
        var lines = 0
        while lines < 100, line.withUnsafeBytes({ collector.addHeaderLine($0) }) { lines += 1 }
        #expect(lines == 11)
        #expect(collector.problem?.contains("1048576 bytes") == true)
    }
}
