import Logging
import RemoteHTTP

/// Passes on the tokens of one user. A data directory belongs to one user, so a token that names another user is not sent.
actor OneUserToken: TokenSource {
    private let source: any TokenSource
    private let logger: Logger
    /// The user; nil until a token names one.
    private var subject: String?
    /// The latest token of the user.
    private var latest: String?
    private var hasWarned = false

    /// - Parameter subject: the user to whom the data directory belongs; nil if no token has named the user yet.
    init(_ source: any TokenSource, subject: String?, logger: Logger) {
        self.source = source
        self.subject = subject
        self.logger = logger
    }

    func token() async -> String? { accepted(await source.token()) }

    func renewed(after refused: String?) async -> String? {
        guard let renewed = await source.renewed(after: refused) else { return nil }
        let token = accepted(renewed)
        return token == refused ? nil : token
    }

    /// The token, or the latest token of the user if the token names another user. The remote then refuses the latest token, and
    /// nothing is sent as the other user.
    private func accepted(_ token: String?) -> String? {
        guard let token else {
            if !hasWarned { logger.warning("the token of the remote cannot be read: nothing is sent") }
            hasWarned = true
            return nil
        }
        let named = TokenSubject.subject(of: token)
        if let named, let subject, named != subject {
            if !hasWarned {
                logger.error(
                    "the new token names the user \(named), but the data directory belongs to \(subject): the token is not sent"
                )
            }
            hasWarned = true
            return latest
        }
        hasWarned = false
        subject = subject ?? named
        latest = token
        return token
    }
}
