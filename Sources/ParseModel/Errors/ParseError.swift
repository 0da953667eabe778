/// A Parse error: an error code of the Parse protocol, and a message.
package struct ParseError: Error, Hashable, Sendable {
    package let code: Code
    package let message: String
    /// Whether a write was refused although its object exists and the writer may read it. Code and message are those of
    /// a missing object, as on a Parse Server.
    package private(set) var deniesWrite = false
    /// Whether the error denies a right. Since version 9, Parse Server hides the message of such an error from clients.
    package private(set) var isDenial = false
    /// The class whose permissions are unknown, if this is why a site replica (a replica for several users) has refused
    /// a request. When the remote has described the class, the request may be allowed.
    package private(set) var undescribedClass: String?

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// An error that denies a right.
    /// - Parameter detail: the message, which may name classes, fields and objects.
    package static func denial(_ code: Code, _ detail: String) -> ParseError {
        var error = ParseError(code, detail)
        error.isDenial = true
        return error
    }

    /// The error for a write of an object that exists and that the writer may read.
    package var denyingWrite: ParseError {
        var error = self
        error.deniesWrite = true
        return error
    }

    /// The error codes of `Parse.Error` that Tidegate itself reports.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }

        package static let internalServerError = Code(rawValue: 1)
        package static let connectionFailed = Code(rawValue: 100)
        package static let objectNotFound = Code(rawValue: 101)
        package static let invalidQuery = Code(rawValue: 102)
        package static let invalidClassName = Code(rawValue: 103)
        package static let missingObjectId = Code(rawValue: 104)
        package static let invalidFieldName = Code(rawValue: 105)
        package static let invalidJSON = Code(rawValue: 107)
        package static let commandUnavailable = Code(rawValue: 108)
        package static let incorrectType = Code(rawValue: 111)
        package static let objectTooLarge = Code(rawValue: 116)
        package static let operationForbidden = Code(rawValue: 119)
        package static let invalidNestedKey = Code(rawValue: 121)
        package static let invalidFileName = Code(rawValue: 122)
        package static let invalidACL = Code(rawValue: 123)
        package static let timeout = Code(rawValue: 124)
        /// Parse error 154: the query needs too much of the server.
        package static let inefficientQuery = Code(rawValue: 154)
        /// Parse error 155: a rate or size limit was exceeded (`REQUEST_LIMIT_EXCEEDED` in the SDKs).
        package static let requestLimitExceeded = Code(rawValue: 155)
        package static let fileSaveError = Code(rawValue: 130)
        static let invalidInstallationId = Code(rawValue: 132)
        package static let missingClassName = Code(rawValue: 135)
        package static let unchangeableField = Code(rawValue: 136)
        package static let duplicateValue = Code(rawValue: 137)
        package static let validationFailed = Code(rawValue: 142)
        package static let fileDeleteError = Code(rawValue: 153)
        package static let duplicateRequest = Code(rawValue: 159)
        package static let invalidValue = Code(rawValue: 162)
        package static let invalidSessionToken = Code(rawValue: 209)
        package static let impossibleSchemaChange = Code(rawValue: 255)
    }

    /// The error for a write that would exceed the maximum number of fields of a class.
    package static func tooManyFields(_ className: String, max: Int) -> ParseError {
        ParseError(.incorrectType, "\(className) would have more than \(max) fields.")
    }

    /// The error for a request about a class whose permissions are unknown, because the remote of a site replica has
    /// not described it yet.
    package static func undescribed(_ className: String) -> ParseError {
        var error = ParseError(
            .operationForbidden,
            "The permissions of the class \(className) have not been read from the remote yet, or it has no such class. "
                + "Until then, only the master key can use the class.")
        error.undescribedClass = className
        return error
    }

    package static let objectNotFound = ParseError(.objectNotFound, "Object not found.")
}

extension ParseError: CustomStringConvertible {
    /// The message and the code in one line.
    package var description: String { "\(message) (code \(code.rawValue))" }
}
