import ParseModel

/// The SHA-256 digest of a session token. The store keeps this digest instead of the token. A token has 128 random
/// bits, so its digest does not reveal it.
package struct SessionDigest: Sendable, Hashable {
    private var bits = SIMD4<UInt64>()

    package init(of token: String) {
        withUnsafeMutableBytes(of: &bits) { ContentDigest.write(of: token, to: $0) }
    }

    /// - Parameter text: a digest's `text`.
    package init?(text: String) {
        guard let bytes = Hexadecimal.bytes(of: text), bytes.count == 32 else { return nil }
        withUnsafeMutableBytes(of: &bits) { $0.copyBytes(from: bytes) }
    }

    /// 64 hexadecimal digits.
    package var text: String { withUnsafeBytes(of: bits) { Hexadecimal.text(of: Array($0)) } }
}
