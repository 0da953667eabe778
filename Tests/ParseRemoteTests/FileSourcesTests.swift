import HTTPClient
import HTTPTypes
import ParseModel
import RemoteHTTP
import RemoteService
import Synchronization
import Testing

@testable import ParseRemote

/// Tests of the addresses from which files may be fetched.
struct FileSourcesTests {
    private final class Sink: ContentSink {
        let text = Mutex("")
        func write(_ bytes: UnsafeRawBufferPointer) { text.withLock { $0 += String(decoding: bytes, as: UTF8.self) } }
    }

    private let remote = WebAddress("https://example.org/parse")

    /// Whether a connection to the resolved address is allowed; nil if the URL itself is rejected.
    private func mayConnect(
        _ url: String, to address: String, _ sources: FileSources = FileSources(proxies: .init(environment: [:]))
    ) throws -> Bool? {
        let request = try? sources.request(for: url, of: remote)
        let target = try #require(SocketAddress(address, port: UInt16(WebAddress(url)?.port ?? 0)))
        return request.map { $0.mayConnect?(target) ?? true }
    }

    @Test(arguments: [
        ("https://example.org/parse/files/app/a", "10.0.0.1", true), ("http://example.org/a", "10.0.0.1", false),
        ("https://example.org:8443/a", "10.0.0.1", false), ("https://cdn.example.net/a", "1.1.1.1", true),
        ("https://cdn.example.net/a", "127.0.0.1", false), ("http://127.0.0.1:1338/sync", "127.0.0.1", false),
        ("http://[::ffff:127.0.0.1]/", "::ffff:127.0.0.1", false),
        ("http://169.254.169.254/", "169.254.169.254", false),
        ("http://files.lan/a", "192.168.1.5", true), ("http://files.lan:81/a", "192.168.1.5", true),
        ("http://10.0.0.5:9000/a", "10.0.0.5", true), ("http://10.0.0.5:9001/a", "10.0.0.5", false),
        ("file:///etc/passwd", "127.0.0.1", nil), ("ftp://example.org/a", "1.1.1.1", nil), ("nonsense", "1.1.1.1", nil),
        ("http://example.org@10.0.0.9/a", "10.0.0.9", false), ("http://FILES.lan/a", "192.168.1.5", true),
    ])
    func theConnectedAddressDecidesWhetherAFileMayBeFetched(_ url: String, _ address: String, _ expected: Bool?) throws
    {
        let sources = FileSources(hosts: ["files.lan", "10.0.0.5:9000"], proxies: .init(environment: [:]))
        #expect(try mayConnect(url, to: address, sources) == expected)
    }

    @Test func filesAreNeverFetchedFromTheGatewayItself() throws {
        let own = SocketAddress("192.168.1.2", port: 1338)
        let sources = FileSources(
            hosts: ["192.168.1.2:1338", "me.lan"], proxies: .init(environment: [:]), isOwn: { $0 == own })
        #expect(try mayConnect("http://192.168.1.2:1338/sync", to: "192.168.1.2", sources) == false)
        #expect(try mayConnect("http://me.lan:1338/sync", to: "192.168.1.2", sources) == false)
        #expect(try mayConnect("http://me.lan:1337/a", to: "192.168.1.2", sources) == true)
    }

    @Test func onlyConfiguredHostsAreReachedThroughAProxy() throws {
        let sources = FileSources(
            hosts: ["files.lan"], proxies: .init(environment: ["all_proxy": "http://proxy:1", "no_proxy": "near.org"]))
        #expect(try mayConnect("https://cdn.example.net/a", to: "1.1.1.1", sources) == nil)
        #expect(try mayConnect("https://near.org/a", to: "1.1.1.1", sources) == true)
        #expect(try mayConnect("https://near.org/a", to: "10.0.0.1", sources) == false)
        for url in ["https://example.org/parse/files/a", "http://files.lan/a"] {
            #expect(try sources.request(for: url, of: remote).mayUseProxy)
        }
        #expect(try !sources.request(for: "https://near.org/a", of: remote).mayUseProxy)
    }

    // MARK: Redirections

    private func download(_ url: String, _ transport: ScriptedTransport) async throws(RemoteError) -> String {
        let sink = Sink()
        _ = try await ParseRemote.make(transport).files?.download(url, into: sink)
        return sink.text.withLock { $0 }
    }

    private func redirect(to url: String) -> HTTPClientResponse {
        HTTPClientResponse(status: .found, redirectURL: url)
    }

    @Test func eachRedirectionOfADownloadIsChecked() async throws {
        let transport = ScriptedTransport(
            redirect(to: "https://cdn.example.net/a"), HTTPClientResponse(status: .ok, body: Array("meow".utf8)))
        #expect(try await download("http://127.0.0.1:1337/parse/files/a", transport) == "meow")
        let sent = await transport.sent
        #expect(sent.map(\.url) == ["http://127.0.0.1:1337/parse/files/a", "https://cdn.example.net/a"])
        let loopback = try #require(SocketAddress("127.0.0.1", port: 443))
        #expect(sent.map { $0.mayConnect?(loopback) } == [true, false])
    }

    @Test(arguments: ["file:///etc/passwd", "gopher://example.org/"])
    func redirectionToAnotherSchemeIsRejected(_ target: String) async {
        let transport = ScriptedTransport(redirect(to: target))
        await #expect(
            throws: RemoteError.refused(code: 119, message: "The file's address is neither http nor https.")
        ) {
            try await download("http://127.0.0.1:1337/parse/files/a", transport)
        }
    }

    @Test func numberOfRedirectionsIsLimited() async {
        let transport = ScriptedTransport(answering: { [self] _ in .success(redirect(to: "https://example.org/a")) })
        await #expect(throws: RemoteError.self) { try await download("https://example.org/a", transport) }
        #expect(await transport.sent.count == 6)
    }

    @Test func aForbiddenDownloadAddressIsReportedWithItsReason() async {
        let transport = ScriptedTransport([.failure(.forbidden(address: "127.0.0.1"))])
        let error = await #expect(throws: RemoteError.self) { try await download("http://evil.example/a", transport) }
        guard case .refused(119, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("evil.example") && reason.contains("127.0.0.1") && reason.contains("--file-hosts"))
    }
}
