/// The reason for an unusable answer to a read. No conclusion about any object may be drawn from it.
package enum RemoteError: Error, Sendable, Hashable {
    /// No connection: name resolution, refused, TLS, or a time-out before the request was sent.
    case unreachable(reason: String)
    /// The connection broke, or no answer came in time.
    case interrupted(reason: String)
    /// The server asks for a later retry (429, 503).
    case overloaded(retryAfter: Duration?, reason: String)
    /// The server failed (5xx), or its answer does not follow this protocol.
    case faulty(status: Int, reason: String)
    /// Another kind of server answers at the remote's URL: a web page, a redirect, or an unknown path.
    case misaddressed(status: Int, reason: String)
    /// The answer is larger than the gateway or the server allows. A smaller part must be requested.
    case tooMuch(reason: String)
    /// Invalid keys or an invalid session.
    case unauthorized(message: String)
    /// The server refused this request permanently.
    case refused(code: Int, message: String)

    /// Whether the network or the server is at fault, so that the same request may succeed later.
    package var isTransient: Bool {
        switch self {
        case .unreachable, .interrupted, .overloaded, .faulty, .misaddressed, .tooMuch: true
        case .unauthorized, .refused: false
        }
    }
}

extension RemoteError: CustomStringConvertible {
    /// A one-line description for users, for use within a sentence.
    package var description: String {
        switch self {
        case .unreachable(let reason), .interrupted(let reason), .overloaded(_, let reason), .tooMuch(let reason):
            reason
        case .faulty(let status, let reason), .misaddressed(let status, let reason): "\(reason), with status \(status)"
        case .unauthorized(let message): message
        case .refused(let code, let message): "\(message) (code \(code))"
        }
    }
}
