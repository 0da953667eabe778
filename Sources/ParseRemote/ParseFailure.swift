import ParseModel
import RemoteService

/// A failure before its classification for a read or for a write.
enum ParseFailure: Error, Sendable, Hashable {
    /// A 4xx with one of Parse's error codes.
    case refused(code: Int, message: String)
    /// 401, 403 without an error code, or an invalid session.
    case unauthorized(message: String)
    /// 429: refused before execution.
    case throttled(retryAfter: Duration?, reason: String)
    /// 503: the request may have been executed.
    case unavailable(retryAfter: Duration?, reason: String)
    /// 413: the server did not read the whole body.
    case tooLarge(reason: String)
    /// The answer is nested too deeply, or has too many values.
    case tooMuch(reason: String)
    /// Another kind of server at this address: a redirect, a 404 without an error code, or a success with a web page.
    case misaddressed(status: Int, reason: String)
    /// The server failed, or its answer does not follow the protocol.
    case faulty(status: Int, reason: String)
    /// The server failed and reports it by the protocol: `{"code":1,"message":"Internal server error."}`.
    case failed(status: Int, code: Int, reason: String)
    /// A Tidegate that is itself a replica.
    case replica(status: Int)

    /// Classifies an error by its code.
    init(code: Int, message: String, status: Int) {
        switch code {
        case ParseError.Code.invalidSessionToken.rawValue: self = .unauthorized(message: message)
        // These codes report faults, not decisions: other cause, internal error, service unavailable, connection failed, timeout.
        case ParseError.Code.internalServerError.rawValue:
            self = .failed(status: status, code: code, reason: message)
        case ...2, 100, 124: self = .faulty(status: status, reason: "code \(code): \(message)")
        default: self = .refused(code: code, message: message)
        }
    }

    /// Parse's `REQUEST_LIMIT_EXCEEDED`.
    static let requestLimitExceeded = 155
    static let replicaMessage = """
        the remote is itself a Tidegate replica; only a standalone Tidegate or a Parse Server may be a remote
        """

    /// The failure of a read.
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
        case .replica: .isReplica
        }
    }
}

extension RemoteError {
    /// The error of every read if the remote is itself a replica.
    static let isReplica = RemoteError.refused(
        code: ParseError.Code.commandUnavailable.rawValue, message: ParseFailure.replicaMessage)
}

extension Result where Failure == ParseFailure {
    /// - Throws: the failure in the form for a read.
    func orRemoteError() throws(RemoteError) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let failure): throw failure.remoteError
        }
    }
}
