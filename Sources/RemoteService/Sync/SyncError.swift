import ParseModel

/// Why a sync ended before its end.
package enum SyncError: Error, Sendable, Hashable {
    /// The remote cannot be reached, or does not answer usably. A normal state of a gateway.
    case offline(reason: String, retryAfter: Duration?)
    /// The remote answers, and what it says cannot be used: no answer of its protocol, or too much at a time.
    case unusable(reason: String, isTooMuch: Bool)
    /// The server at the remote's address is not of its kind.
    case foreign(reason: String)
    /// The remote refused our keys; nothing goes on until they are right.
    case unauthorized(message: String)
    /// The remote refused a read for good.
    case refused(code: Int, message: String)
    /// Ended on purpose between two requests: syncing was paused, or the program stops.
    case halted
    /// The local store has no room: the disk is full.
    case storeFull
    /// The local store failed, in its own words.
    case store(String)

    package init(_ error: RemoteError) {
        self =
            switch error {
            case .unreachable(let reason), .interrupted(let reason): .offline(reason: reason, retryAfter: nil)
            case .overloaded(let retryAfter, let reason): .offline(reason: reason, retryAfter: retryAfter)
            case .faulty(200...299, let reason): .unusable(reason: reason, isTooMuch: false)
            case .misaddressed(let status, let reason): .foreign(reason: "\(reason), with status \(status)")
            case .tooMuch(let reason): .unusable(reason: reason, isTooMuch: true)
            case .faulty(let status, let reason): .offline(reason: "HTTP \(status): \(reason)", retryAfter: nil)
            case .unauthorized(let message): .unauthorized(message: message)
            case .refused(let code, let message): .refused(code: code, message: message)
            }
    }

    /// Whether another class may well be readable.
    package var isOfOneClass: Bool {
        switch self {
        case .refused, .unusable, .foreign: true
        case .offline, .unauthorized, .halted, .storeFull, .store: false
        }
    }

    /// A word for programs: of `lastError` in `GET /sync`, and of the metrics.
    package var kind: String {
        switch self {
        case .offline: "offline"
        case .unusable: "unusable"
        case .foreign: "foreign"
        case .unauthorized: "unauthorized"
        case .refused: "refused"
        case .halted: "paused"
        case .storeFull, .store: "store"
        }
    }

    /// Whether the remote answers, and its answer cannot be used.
    package var isUnusable: Bool {
        switch self {
        case .unusable, .foreign: true
        case .offline, .unauthorized, .refused, .halted, .storeFull, .store: false
        }
    }

    /// Whether permissions keep us from reading a class: Parse's 119, and 101 where a query wants a signed-in user.
    package var isForbidden: Bool {
        guard case .refused(let code, _) = self else { return false }
        return [ParseError.Code.operationForbidden, .objectNotFound].contains(ParseError.Code(rawValue: code))
    }

    /// A sentence for a person.
    package var message: String {
        switch self {
        case .offline(let reason, _): "The remote cannot be reached: \(reason)"
        case .unusable(let reason, _): "The remote's answer cannot be used: \(reason)"
        case .foreign(let reason):
            "The server at the remote's address is no Parse Server: \(reason). 'tidegate doctor' tells more."
        case .unauthorized(let message): "The remote refused the keys: \(message)"
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
