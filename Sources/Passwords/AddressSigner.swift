import CSodium

/// Signs texts with HMAC-SHA-256 of libsodium (`crypto_auth_hmacsha256`). The key is random and lives as long as the process.
package struct AddressSigner: Sendable {
    private let key: [UInt8]
    /// The number of bytes of a signature.
    private static let size = Int(crypto_auth_hmacsha256_bytes())

    package init() {
        precondition(sodium_init() >= 0, "libsodium cannot be initialized")
        var key = [UInt8](repeating: 0, count: Int(crypto_auth_hmacsha256_keybytes()))
        crypto_auth_hmacsha256_keygen(&key)
        self.key = key
    }

    package func signature(of text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        var signature = [UInt8](repeating: 0, count: Self.size)
        crypto_auth_hmacsha256(&signature, bytes, UInt64(bytes.count), key)
        return signature
    }

    /// Whether this signer has signed the text. Takes the same time for each wrong signature.
    package func hasSigned(_ text: String, with signature: [UInt8]) -> Bool {
        let bytes = Array(text.utf8)
        return signature.count == Self.size
            && crypto_auth_hmacsha256_verify(signature, bytes, UInt64(bytes.count), key) == 0
    }
}
