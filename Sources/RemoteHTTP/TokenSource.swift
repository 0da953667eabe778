import ParseModel

/// Provides the token with which requests identify their user.
package protocol TokenSource: Sendable {
    /// The current token; nil for none.
    func token() async -> String?

    /// Called when the server has refused the token (status 401).
    /// - Returns: a new token; nil if there is none. The request is then not repeated.
    func renewed(after refused: String?) async -> String?

    /// Receives the time in an answer of the server. By default, does nothing.
    func note(serverTime: ParseDate)

    /// Called when the server has answered a request under the token with success. By default, does nothing.
    func noteAccepted(_ token: String)

    /// Called when one part of an answer refuses the token. The server may have executed the other parts. By default,
    /// does nothing.
    func noteDoubt(about token: String) async
}

extension TokenSource {
    package func note(serverTime: ParseDate) {}
    package func noteAccepted(_ token: String) {}
    package func noteDoubt(about token: String) async {}
}

/// A token that never changes.
package struct FixedToken: TokenSource {
    private let text: String

    package init(_ text: String) { self.text = text }

    package func token() async -> String? { text }
    package func renewed(after refused: String?) async -> String? { nil }
}
