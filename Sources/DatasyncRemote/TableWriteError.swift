import RemoteService

/// The reason why a write got no row in its answer: the outcome of the write, or the failure of a read before it.
enum TableWriteError: Error {
    case outcome(PushOutcome)
    /// A read before the write failed, so nothing was written.
    case notSent(RemoteError)

    var outcome: PushOutcome {
        switch self {
        case .outcome(let outcome): outcome
        case .notSent(.unauthorized(let message)): .unauthorized(message: message)
        case .notSent(.classUnauthorized(let message)): .classUnauthorized(message: message)
        case .notSent(.refused(let code, let message)): .refused(code: code, message: message)
        case .notSent(.overloaded(let after, let reason)): .retry(after: after, reason: reason)
        case .notSent(.unreachable(let reason)), .notSent(.interrupted(let reason)):
            .retry(after: nil, reason: reason)
        // The failure may concern this table only. The outcome `retry` would end the push of all classes.
        case .notSent(let error): .unknown(reason: error.description)
        }
    }
}
