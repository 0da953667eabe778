extension FieldOperations {
    /// Reads and validates a request body by the rules of a Parse Server. Dates and numbers become canonical. Ignored members are
    /// dropped: `objectId` (the caller reads it), dates in `createdAt` and `updatedAt`, and relation values.
    /// - Throws: 105, 107, 108, 111 or 121.
    package init(body: JSONObject, className: String) throws(ParseError) {
        self.init()
        for (field, value) in body where field != "objectId" {
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
