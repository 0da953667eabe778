import Foundation

/// The listening address of the gateway: an IP address and a port.
package struct ListenAddress: Sendable, Hashable, CustomStringConvertible {
    /// The IP address without brackets: `127.0.0.1` or `::1`.
    package let host: String
    /// The port; 0 for any free port.
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    package static let standard = ListenAddress(host: "127.0.0.1", port: 1338)

    /// Reads an address such as `127.0.0.1:1338`, `[::1]:1338` or `localhost:1338`.
    /// - Returns: nil for any other text. A host name other than `localhost` is not accepted, because it could resolve to a
    ///   loopback address while the settings are checked, and to another address later.
    package init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }), let port = UInt16(digits) else {
            return nil
        }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = String(host.dropFirst().dropLast())
            guard Self.isIPv6(host) else { return nil }
        } else if host == "localhost" {
            host = "127.0.0.1"
        } else if !Self.isIPv4(host) {
            return nil
        }
        self.init(host: host, port: port)
    }

    /// True if only programs on this machine can reach the address.
    package var isLoopback: Bool { host == "::1" || host.hasPrefix("127.") }

    /// Whether the host of a URL is a loopback address, `localhost`, or a name that ends in `.localhost`. Looks up no name.
    static func isLoopback(host: String) -> Bool {
        let name = host.lowercased()
        return ["localhost", "::1", "[::1]"].contains(name) || name.hasSuffix(".localhost")
            || name.hasPrefix("127.") && isIPv4(name)
    }

    /// Whether the host of a URL is a loopback address or a name of one.
    package static func isLoopback(url: String) -> Bool {
        URLComponents(string: url)?.host.map(isLoopback(host:)) ?? false
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    private static func isIPv4(_ text: String) -> Bool {
        var address = in_addr()
        return inet_pton(AF_INET, text, &address) == 1
    }

    private static func isIPv6(_ text: String) -> Bool {
        var address = in6_addr()
        return inet_pton(AF_INET6, text, &address) == 1
    }
}
