import Testing

@testable import HTTPClient

struct SocketAddressTests {
    @Test(arguments: [
        "1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "172.15.255.255", "172.32.0.0",
        "192.167.1.1", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::1",
        "64:ff9b::101:101", "2002:101:101::1", "2001:200::1",
    ])
    func publicAddressesAreRecognized(_ text: String) throws {
        #expect(try #require(SocketAddress(text, port: 80)).isPublic)
    }

    @Test(arguments: [
        "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "100.127.255.255", "127.0.0.1", "127.255.255.254",
        "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1", "192.168.1.1",
        "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:1.1.1.1", "::127.0.0.1", "64:ff9b::7f00:1",
        "64:ff9b::a00:1", "64:ff9b:1::101:101", "2002:7f00:1::1", "2002:c0a8:101::1", "2001::1", "2001:0:1::1",
        "2001:db8::1", "3fff::1", "fc00::1", "fd12:3456::1", "fe80::1", "fec0::1", "ff02::1", "100::1", "5f00::1",
    ])
    func privateAndReservedAddressesAreNotPublic(_ text: String) throws {
        #expect(try !#require(SocketAddress(text, port: 80)).isPublic)
    }

    @Test func socketAddressTextIsParsedAndFormatted() {
        #expect(SocketAddress("::1", port: 1)?.host == "::1")
        #expect(SocketAddress("192.0.2.1", port: 1)?.host == "192.0.2.1")
        #expect(SocketAddress("localhost", port: 1) == nil)
        #expect(SocketAddress("::ffff:10.0.0.1", port: 1)?.unmapped == SocketAddress("10.0.0.1", port: 1))
        #expect(SocketAddress("::1", port: 1)?.unmapped.isLoopback == true)
    }
}
