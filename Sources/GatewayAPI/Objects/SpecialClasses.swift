import ParseModel

/// Checks new objects of `_User`, `_Role` and `_Installation`.
enum SpecialClasses {
    /// Checks the required fields of a new object. The store checks the `deviceType` of an installation, because the body may
    /// concern an installation that exists.
    /// - Parameter installationId: the installation id in the client's headers or body; nil for none.
    /// - Throws: for a missing field `ParseError` 200 (`_User`), 111 (`_Role`) or 135 (`_Installation`).
    static func checkCreate(
        _ className: String, _ body: JSONObject, installationId: String? = nil
    ) throws(ParseError) {
        let has = { (name: String) in body.text(name) != nil }
        switch className {
        case "_User":
            guard body["username"]?.string?.isEmpty == false else {
                throw ParseError(.usernameMissing, "bad or missing username")
            }
        case "_Role":
            for name in ["name", "ACL"] where body[name]?.isTruthy != true {
                throw ParseError(.incorrectType, "\(name) is required.")
            }
        case "_Installation":
            guard has("deviceToken") || has("installationId") || installationId?.isEmpty == false else {
                throw ParseError(
                    .missingClassName,
                    "at least one ID field (deviceToken, installationId) must be specified in this operation")
            }
        default: break
        }
    }
}
