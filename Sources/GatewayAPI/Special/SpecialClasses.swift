import ParseModel

/// Rules for creates of the classes that each Parse Server has.
enum SpecialClasses {
    /// Checks the required fields of a new object.
    /// - Parameter installationId: the id of the creating client.
    /// - Throws: `ParseError` 111 (incorrect type), 135 (missing class name) or 200 (username missing).
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
            for name in ["name", "ACL"] where body[name] == nil || body[name]?.isNull == true || body[name] == "" {
                throw ParseError(.incorrectType, "\(name) is required.")
            }
        case "_Installation":
            guard has("deviceToken") || has("installationId") || installationId?.isEmpty == false else {
                throw ParseError(
                    .missingClassName,
                    "at least one ID field (deviceToken, installationId) must be specified in this operation")
            }
            guard has("deviceType") else {
                throw ParseError(.missingClassName, "deviceType must be specified in this operation")
            }
        default: break
        }
    }
}

extension ParseError.Code {
    fileprivate static let usernameMissing = Self(rawValue: 200)
}
