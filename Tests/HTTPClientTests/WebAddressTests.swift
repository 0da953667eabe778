import Testing

@testable import HTTPClient

struct WebAddressTests {
    @Test(arguments: [
        ("http://Example.org/a?b#c", "http", "example.org", 80),
        ("https://example.org:8443", "https", "example.org", 8443), ("HTTPS://[::1]:1/x", "https", "[::1]", 1),
        ("http://user:pass@host/", "http", "host", 80), ("http://2130706433/", "http", "127.0.0.1", 80),
        ("http://0x7f.1/", "http", "127.0.0.1", 80),
    ])
    func thePartsOfAURLAreParsed(_ url: String, _ scheme: String, _ host: String, _ port: Int) throws {
        let address = try #require(WebAddress(url))
        #expect((address.scheme, address.host, address.port) == (scheme, host, port))
    }

    @Test(arguments: [
        ("http://Example.org/a?b#c", "example.org", "/a?b"), ("https://example.org:8443", "example.org:8443", "/"),
        ("https://user@[::1]:443?q", "[::1]", "/?q"), ("http://h:80/%2F/../x", "h", "/%2F/../x"),
    ])
    func aRequestNamesTheHostAndTheTarget(_ url: String, _ authority: String, _ target: String) throws {
        let address = try #require(WebAddress(url))
        #expect((address.authority, address.target) == (authority, target))
    }

    @Test(arguments: ["", "example.org", "file:///etc/passwd", "ftp://example.org/", "gopher://h/", "http://", "//h/x"])
    func invalidURLsAreRejected(_ url: String) { #expect(WebAddress(url) == nil) }

    @Test func urlsOfOneOriginHaveEqualSchemeHostAndPort() throws {
        let remote = try #require(WebAddress("https://example.org/parse"))
        #expect(try remote.hasSameOrigin(as: #require(WebAddress("https://EXAMPLE.org:443/files/a"))))
        for other in ["http://example.org/", "https://example.org:444/", "https://a.example.org/"] {
            #expect(try !remote.hasSameOrigin(as: #require(WebAddress(other))))
        }
    }

    @Test(
        arguments: [
            ([:], "http://a.org/", false), (["http_proxy": "p:1"], "http://a.org/", true),
            (["HTTP_PROXY": "p:1"], "http://a.org/", false), (["HTTPS_PROXY": "p:1"], "https://a.org/", true),
            (["https_proxy": "p:1"], "http://a.org/", false), (["ALL_PROXY": "p:1"], "http://a.org/", true),
            (["all_proxy": "p:1", "no_proxy": "b.org, .a.org"], "http://x.a.org/", false),
            (["all_proxy": "p:1", "no_proxy": "a.org"], "http://ba.org/", true),
            (["all_proxy": "p:1", "NO_PROXY": "*"], "http://a.org/", false),
            (["all_proxy": "p:1"], "http://127.0.0.1:1/", false),
        ] as [([String: String], String, Bool)])
    func environmentVariablesDecideWhetherAProxyIsUsed(
        _ environment: [String: String], _ url: String, _ isUsed: Bool
    ) throws {
        #expect(try ProxySettings(environment: environment).apply(to: #require(WebAddress(url))) == isUsed)
    }
}
