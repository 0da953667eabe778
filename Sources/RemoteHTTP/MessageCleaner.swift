import HTTPClient
import RemoteService

/// Prepares messages of a server for display and for the log.
package struct MessageCleaner: Sendable {
    /// The keys and tokens that `clean` removes. Each has at least `secretBytesMin` bytes.
    private let secrets: [String]

    /// The minimum length of a secret in bytes. Removing shorter ones would damage ordinary words.
    package static let secretBytesMin = 8

    /// The maximum length of a message, in Unicode scalars.
    private static let textMax = 300

    package init(secrets: [String]) { self.secrets = secrets }

    /// A message of the server in a form for display: shortened, on one line and without keys.
    package func clean(_ text: String) -> String {
        // Counts Unicode scalars, because a single character can be as long as the whole text. The prefix is longer than the
        // displayed part, so that each key in the displayed part is complete and can be removed.
        let longest = secrets.map(\.unicodeScalars.count).max() ?? 0
        var line = String(text.unicodeScalars.prefix(Self.textMax * max(longest, 1)))
        for secret in secrets { line = line.replacing(secret, with: "•••") }
        return String(String(line.unicodeScalars.prefix(Self.textMax)).map { $0.isNewline ? " " : $0 })
    }

    package func clean(_ error: HTTPTransportError) -> HTTPTransportError {
        switch error {
        case .notSent(let reason): .notSent(reason: clean(reason))
        case .outcomeUnknown(let reason): .outcomeUnknown(reason: clean(reason))
        case .tooLong(let reason): .tooLong(reason: clean(reason))
        case .forbidden: error
        }
    }

    /// The failure of a read whose request got no complete response.
    package func remoteError(of error: HTTPTransportError) -> RemoteError {
        switch clean(error) {
        case .notSent(let reason): .unreachable(reason: reason)
        case .outcomeUnknown(let reason): .interrupted(reason: reason)
        case .tooLong(let reason): .tooMuch(reason: reason)
        case .forbidden(let address): .unreachable(reason: "no connection may be made to \(address)")
        }
    }

    /// The outcome of a write whose request got no complete response.
    package func pushOutcome(of error: HTTPTransportError) -> PushOutcome {
        switch clean(error) {
        case .notSent(let reason): .retry(after: nil, reason: reason)
        case .outcomeUnknown(let reason): .unknown(reason: reason, isInterrupted: true)
        case .tooLong(let reason): .unknown(reason: reason)
        case .forbidden(let address): .retry(after: nil, reason: "no connection may be made to \(address)")
        }
    }
}
