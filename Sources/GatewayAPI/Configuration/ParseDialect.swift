import ParseModel

/// The answers that differ between the versions of Parse Server. A gateway follows one version.
///
/// Each product is composed with one dialect, and passes each value to the part that needs it. No part asks for a
/// version.
package struct ParseDialect: Sendable, Hashable {
    /// The callers who may read the plan of a query.
    package enum Explaining: Sendable { case everybody, masterKey }

    /// The error codes for a change of a user whose new user name or password is not a string.
    package enum WrongSignInValues: Sendable {
        /// 111 (incorrect type), as for every field whose value has a wrong type.
        case ofAnotherType
        /// 200 for a user name and 201 for a password, as for an empty value.
        case missing
    }

    /// The one text that clients see instead of the specific text of each denial; nil if they see the specific text.
    package var denialText: String?
    /// The body of the answer to an internal error.
    package var internalError: JSONObject
    package var unknownOperator: ParseError.Code
    package var explaining: Explaining
    package var wrongSignInValues: WrongSignInValues
    /// The release of Parse Server that `/serverInfo` names.
    package var serverVersion: String

    /// The answers of Parse Server 9.10.
    package static let nine = ParseDialect(
        denialText: "Permission denied", internalError: ["code": 1, "error": "An internal server error occurred"],
        unknownOperator: .invalidJSON, explaining: .masterKey, wrongSignInValues: .missing, serverVersion: "9.10.3")
    /// The answers of Parse Server 7.1.0.
    package static let seven = ParseDialect(
        denialText: nil, internalError: ["code": 1, "message": "Internal server error."],
        unknownOperator: .invalidQuery, explaining: .everybody, wrongSignInValues: .ofAnotherType,
        serverVersion: "7.1.0")
    /// The answers of a replica, whose remote decides about most requests.
    package static let replica = seven
}

extension ParseDialect.Explaining {
    /// - Throws: `ParseError` 102 (invalid query) if the principal may not read the plan of a query.
    func check(_ principal: Principal) throws(ParseError) {
        guard self == .everybody || principal.isMaster else {
            throw ParseError(.invalidQuery, "Using the explain query parameter requires the master key")
        }
    }
}
