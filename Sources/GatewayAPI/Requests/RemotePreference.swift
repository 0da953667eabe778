import HTTPTypes
import HeaderNames
import ParseModel

/// The client's wish about the remote in a write: the preference `tidegate-remote` of the header `Prefer` (RFC 7240), or
/// the member `tidegate` of the context for cloud code.
struct RemotePreference: Sendable, Hashable {
    enum Kind: String, Sendable, CaseIterable {
        /// The answer comes when the remote has taken the change.
        case confirm
        /// The change goes to the remote or nowhere.
        case only
    }

    let kind: Kind
    /// The time within which the client wants the answer.
    let wait: Duration
    /// Whether the wish is in the context. SDKs send it there, and the SDK for JavaScript sends a request again that is answered with a
    /// status of 500 or above.
    let isOfContext: Bool

    /// The default of `wait`.
    private static let secondsByDefault = 10
    /// The maximum of `wait`. A larger value counts as this one. Proxies and SDKs end longer requests.
    private static let secondsMax = 60

    /// The value of the header `Preference-Applied`.
    var applied: String { "tidegate-remote=\(kind.rawValue)" }

    private init(kind: Kind, seconds: Int?, isOfContext: Bool = false) {
        self.kind = kind
        self.isOfContext = isOfContext
        wait = .seconds(min(seconds ?? Self.secondsByDefault, Self.secondsMax))
    }

    // MARK: The header

    /// Parses the header `Prefer`. Other preferences are ignored. Of several equal names, the first counts.
    /// - Returns: nil without the preference `tidegate-remote`.
    /// - Throws: `APIError.malformedPreference` for another value of `tidegate-remote`, and for a `wait` beside it that is no
    ///   whole number.
    init?(_ headers: HTTPFields) throws(APIError) {
        guard headers.contains(.prefer) else { return nil }
        var values: [String: String] = [:]
        for preference in headers[values: .prefer].flatMap({ Self.split($0, at: ",") }) {
            // Parameters of a preference follow a semicolon. No parameter is known.
            guard let text = Self.split(preference, at: ";").first else { continue }
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = Self.trimmed(parts[0]).lowercased()
            guard !name.isEmpty, values[name] == nil else { continue }
            values[name] = parts.count > 1 ? Self.unquoted(Self.trimmed(parts[1])) : ""
        }
        guard let remote = values["tidegate-remote"] else { return nil }
        guard let kind = Kind(rawValue: remote) else { throw Self.wrongKind("tidegate-remote in the header Prefer") }
        var seconds: Int?
        if let wait = values["wait"] {
            guard let number = Int(wait), number >= 0 else { throw Self.wrongWait("wait in the header Prefer") }
            seconds = number
        }
        self.init(kind: kind, seconds: seconds)
    }

    /// Splits a header value at a separator outside of quoted strings.
    private static func split(_ text: String, at separator: Character) -> [String] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character == separator, !isQuoted {
                parts.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            parts[parts.count - 1].append(character)
        }
        return parts
    }

    private static func trimmed(_ text: some StringProtocol) -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" }
        return String(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    }

    private static func unquoted(_ text: String) -> String {
        guard text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") else { return text }
        return String(text.dropFirst().dropLast())
    }

    // MARK: The context

    /// Takes the member `tidegate` out of the context for cloud code: `{"remote": "confirm", "wait": 10}`.
    /// - Returns: nil if the member is absent, or has no `remote`.
    /// - Throws: `APIError.malformedPreference` for a member of another form.
    init?(takingFrom context: inout JSONObject) throws(APIError) {
        guard let member = context["tidegate"] else { return nil }
        context["tidegate"] = nil
        guard let wish = member.object else {
            throw .malformedPreference(reason: "The member tidegate of the context must be an object.")
        }
        guard let remote = wish["remote"] else { return nil }
        guard let kind = remote.string.flatMap(Kind.init(rawValue:)) else {
            throw Self.wrongKind("remote in the member tidegate of the context")
        }
        var seconds: Int?
        if let wait = wish["wait"], !wait.isNull {
            guard let number = wait.int, number >= 0 else {
                throw Self.wrongWait("wait in the member tidegate of the context")
            }
            seconds = number
        }
        self.init(kind: kind, seconds: seconds, isOfContext: true)
    }

    private static func wrongKind(_ place: String) -> APIError {
        .malformedPreference(reason: "\(place) must be \(Kind.allCases.map(\.rawValue).joined(separator: " or ")).")
    }

    private static func wrongWait(_ place: String) -> APIError {
        .malformedPreference(reason: "\(place) must be a whole number of seconds, 0 or more.")
    }
}
