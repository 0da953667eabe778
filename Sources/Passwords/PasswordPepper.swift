import CSodium

/// Combines passwords with a secret before they are hashed, so that the hashes alone cannot be used to guess passwords. The function
/// is keyed BLAKE2b of libsodium (`crypto_generichash`).
package struct PasswordPepper: Sendable {
    private static let size = 32
    private let key: [UInt8]

    /// - Parameter secret: at least 32 bytes. The pepper is derived from it, and does not reveal it.
    package init(from secret: [UInt8]) {
        precondition(sodium_init() >= 0, "libsodium cannot be initialized")
        precondition(secret.count >= Self.size)
        key = Self.hash(Array("tidegate offline log-in".utf8), Array(secret.prefix(Self.size)))
    }

    /// The text to hash in place of a password.
    /// - Parameter user: identifies the user of the password, without NUL. The same password of two users gives
    ///   different texts.
    package func peppered(_ password: String, of user: String) -> String {
        let bytes = Self.hash(Array(user.utf8) + [0] + Array(password.utf8), key)
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func hash(_ message: [UInt8], _ key: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: size)
        crypto_generichash(&result, result.count, message, UInt64(message.count), key, key.count)
        return result
    }
}
