extension FieldOperations {
    /// Reads and validates a request body by the rules of Parse Server. Dates and numbers are normalised. The result leaves out
    /// `objectId`, `createdAt`, `updatedAt`, values of the type Relation, and an `ACL` that JavaScript takes as false: it changes
    /// nothing.
    /// - Throws: Parse error 105 (invalid field name), and the errors of `FieldOperation.init(json:field:className:)`.
    package init(body: JSONObject, className: String) throws(ParseError) {
        self.init()
        for (field, value) in body where field != "objectId" && (field != "ACL" || value.isTruthy) {
            try FieldName.validate(field)
            let operation = try FieldOperation(json: value, field: field, className: className)
            if field == "createdAt" || field == "updatedAt" {
                if let type = operation.type, type != .date {
                    throw .schemaMismatch(className, field, expected: .date, got: type)
                }
            } else if case .set = operation, case .relation = operation.type {
                continue
            } else {
                self[field] = operation
            }
        }
    }
}
