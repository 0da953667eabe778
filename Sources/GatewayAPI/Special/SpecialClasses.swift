import ParseModel

/// Classes that each Parse Server has, with paths and rights of their own.
enum SpecialClasses {
    /// Whether objects of a class are hidden in part from clients without the master key: the change feed shows none of them.
    static func areHidden(_ className: String) -> Bool { ClassName.special.contains(className) && className != "_Role" }

    /// There are no sessions here, so an operation that needs one needs the master key.
    /// - Throws: `ParseError` 119, 206 or 209, as a Parse Server refuses it.
    static func authorize(
        _ kind: ObjectOperation.Kind, _ className: String, _ objectId: String? = nil, as principal: Principal
    ) throws(ParseError) {
        guard !principal.isMaster else { return }
        switch (className, kind) {
        case ("_Session", _): throw ParseError(.invalidSessionToken, "Invalid session token")
        case ("_Installation", .list), ("_Installation", .delete):
            let verb = kind == .list ? "find" : "delete"
            throw ParseError(
                .operationForbidden,
                "Clients aren't allowed to perform the \(verb) operation on the installation collection.")
        case ("_User", .update):
            throw ParseError(.sessionMissing, "Cannot modify user \(objectId ?? "").")
        case ("_User", .delete): throw ParseError(.sessionMissing, "Insufficient auth to delete user")
        default: break
        }
    }

    /// The fields that an object of such a class needs.
    /// - Parameter installationId: of the client that makes it.
    /// - Throws: `ParseError` 111, 135 or 200.
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
    fileprivate static let sessionMissing = Self(rawValue: 206)
}
