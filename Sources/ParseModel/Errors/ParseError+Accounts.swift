/// The error codes about users and sessions.
extension ParseError.Code {
    package static let invalidEmailAddress = Self(rawValue: 125)
    package static let usernameMissing = Self(rawValue: 200)
    package static let passwordMissing = Self(rawValue: 201)
    package static let usernameTaken = Self(rawValue: 202)
    package static let emailNotFound = Self(rawValue: 205)
    package static let emailTaken = Self(rawValue: 203)
    package static let sessionMissing = Self(rawValue: 206)
    package static let accountAlreadyLinked = Self(rawValue: 208)
    package static let unsupportedService = Self(rawValue: 252)
}

/// Errors about users and sessions, with the texts of Parse Server.
extension ParseError {
    package static let invalidSession = ParseError(.invalidSessionToken, "Invalid session token")
    /// The error for a request that needs a session and has none.
    package static let noSession = denial(.invalidSessionToken, "Invalid session token")
    package static let expiredSession = ParseError(.invalidSessionToken, "Session token is expired.")
    package static let sessionRequired = ParseError(.invalidSessionToken, "Session token required.")
    /// The error for every failed log-in. It is always the same, so that it does not reveal which users exist.
    package static let wrongPassword = ParseError(.objectNotFound, "Invalid username/password.")
    package static let usernameTaken = ParseError(.usernameTaken, "Account already exists for this username.")
    package static let emailTaken = ParseError(.emailTaken, "Account already exists for this email address.")
    package static let alreadyLinked = ParseError(.accountAlreadyLinked, "this auth is already used")
    package static let unsupportedService = ParseError(
        .unsupportedService, "This authentication method is unsupported.")
    /// The error for a change of a user that does not exist or that the caller may not change.
    package static let insufficientAuth = denial(.sessionMissing, "Insufficient auth.")
    package static let usernameMissing = ParseError(.usernameMissing, "bad or missing username")
    package static let passwordMissing = ParseError(.passwordMissing, "password is required")
}
