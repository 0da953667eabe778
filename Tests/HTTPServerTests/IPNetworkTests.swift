import Testing

@testable import HTTPServer

@Suite struct IPNetworkTests {
    @Test(arguments: [
        ("10.0.0.1", "10.0.0.1", true), ("10.0.0.1", "10.0.0.2", false), ("10.0.0.0/8", "10.255.3.4", true),
        ("10.0.0.0/8", "11.0.0.1", false), ("192.168.4.128/25", "192.168.4.200", true),
        ("192.168.4.128/25", "192.168.4.127", false), ("0.0.0.0/0", "203.0.113.9", true),
        ("0.0.0.0/0", "fd00::1", false), ("::/0", "fd00::1", true), ("::/0", "203.0.113.9", false),
        ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe80::1", false), ("2001:db8::/65", "2001:db8::7fff:0:0:1", true),
        ("2001:db8::/65", "2001:db8::8000:0:0:1", false), ("10.0.0.0/8", "::ffff:10.1.2.3", true),
    ])
    func anIPNetworkContainsTheAddressesWithItsPrefix(_ network: String, _ address: String, _ isInside: Bool) throws {
        #expect(try #require(IPNetwork(network)).contains(try #require(IPAddress(address))) == isInside)
    }

    @Test(arguments: [
        "", "box", "10.0.0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "fd00::/129", "10.0.0.0/8/8", "/8",
    ])
    func invalidIPNetworksAreRefused(_ text: String) { #expect(IPNetwork(text) == nil) }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true), ("128.0.0.1", false),
        ("::2", false), ("::", false), ("::7f00:1", false),
    ])
    func loopbackAddressesAreRecognized(_ text: String, _ isLoopback: Bool) throws {
        #expect(try #require(IPAddress(text)).isLoopback == isLoopback)
    }

    @Test(arguments: ["127.0.0.1", "203.0.113.9", "::1", "fd00::7:1"])
    func ipAddressesPrintAsWritten(_ text: String) throws { #expect(IPAddress(text)?.description == text) }
}
