/// The reason why a request other than a push got no usable answer.
package enum RemoteError: Error, Sendable, Hashable {
    /// The request was not sent: name resolution failed, the connection was refused, TLS failed, or a
    /// timeout occurred before sending.
    case unreachable(reason: String)
    /// The connection broke, or no answer arrived in time.
    case interrupted(reason: String)
    /// The server asks to retry later, for example by status 429 or 503. `retryAfter` is nil if the server names no delay.
    case overloaded(retryAfter: Duration?, reason: String)
    /// Any other failure: an error status, a reported fault of the server, or an answer that does not follow the protocol.
    case faulty(status: Int, reason: String)
    /// The server failed on this request. Other requests may succeed.
    case failed(status: Int, reason: String)
    /// Another kind of server seems to answer at the remote's URL: it sends a web page or a redirect, or does not know the path.
    case misaddressed(status: Int, reason: String)
    /// The answer is larger than the gateway or the server allows. The caller must request a smaller part.
    case tooMuch(reason: String)
    /// The server refused the keys or the session token.
    case unauthorized(message: String)
    /// The server refused the keys for the objects of one class. Other classes may have other rights.
    case classUnauthorized(message: String)
    /// The server refused this request permanently.
    case refused(code: Int, message: String)

    /// Whether the same request may succeed later. False if the remote refused the keys or the request.
    package var isTransient: Bool {
        switch self {
        case .unreachable, .interrupted, .overloaded, .faulty, .failed, .misaddressed, .tooMuch: true
        case .unauthorized, .classUnauthorized, .refused: false
        }
    }
}

extension RemoteError: CustomStringConvertible {
    /// A one-line description for users, to be used within a sentence.
    package var description: String {
        switch self {
        case .unreachable(let reason), .interrupted(let reason), .overloaded(_, let reason), .tooMuch(let reason):
            reason
        case .faulty(let status, let reason), .failed(let status, let reason), .misaddressed(let status, let reason):
            "\(reason), with status \(status)"
        case .unauthorized(let message), .classUnauthorized(let message): message
        case .refused(let code, let message): "\(message) (code \(code))"
        }
    }
}
