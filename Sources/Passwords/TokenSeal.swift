import CSodium

/// Encrypts session tokens for storage: XChaCha20-Poly1305 of libsodium (`crypto_aead_xchacha20poly1305_ietf`).
package struct TokenSeal: Sendable {
    /// The number of bytes of a key.
    package static let keySize = Int(crypto_aead_xchacha20poly1305_ietf_keybytes())
    private static let nonceSize = Int(crypto_aead_xchacha20poly1305_ietf_npubbytes())
    private static let tagSize = Int(crypto_aead_xchacha20poly1305_ietf_abytes())

    private let key: [UInt8]

    /// - Parameter key: `keySize` random bytes.
    package init(key: [UInt8]) {
        precondition(sodium_init() >= 0, "libsodium cannot be initialized")
        precondition(key.count == Self.keySize)
        self.key = key
    }

    /// A new random key.
    package static func newKey() -> [UInt8] { random(keySize) }

    /// Encrypts a token. Two calls with the same token give different results.
    /// - Parameter user: identifies the user of the token. Only `opened` with an equal user decrypts the result.
    /// - Returns: a random nonce and the ciphertext with its tag.
    package func sealed(_ token: String, of user: String) -> [UInt8] {
        let (plain, user, nonce) = (Array(token.utf8), Array(user.utf8), Self.random(Self.nonceSize))
        var sealed = [UInt8](repeating: 0, count: plain.count + Self.tagSize)
        var size: UInt64 = 0
        crypto_aead_xchacha20poly1305_ietf_encrypt(
            &sealed, &size, plain, UInt64(plain.count), user, UInt64(user.count), nil, nonce, key)
        return nonce + sealed.prefix(Int(size))
    }

    /// Decrypts a token.
    /// - Returns: nil if the token was sealed with another key or for another user, or was changed since.
    package func opened(_ sealed: [UInt8], of user: String) -> String? {
        guard sealed.count >= Self.nonceSize + Self.tagSize else { return nil }
        let (nonce, text, user) = (
            Array(sealed.prefix(Self.nonceSize)), Array(sealed.dropFirst(Self.nonceSize)), Array(user.utf8)
        )
        var plain = [UInt8](repeating: 0, count: text.count)
        var size: UInt64 = 0
        let result = crypto_aead_xchacha20poly1305_ietf_decrypt(
            &plain, &size, nil, text, UInt64(text.count), user, UInt64(user.count), nonce, key)
        return result == 0 ? String(validating: plain.prefix(Int(size)), as: UTF8.self) : nil
    }

    private static func random(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        randombytes_buf(&bytes, count)
        return bytes
    }
}
