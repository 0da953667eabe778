import ParseModel

/// A write of a local client whose body was checked before the transaction, as far as possible without the store. A
/// body can have millions of values, and a check inside the transaction would delay all other writes.
package struct PreparedWrite: Sendable {
    package let request: WriteRequest
    /// The result of the check in advance. Nil for a deletion, and for a body with more fields than a class may have: `body`
    /// checks such a body inside the transaction.
    private let checked: Result<CheckedBody, ParseError>?
    private let allowsAuthData: Bool

    /// - Parameters:
    ///   - fieldsMax: the maximum number of fields in a class. A body with more fields is not checked in advance, because
    ///     the transaction nearly always refuses it for this number.
    ///   - allowsAuthData: whether the body of a user may have a checked `authData`, as in an import.
    package init(_ request: WriteRequest, fieldsMax: Int, allowsAuthData: Bool = false) {
        self.request = request
        self.allowsAuthData = allowsAuthData
        switch request {
        case .create(let className, let body, _) where body.count <= fieldsMax:
            checked = Self.checked(body, className, creates: true, allowsAuthData)
        case .update(let className, _, let body, _) where body.count <= fieldsMax:
            checked = Self.checked(body, className, creates: false, allowsAuthData)
        case .create, .update, .delete: checked = nil
        }
    }

    private static func checked(
        _ body: JSONObject, _ className: String, creates: Bool, _ allowsAuthData: Bool
    ) -> Result<CheckedBody, ParseError> {
        Result { () throws(ParseError) in
            try CheckedBody(body, className: className, creates: creates, allowsAuthData: allowsAuthData)
        }
    }

    /// The checked body: the result of the check in advance, or of a check now if there was no check in advance.
    /// - Parameters:
    ///   - body: the body of the request.
    ///   - creates: whether the request is a create.
    /// - Throws: the errors of `WriteBody`.
    package func body(_ body: JSONObject, className: String, creates: Bool) throws(ParseError) -> CheckedBody {
        if let checked { return try checked.get() }
        return try CheckedBody(body, className: className, creates: creates, allowsAuthData: allowsAuthData)
    }
}

/// The checked body of a write, with the objects and files to which it refers.
package struct CheckedBody: Sendable {
    package let body: WriteBody
    private let references: References

    /// The objects and files to which the operations refer, at any depth.
    package struct References: Sendable {
        package let pointers: [Pointer]
        package let files: [FileReference]

        package init(in operations: FieldOperations) {
            pointers = operations.pointers
            files = operations.files
        }
    }

    /// - Throws: the errors of `WriteBody`, if the body fails a check.
    package init(
        _ body: JSONObject, className: String, creates: Bool, allowsAuthData: Bool = false
    ) throws(ParseError) {
        self.body = try WriteBody(
            body, className: className, creates: creates, allowsAuthData: allowsAuthData)
        references = References(in: self.body.operations)
    }

    /// The whole body as operations on fields, and the objects and files that the operations name.
    /// - Parameter fields: the object's present fields; empty for a create.
    /// - Throws: `ParseError` 111 (incorrect type) if an operation does not fit the present value of its field.
    package func operations(
        on fields: JSONObject, className: String
    ) throws(ParseError) -> (operations: FieldOperations, references: References) {
        let operations = try body.operations(on: fields, className: className)
        return (operations, body.nested.isEmpty ? references : References(in: operations))
    }
}
