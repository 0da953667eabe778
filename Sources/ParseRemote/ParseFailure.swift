import ParseModel
import RemoteService

/// What an answer says that is not the one hoped for, before it is known whether a read or a write is concerned.
enum ParseFailure: Error, Sendable, Hashable {
    /// A 4xx with a number of Parse's table.
    case refused(code: Int, message: String)
    /// 401, 403 without a number, or an invalid session.
    case unauthorized(message: String)
    /// 429: turned away at the door.
    case throttled(retryAfter: Duration?, reason: String)
    /// 503: it may have been on its way already.
    case unavailable(retryAfter: Duration?, reason: String)
    /// 413: the body was not read to its end.
    case tooLarge(reason: String)
    /// The answer is deeper, or has more values, than are read.
    case tooMuch(reason: String)
    /// There is no Parse Server at this address: a redirect, a 404 without a number, or a success that is a web page.
    case misaddressed(status: Int, reason: String)
    /// A server that failed, or something that is not an answer of this protocol.
    case faulty(status: Int, reason: String)
    /// A server that failed, and says so in the words of the protocol: `{"code":1,"message":"Internal server error."}`.
    case failed(status: Int, code: Int, reason: String)
    /// A Tidegate that is itself a replica.
    case replica(status: Int)

    /// Sorts an error by the number that came with it.
    init(code: Int, message: String, status: Int) {
        switch code {
        case ParseError.Code.invalidSessionToken.rawValue: self = .unauthorized(message: message)
        // Numbers that tell of an accident, not of a decision: other cause, internal error, service unavailable,
        // connection failed, time-out.
        case ParseError.Code.internalServerError.rawValue:
            self = .failed(status: status, code: code, reason: message)
        case ...2, 100, 124: self = .faulty(status: status, reason: "code \(code): \(message)")
        default: self = .refused(code: code, message: message)
        }
    }

    /// `REQUEST_LIMIT_EXCEEDED` of Parse's table.
    static let requestLimitExceeded = 155
    static let replicaMessage = """
        the remote is itself a Tidegate replica; only a standalone Tidegate or a Parse Server may be a remote
        """

    /// What a read makes of it.
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
    /// What every read of a replica ends with.
    static let isReplica = RemoteError.refused(
        code: ParseError.Code.commandUnavailable.rawValue, message: ParseFailure.replicaMessage)
}

extension Result where Failure == ParseFailure {
    /// - Throws: the failure as a read tells it.
    func orRemoteError() throws(RemoteError) -> Success {
        switch self {
        case .success(let value): return value
        case .failure(let failure): throw failure.remoteError
        }
    }
}
