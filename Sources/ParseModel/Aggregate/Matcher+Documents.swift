extension Matcher {
    /// Whether a constraint holds of a place inside of a document, at which there may be several values: what asks for a
    /// value is content with any of them.
    func holds(_ constraint: Constraint, ofAny fields: [MatchedField], _ document: JSONObject) throws -> Bool {
        switch constraint {
        case .notEqual(let value): return try !holds(.equal(value), ofAny: fields, document)
        case .notIn(let values): return try !holds(.in(values), ofAny: fields, document)
        case .exists(let exists): return fields.contains(where: \.exists) == exists
        case .all(let values):
            return try !values.isEmpty
                && values.allSatisfy { value in try holds(.equal(value), ofAny: fields, document) }
        default: return try fields.contains { try holds(constraint, $0, document) }
        }
    }
}
