import ParseModel
import RemoteService

/// A failed request to a Parse Server. Reads convert it to a `RemoteError`, writes to a `PushOutcome`.
enum ParseFailure: Error, Sendable, Hashable {
    /// A Parse error code with status 4xx or in an item of a batch, for codes to which no other case applies.
    case refused(code: Int, message: String)
    /// Status 401, status 403 without a Parse error code, or Parse's error code 209 (invalid session token).
    case unauthorized(message: String)
    /// Status 429: the server refused the request before executing it.
    case throttled(retryAfter: Duration?, reason: String)
    /// Status 503: the server may have executed the request.
    case unavailable(retryAfter: Duration?, reason: String)
    /// Status 413: the request's body is too large, and the server did not execute the request.
    case tooLarge(reason: String)
    /// The answer is nested too deeply, or has too many values.
    case tooMuch(reason: String)
    /// The server at this URL is not a Parse Server: it redirects, does not know the path or method (404 or 405 without a Parse
    /// error code, or 501), or answers with status 2xx and a body that does not begin like JSON.
    case misaddressed(status: Int, reason: String)
    /// Any other failure: another error status, an answer that does not follow Parse's protocol, or a Parse error code
    /// for a fault of the server, such as 100 or 124. Code 1 has its own case, `failed`.
    case faulty(status: Int, reason: String)
    /// The server reports an internal error in Parse's protocol: `{"code":1,"message":"Internal server error."}`.
    case failed(status: Int, code: Int, reason: String)
    /// The server is a Tidegate replica, which cannot be a remote.
    case replica(status: Int)

    /// Classifies a Parse error by its code.
    init(code: Int, message: String, status: Int) {
        switch code {
        case ParseError.Code.invalidSessionToken.rawValue: self = .unauthorized(message: message)
        // These codes report a fault of the server, not a decision about the request: internal error (1), all other codes up to
        // 2, connection failed (100), timeout (124).
        case ParseError.Code.internalServerError.rawValue:
            self = .failed(status: status, code: code, reason: message)
        case ...2, Self.connectionFailed, 124: self = .faulty(status: status, reason: "code \(code): \(message)")
        case _ where Self.databaseFaults.contains(code):
            self = .faulty(status: status, reason: "code \(code): \(message)")
        default: self = .refused(code: code, message: message)
        }
    }

    /// Error codes of MongoDB for a temporary state of the database: a host that is not reached (6, 7, 89, 9001), a
    /// server that stops or is not the primary (91, 189, 10107, 11600, 11602, 13435, 13436), and a passed time limit
    /// (262). A Parse Server passes these codes on in the items of a batch, although they are no Parse codes. The
    /// database may have executed the write.
    private static let databaseFaults: Set<Int> = [
        6, 7, 89, 91, 189, 262, 9001, 10107, 11600, 11602, 13435, 13436,
    ]

    /// Parse's error code `CONNECTION_FAILED`, with which a Parse Server also refuses a batch with an item over a rate limit.
    static let connectionFailed = 100
    /// Parse's error code `REQUEST_LIMIT_EXCEEDED`.
    static let requestLimitExceeded = 155
    static let replicaMessage = """
        the remote is itself a Tidegate replica; only a standalone Tidegate or a Parse Server may be a remote
        """

    /// The failure, converted to the error of a read.
    var remoteError: RemoteError {
        switch self {
        case .refused(ParseError.Code.objectTooLarge.rawValue, let message): .tooMuch(reason: message)
        case .refused(Self.requestLimitExceeded, let message): .overloaded(retryAfter: nil, reason: message)
        case .refused(let code, let message): .refused(code: code, message: message)
        case .unauthorized(let message): .unauthorized(message: message)
        case .throttled(let retryAfter, let reason), .unavailable(let retryAfter, let reason):
            .overloaded(retryAfter: retryAfter, reason: reason)
        case .tooLarge(let reason): .refused(code: ParseError.Code.objectTooLarge.rawValue, message: reason)
        case .misaddressed(let status, let reason): .misaddressed(status: status, reason: reason)
        case .faulty(let status, let reason), .failed(let status, _, let reason):
            .faulty(status: status, reason: reason)
        case .tooMuch(let reason): .tooMuch(reason: reason)
        case .replica: .remoteIsReplica
        }
    }
}

extension RemoteError {
    /// The error of every read from a remote that is itself a replica.
    static let remoteIsReplica = RemoteError.refused(
        code: ParseError.Code.commandUnavailable.rawValue, message: ParseFailure.replicaMessage)
}

extension Result where Failure == ParseFailure {
    /// The JSON of the answer.
    /// - Throws: `RemoteError` if the answer is a failure.
    func orRemoteError() throws(RemoteError) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let failure): throw failure.remoteError
        }
    }
}
