/// The addresses with a common prefix: one address, or a network in CIDR form.
package struct IPNetwork: Sendable, Hashable {
    private let first: IPAddress
    /// The number of leading bits, of 128, that all addresses share.
    private let prefixLength: Int

    /// Reads an address (`10.0.0.1`, `fd00::1`) or a network in CIDR form (`10.0.0.0/8`, `fd00::/8`). Returns nil for any other
    /// text.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
        let bits = first.contains(":") ? 128 : 32
        var length = bits
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let given = Int(parts[1]), given <= bits
            else { return nil }
            length = given
        }
        self.first = address
        prefixLength = 128 - bits + length
    }

    package func contains(_ address: IPAddress) -> Bool {
        // An IPv6 network with a short prefix also covers the IPv4-mapped form, and must not match IPv4 addresses.
        guard address.isIPv4 == first.isIPv4 else { return false }
        let highMask = Self.mask(min(prefixLength, 64))
        let lowMask = Self.mask(max(prefixLength - 64, 0))
        return (address.high ^ first.high) & highMask == 0 && (address.low ^ first.low) & lowMask == 0
    }

    /// A number whose first `bits` bits of 64 are 1.
    private static func mask(_ bits: Int) -> UInt64 { bits == 0 ? 0 : ~0 << UInt64(64 - bits) }
}
