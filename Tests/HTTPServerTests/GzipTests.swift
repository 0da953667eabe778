import HTTPClient
import HTTPServer
import HTTPTypes
import Testing

@Suite(.timeLimit(.minutes(5)))
struct GzipTests {
    @Test(arguments: [2000, 300_000])
    func compressedBodyArrivesUnchanged(_ count: Int) async throws {
        let text = (0..<count).map { "\($0 % 977)" }.joined(separator: ",")
        let server = try HTTPServer.make { _ in .now(HTTPServerResponse.text(text).gzipped()) }
        // libcurl requests gzip and decodes it.
        let response = try await CurlTransport().send(
            HTTPClientRequest(method: .get, url: server.url("/"), isRepeatable: true))
        #expect(response.text == text)
        await server.stop()
    }

    @Test func aStrongTagOfACompressedResponseBecomesWeak() {
        var response = HTTPServerResponse.text(String(repeating: "a", count: 1000))
        response.headers[.eTag] = "\"1\""
        #expect(response.gzipped().headers[.eTag] == "W/\"1\"")
        response.headers[.eTag] = "W/\"2\""
        #expect(response.gzipped().headers[.eTag] == "W/\"2\"")
    }

    @Test func incompressibleBodyStaysUncompressed() {
        #expect(HTTPServerResponse.text("ab").gzipped().headers[.contentEncoding] == nil)
        #expect(HTTPServerResponse.text("").gzipped().body.isEmpty)
    }
}
