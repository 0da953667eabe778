extension TablesServer {
    /// The tokens that the server knows.
    package struct Users: Sendable {
        /// The users by their tokens.
        package var tokens: [String: String]
        /// The times at which tokens have expired, as on the wire, by token.
        package var expired: [String: String]

        package init(tokens: [String: String] = [:], expired: [String: String] = [:]) {
            self.tokens = tokens
            self.expired = expired
        }
    }
}

typealias Users = TablesServer.Users
