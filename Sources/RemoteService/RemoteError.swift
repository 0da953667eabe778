/// Why a remote gave no usable answer to a read. Nothing may be concluded from it about any object.
package enum RemoteError: Error, Sendable, Hashable {
    /// No connection: name resolution, refused, TLS, time-out before the request was out.
    case unreachable(reason: String)
    /// The connection broke, or no answer came in time.
    case interrupted(reason: String)
    /// The server asks us to come back later (429, 503).
    case overloaded(retryAfter: Duration?, reason: String)
    /// The server failed (5xx), or what it sent is not an answer of this protocol.
    case faulty(status: Int, reason: String)
    /// Another kind of server answers at the remote's address: a web page, a redirection, a path that it does not know.
    case misaddressed(status: Int, reason: String)
    /// The answer is larger than we take, or than the server gives: less has to be asked for at a time.
    case tooMuch(reason: String)
    /// Wrong keys or an invalid session.
    case unauthorized(message: String)
    /// The server refused this request, for good.
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
    /// One line for a person, within a sentence.
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
