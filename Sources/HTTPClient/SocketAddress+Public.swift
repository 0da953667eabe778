/// Recognises addresses of the public internet, by IANA's registries of special-purpose addresses (RFC 6890).
extension SocketAddress {
    /// Whether the address is globally reachable. A NAT64 or 6to4 address counts as the IPv4 address inside it.
    package var isPublic: Bool {
        switch bytes.count {
        case 4: Self.isPublic(four: bytes[...])
        case 16: isPublicSixteen
        default: false
        }
    }

    /// The IPv4 blocks that do not count as globally reachable, as leading bytes and prefix length in bits.
    private static let special: [(prefix: [UInt8], bits: Int)] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
        ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24),
        ([203, 0, 113], 24), ([224], 4), ([240], 4),
    ]

    /// The blocks inside `2000::/3` that do not count as globally reachable: IETF protocol assignments (such as Teredo), and
    /// addresses for documentation. Leading bytes and prefix length in bits.
    private static let specialSixteen: [(prefix: [UInt8], bits: Int)] = [
        ([0x20, 0x01, 0x00], 23), ([0x20, 0x01, 0x0D, 0xB8], 32), ([0x3F, 0xFF, 0x00], 20),
    ]

    private static func isPublic(four bytes: ArraySlice<UInt8>) -> Bool {
        !special.contains { begins(bytes, with: $0.prefix, bits: $0.bits) }
    }

    private var isPublicSixteen: Bool {
        // NAT64 (64:ff9b::/96) and 6to4 (2002::/16) route packets to the IPv4 address inside the IPv6 address.
        if Self.begins(bytes[...], with: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], bits: 96) {
            return Self.isPublic(four: bytes[12...])
        }
        if Self.begins(bytes[...], with: [0x20, 0x02], bits: 16) { return Self.isPublic(four: bytes[2..<6]) }
        // Global unicast addresses lie in 2000::/3; IPv4-mapped, link-local, unique-local and multicast addresses lie outside.
        return Self.begins(bytes[...], with: [0x20], bits: 3)
            && !Self.specialSixteen.contains { Self.begins(bytes[...], with: $0.prefix, bits: $0.bits) }
    }

    private static func begins(_ bytes: ArraySlice<UInt8>, with prefix: [UInt8], bits: Int) -> Bool {
        zip(bytes, prefix).enumerated().allSatisfy { place, pair in
            let counting = min(8, bits - 8 * place)
            return counting <= 0 || (pair.0 ^ pair.1) >> (8 - UInt8(counting)) == 0
        }
    }
}
