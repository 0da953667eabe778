extension FieldOperations {
    /// Reads a request's body as a Parse Server would: names and values are checked, dates and numbers take their
    /// canonical form, and what a server ignores is dropped: `objectId` (the caller's matter), dates in `createdAt`
    /// and `updatedAt`, and relations sent as values, whose members have operations of their own.
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
