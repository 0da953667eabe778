import CSodium

#if os(Linux)
    import CCrypt
#endif

/// The hash functions of libsodium and libcrypt. Each call blocks its thread for tens of milliseconds or more.
enum PasswordFunction {
    /// The longest accepted password in bytes.
    static let bytesMax = 4096

    #if os(Linux)
        static let hasBcrypt = true
    #else
        static let hasBcrypt = false
    #endif

    private static let isReady = sodium_init() >= 0

    /// The Argon2id hash of a password with a random salt.
    /// - Throws: `PasswordError.outOfMemory`.
    static func hash(_ password: String, _ strength: PasswordStrength) throws(PasswordError) -> String {
        precondition(isReady, "libsodium cannot be initialized")
        var text = [CChar](repeating: 0, count: Int(crypto_pwhash_strbytes()))
        let result = crypto_pwhash_str_alg(
            &text, password, UInt64(password.utf8.count), UInt64(strength.passes), strength.memoryKiB * 1024,
            crypto_pwhash_alg_argon2id13())
        guard result == 0 else { throw .outOfMemory }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether the hash was made from the password. False for a hash of an unknown kind, and for bcrypt on macOS.
    static func matches(_ password: String, _ hash: String) -> Bool {
        precondition(isReady, "libsodium cannot be initialized")
        guard password.utf8.count <= bytesMax else { return false }
        switch StoredHash(hash) {
        case .argon2id: return crypto_pwhash_str_verify(hash, password, UInt64(password.utf8.count)) == 0
        case .bcrypt:
            #if os(Linux)
                // bcrypt reads the password to its first NUL, so a longer password would count as equal.
                return !password.utf8.contains(0) && tidegate_crypt_matches(password, hash) == 1
            #else
                return false
            #endif
        case .unknown: return false
        }
    }
}
