import ParseModel

/// The reason why a sync ended early.
package enum SyncError: Error, Sendable, Hashable {
    /// The remote is unreachable, does not answer, is overloaded or fails. This is a normal state of the gateway.
    case offline(reason: String, retryAfter: Duration?)
    /// The remote's answer does not follow the protocol, or is too large (`isTooMuch`).
    case unusable(reason: String, isTooMuch: Bool)
    /// The server at the remote's URL is not of the configured kind.
    case foreign(reason: String)
    /// The remote refused the keys. Local writes then start no sync.
    case unauthorized(message: String)
    /// The remote refused the keys for the objects of one class.
    case classUnauthorized(message: String)
    /// The user whose changes wait has no session that the remote accepts. Local writes then start no sync.
    case waitsForLogIn
    /// The remote refused a read permanently.
    case refused(code: Int, message: String)
    /// The sync was ended between two requests, because syncing was paused or the program is stopping.
    case halted
    /// The disk is full.
    case storeFull
    /// The local store failed. The value is the store's error text.
    case store(String)

    package init(_ error: RemoteError) {
        self =
            switch error {
            case .unreachable(let reason), .interrupted(let reason): .offline(reason: reason, retryAfter: nil)
            case .overloaded(let retryAfter, let reason): .offline(reason: reason, retryAfter: retryAfter)
            case .faulty(200...299, let reason): .unusable(reason: reason, isTooMuch: false)
            case .failed(let status, let reason): .unusable(reason: "HTTP \(status): \(reason)", isTooMuch: false)
            case .misaddressed(let status, let reason): .foreign(reason: "\(reason), with status \(status)")
            case .tooMuch(let reason): .unusable(reason: reason, isTooMuch: true)
            case .faulty(let status, let reason): .offline(reason: "HTTP \(status): \(reason)", retryAfter: nil)
            case .unauthorized(let message): .unauthorized(message: message)
            case .classUnauthorized(let message): .classUnauthorized(message: message)
            case .refused(let code, let message): .refused(code: code, message: message)
            }
    }

    /// Whether the error may concern one class only, so that other classes may still be synced.
    package var isOfOneClass: Bool {
        switch self {
        case .classUnauthorized, .refused, .unusable, .foreign: true
        case .offline, .unauthorized, .waitsForLogIn, .halted, .storeFull, .store: false
        }
    }

    /// The machine-readable name of the error, used in `GET /sync` and in the metrics.
    package var kind: String {
        switch self {
        case .offline: "offline"
        case .unusable: "unusable"
        case .foreign: "foreign"
        case .unauthorized, .classUnauthorized, .waitsForLogIn: "unauthorized"
        case .refused: "refused"
        case .halted: "paused"
        case .storeFull, .store: "store"
        }
    }

    /// Whether a server answers at the remote's URL, but the answer is unusable.
    package var isUnusable: Bool {
        switch self {
        case .unusable, .foreign: true
        case .offline, .unauthorized, .classUnauthorized, .waitsForLogIn, .refused, .halted, .storeFull, .store: false
        }
    }

    /// Whether the remote could not be reached, or its answer could not be used.
    package var isAboutReach: Bool {
        if case .offline = self { true } else { isUnusable }
    }

    /// Whether permissions prevent reading a class. Parse reports error 119 (operation forbidden), or error 101 (object not
    /// found) if the class requires a signed-in user.
    package var isForbidden: Bool {
        guard case .refused(let code, _) = self else { return false }
        return [ParseError.Code.operationForbidden, .objectNotFound].contains(ParseError.Code(rawValue: code))
    }

    /// Whether the remote refuses the class to these keys, so that its other classes may still be synced.
    package var isRefusal: Bool {
        switch self {
        case .refused, .classUnauthorized: true
        case .offline, .unusable, .foreign, .unauthorized, .waitsForLogIn, .halted, .storeFull, .store: false
        }
    }

    /// A sentence for users.
    package var message: String {
        switch self {
        case .offline(let reason, _): "The remote cannot be reached: \(reason)"
        case .unusable(let reason, _): "The remote's answer cannot be used: \(reason)"
        case .foreign(let reason):
            "The server at the remote's address is of another kind: \(reason). 'tidegate doctor' tells more."
        case .unauthorized(let message): "The remote refused the keys: \(message)"
        case .classUnauthorized(let message): "The remote refused the keys for this class: \(message)"
        case .waitsForLogIn: "The user has no session here. The data syncs after the next log-in."
        case .refused(let code, let message): "The remote refused to answer: \(message) (code \(code))"
        case .halted: "The sync was stopped."
        case .storeFull: "The disk is full."
        case .store(let reason): "The local store failed: \(reason)"
        }
    }
}

extension SyncError: CustomStringConvertible {
    package var description: String { message }
}
