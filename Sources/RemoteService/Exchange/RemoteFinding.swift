/// One finding of `tidegate doctor` about a remote, in words for users.
package struct RemoteFinding: Sendable, Hashable {
    /// The name of the finding that recommends an `opField`, a field for operation ids.
    package static let opField = "opField"

    package enum State: String, Sendable { case ok, failed, notAsked, noted }

    /// The name of the check, such as `health`. It is the same for every remote of one kind.
    package let name: String
    package let state: State
    /// A sentence about the result. For `notAsked`: the reason why the check was left out.
    package let text: String
    /// Advice for the user about a failure; nil if there is none.
    package var hint: String?

    package init(_ name: String, _ state: State, _ text: String, hint: String? = nil) {
        self.name = name
        self.state = state
        self.text = text
        self.hint = hint
    }

    /// The finding of a failed check.
    /// - Parameters:
    ///   - text: the failure in words, without the reason.
    ///   - hint: advice for the user. If the remote only limits its requests, other advice replaces it.
    package init(_ name: String, failed text: String, _ error: RemoteError, hint: String? = nil) {
        let isLater = if case .overloaded = error { true } else { false }
        self.init(
            name, .failed, "\(text): \(error)",
            hint: isLater ? "the remote limits its requests; try again later" : hint)
    }
}

extension RemoteFinding {
    /// The finding about a remote that does not answer. If the remote is unreachable, the hint says that its address
    /// may be wrong.
    package static func noAnswer(_ error: RemoteError) -> RemoteFinding {
        let later = "the gateway works offline and syncs later"
        let isUnreachable =
            switch error {
            case .unreachable, .interrupted: true
            default: false
            }
        return RemoteFinding(
            "health", failed: "The remote does not answer", error,
            hint: isUnreachable ? "check the address; if it is right, \(later)" : later)
    }
}
