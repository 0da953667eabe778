/// The digest under which a store keeps a session token. A token has 128 random bits, so a plain SHA-256 cannot be reversed.
package enum SessionDigest {
    package static func of(_ token: String) -> String {
        let digest = ContentDigest()
        Array(token.utf8).withUnsafeBytes { digest.add($0) }
        return digest.finish()
    }
}
