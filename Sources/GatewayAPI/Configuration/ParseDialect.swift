import ParseModel

/// What depends on the version of Parse Server whose answers a gateway gives.
///
/// A composition is made with one dialect, and passes each value to the part that needs it. No part asks for a version.
package struct ParseDialect: Sendable, Hashable {
    /// The callers who may read the plan of a query.
    package enum Explaining: Sendable { case everybody, masterKey }

    /// The codes for a name or a password of another type than String in a change of a user.
    package enum WrongSignInValues: Sendable {
        /// 111, as for every field of another type.
        case ofAnotherType
        /// 200 and 201, as for an empty one.
        case missing
    }

    /// The text that a client sees for every denial; nil for the text of each denial itself.
    package var denialText: String?
    /// The body of the answer to an internal error.
    package var internalError: JSONObject
    package var unknownOperator: ParseError.Code
    package var explaining: Explaining
    package var wrongSignInValues: WrongSignInValues
    /// The release that `/serverInfo` names.
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
