import ParseModel
import StoreService

/// The user name or e-mail address, and the password, with which a request logs in.
package struct LogInClaim: Sendable, Hashable {
    /// Nil if the request can match no user, because a value has a wrong type.
    package let name: LogInName?
    package let password: String

    package init(name: LogInName?, password: String) { (self.name, self.password) = (name, password) }

    /// Reads the body of the request, or its query if only the query has a name.
    /// - Throws: `ParseError` 200 (username missing), 201 (password missing), 101 (object not found) for a value of a wrong type.
    init(_ request: RoutedRequest) throws(ParseError) {
        let given = try Self.fields(of: request)
        let (hasName, hasEmail) = (Self.has("username", given), Self.has("email", given))
        guard hasName || hasEmail else { throw ParseError(.usernameMissing, "username/email is required.") }
        guard Self.has("password", given) else { throw ParseError(.passwordMissing, "password is required.") }
        guard let password = given["password"]?.string else { throw .wrongPassword }
        self.password = password
        let (username, email) = (given["username"]?.string, given["email"]?.string)
        guard !hasName || username != nil, !hasEmail || email != nil else { throw .wrongPassword }
        name =
            switch (hasName ? username : nil, hasEmail ? email : nil) {
            case (let username?, let email?): .both(username: username, email: email)
            case (let username?, nil): .either(username)
            case (nil, let email?): .email(email)
            case (nil, nil): nil
            }
    }

    /// The body of the request, or its query if only the query has a name.
    private static func fields(of request: RoutedRequest) throws(ParseError) -> JSONObject {
        let body = try request.parse.body.fields
        let query = request.parse.parameters
        let isInQuery = ["username", "email"].contains { !has($0, body) && has($0, query) }
        return isInQuery ? query : body
    }

    /// Whether a request has a name and an empty password.
    static func hasEmptyPassword(_ request: RoutedRequest) -> Bool {
        guard let given = try? fields(of: request), has("username", given) || has("email", given) else { return false }
        return given["password"] == ""
    }

    /// The user to log in. If the user name of one user is the e-mail address of another, the user with the user name
    /// is chosen.
    func chosen(of accounts: [Account]) -> Account? {
        guard accounts.count > 1, case .either(let text)? = name else { return accounts.first }
        return accounts.first { $0.user["username"]?.string == text } ?? accounts.first
    }

    private static func has(_ name: String, _ object: JSONObject) -> Bool { object[name]?.isTruthy == true }
}
