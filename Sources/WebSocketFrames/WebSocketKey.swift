import CCrypto
import Foundation

/// The keys of the opening handshake (RFC 6455 §4).
package enum WebSocketKey {
    /// The only version of the protocol.
    package static let version = "13"
    /// The number of bytes of a client's key before its base64 coding.
    package static let byteCount = 16
    private static let suffix = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// The key that a client makes of 16 random bytes.
    package static func make(of bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Whether a client may send this key: 16 bytes in base64.
    package static func isValid(_ key: String) -> Bool { Data(base64Encoded: key)?.count == byteCount }

    /// The value of `Sec-WebSocket-Accept` that answers a key.
    package static func answer(to key: String) -> String {
        let text = Array((key + suffix).utf8)
        var digest = [UInt8](repeating: 0, count: 20)
        let isMade = EVP_Digest(text, text.count, &digest, nil, EVP_sha1(), nil)
        precondition(isMade == 1, "libcrypto has no memory")
        return Data(digest).base64EncodedString()
    }
}
