import ParseModel
import Passwords

/// The body of a write of `_User`, divided into fields, password and links to providers of identities.
struct UserBody: Sendable {
    /// The fields, without password and links.
    var fields: JSONObject
    /// The new password; nil if the body has none.
    let password: String?
    /// The hash of a password, from another server; nil if the body has none. Only the maintenance key can set it.
    let importedHash: String?
    /// The links to providers of identities: the members of `authData`, by provider. Null removes a link.
    let links: JSONObject
    private let wrongValues: ParseDialect.WrongSignInValues

    /// - Throws: `ParseError` 105 (invalid field name) for a path into a password or a link, 111 (incorrect type) for a password
    ///   of another type than String and for an unknown kind of hash, 119 (operation forbidden) for `emailVerified`, 201 (password
    ///   missing) for a null password, 252 (unsupported service) for an unknown provider.
    init(
        _ body: JSONObject, of principal: Principal, wrongValues: ParseDialect.WrongSignInValues = .ofAnotherType
    ) throws(ParseError) {
        var fields = body
        for (name, _) in body {
            let field = name.prefix { $0 != "." }
            if name != field, ["password", "authData", "sessionToken"].contains(field) {
                throw ParseError(.invalidFieldName, "Invalid key name: \(name)")
            }
            if field == "emailVerified", !principal.writesEverything {
                throw .denial(
                    .operationForbidden, "Clients aren't allowed to manually update email verification.")
            }
        }
        self.wrongValues = wrongValues
        password = try Self.password(body["password"], wrongValues)
        importedHash = principal == .maintenance ? try Self.hash(in: body) : nil
        if importedHash != nil { fields[Self.hashName] = nil }
        links = try Self.links(body)
        // Some SDKs send the token that they have received with the user.
        for name in ["password", "authData", "sessionToken"] { fields[name] = nil }
        self.fields = fields
    }

    /// Whether a link identifies the user, so that a name and a password are not necessary.
    var hasIdentity: Bool { links.contains { !$0.value.isNull } }

    /// The id in `authData.anonymous`, which the client of an anonymous user has chosen; nil if the body has none.
    var anonymousId: String? { links["anonymous"]?.object?["id"]?.string }

    /// - Throws: `ParseError` 111 (incorrect type), 125 (invalid e-mail address), 200 (user name missing).
    func checkNames() throws(ParseError) {
        for name in ["username", "email"] {
            guard let value = fields[name], !value.isNull, value.string == nil, value.object?["__op"] != "Delete" else {
                continue
            }
            if name == "username", wrongValues == .missing { throw .usernameMissing }
            throw .schemaMismatch("_User", name, expected: .string, got: FieldType(of: value) ?? .object)
        }
        if let email = fields["email"]?.string, !email.isEmpty, !Self.isAddress(email) {
            throw ParseError(.invalidEmailAddress, "Email address format is invalid.")
        }
    }

    /// Whether a line of the text has characters before and after an `@`, as in Parse Server's check `/^.+@.+$/`.
    private static func isAddress(_ text: String) -> Bool {
        guard !text.contains(where: \.isNewline), let at = text.dropFirst().firstIndex(of: "@") else { return false }
        return text.index(after: at) < text.endIndex
    }

    private static func password(
        _ value: JSONValue?, _ wrongValues: ParseDialect.WrongSignInValues
    ) throws(ParseError) -> String? {
        guard let value else { return nil }
        if let text = value.string { return text }
        guard value.isNull || value.object?["__op"] == "Delete" || wrongValues == .missing else {
            throw .schemaMismatch("_User", "password", expected: .string, got: FieldType(of: value) ?? .object)
        }
        throw .passwordMissing
    }

    /// The member of a user with the hash of the password, as on a Parse Server.
    static let hashName = "_hashed_password"

    /// The hash of the password in a user from another server; nil if there is none.
    /// - Throws: `ParseError` 111 (incorrect type) for an unknown kind of hash.
    static func hash(in user: JSONObject) throws(ParseError) -> String? {
        guard let value = user[hashName] else { return nil }
        guard let hash = value.string, PasswordHasher.canVerify(hash) else {
            throw ParseError(
                .incorrectType, "\(hashName) must be a hash by Argon2id or, if the gateway runs on Linux, by bcrypt.")
        }
        return hash
    }

    /// The links in a body.
    /// - Throws: `ParseError` 252 (unsupported service) for an unknown provider.
    static func links(_ body: JSONObject) throws(ParseError) -> JSONObject {
        guard let value = body["authData"] else { return [:] }
        guard let authData = value.object, authData["__op"] == nil else { throw .unsupportedService }
        var links = JSONObject()
        for (provider, data) in authData {
            if data.isNull {
                links[provider] = .null
                continue
            }
            guard provider == "anonymous", let link = data.object else { throw .unsupportedService }
            guard !link.isEmpty else { continue }
            guard let id = link["id"]?.string, !id.isEmpty, id.utf8.count <= idBytesMax else {
                throw .unsupportedService
            }
            links[provider] = ["id": .string(id)]
        }
        return links
    }

    private static let idBytesMax = 1000
}
