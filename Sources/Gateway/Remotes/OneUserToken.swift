import Logging
import RemoteHTTP

/// Passes on the tokens of one user. A data directory belongs to one user, so a token that names another user is not sent.
actor OneUserToken: TokenSource {
    private let source: any TokenSource
    private let record: Record
    private let logger: Logger
    /// The user to whom the data directory belongs; nil until a token names a user.
    private var subject: String?
    /// The latest warning, which is logged once.
    private var warning: String?

    /// Stores the user of the data directory, if it has none. Returns the stored user; nil if the store fails. Nothing is then
    /// sent.
    typealias Record = @Sendable (_ subject: String) async -> String?

    init(_ source: any TokenSource, logger: Logger, record: @escaping Record) {
        self.source = source
        self.logger = logger
        self.record = record
    }

    func token() async -> String? {
        guard let token = await source.token() else {
            warn("the token of the remote's user cannot be read: nothing is sent")
            return nil
        }
        if await isOfTheUser(token) { return token }
        // The source may meanwhile have a token of the right user.
        guard let next = await source.renewed(after: token), await isOfTheUser(next) else { return nil }
        return next
    }

    func renewed(after refused: String?) async -> String? {
        guard let token = await source.renewed(after: refused), await isOfTheUser(token) else { return nil }
        return token
    }

    private func isOfTheUser(_ token: String) async -> Bool {
        if let named = TokenSubject.subject(of: token), named != subject {
            if subject == nil { subject = await record(named) }
            guard named == subject else {
                let owner = subject.map { "belongs to \($0)" } ?? "could not record its user"
                warn("the token names the user \(named), but the data directory \(owner): nothing is sent")
                return false
            }
        }
        warning = nil
        return true
    }

    private func warn(_ text: String) {
        if warning != text { logger.error("\(text)") }
        warning = text
    }
}
