import HTTPClient
import ParseModel

/// The address of a server's LiveQuery, and the sources of time and randomness of its connections.
package struct LiveQueryAccess: Sendable {
    /// The URL with the scheme `http` or `https` in place of `ws` or `wss`.
    package var url: String
    package var environment: Environment
    /// The maximum time for a connection with its TLS handshake.
    package var connectTimeout: Duration

    /// The path of a PEM file of certificate authorities; nil to use the system's authorities.
    package var caBundle: String?

    package init(
        url: String, environment: Environment, connectTimeout: Duration = .seconds(10), caBundle: String? = nil
    ) {
        self.url = url
        self.environment = environment
        self.connectTimeout = connectTimeout
        self.caBundle = caBundle
    }

    /// The maximum time between a message of the client and the server's answer.
    static let answerTime = Duration.seconds(20)
    /// The maximum length of a message in bytes. Servers that ignore `keys` send whole objects.
    static let messageBytesMax = 8 << 20

    var sources: WebSocketClient.Sources {
        let environment = environment
        return WebSocketClient.Sources(sleep: environment.sleep) { environment.randomBytes($0) }
    }
}

extension Environment {
    fileprivate func randomBytes(_ count: Int) -> [UInt8] {
        let words = (0..<(count + 7) / 8).map { _ in random() }
        let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
        return Array(bytes.prefix(count))
    }
}
