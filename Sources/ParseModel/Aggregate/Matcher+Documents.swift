extension Matcher {
    /// Whether a constraint is true for the values that a path reaches. `notEqual`, `notIn` and a false `exists` must
    /// be true for every value. For `all`, each of its elements must be among the values. Any other constraint must be
    /// true for at least one value.
    func holds(_ constraint: Constraint, ofAny fields: [MatchedField], _ document: JSONObject) throws -> Bool {
        switch constraint {
        case .notEqual(let value): return try !holds(.in([value]), ofAny: fields, document)
        case .notIn(let values): return try !holds(.in(values), ofAny: fields, document)
        case .exists(let exists), .existsUnlessRelation(let exists):
            return fields.contains(where: \.exists) == exists
        case .all(let values):
            return try !values.isEmpty
                && values.allSatisfy { value in try holds(.in([value]), ofAny: fields, document) }
        default: return try fields.contains { try holds(constraint, $0, document) }
        }
    }
}

extension Constraint {
    /// The constraint with its strings converted to the type of `value`, if this is a Date or a Pointer. A pipeline may
    /// compare a Date or a Pointer with a string.
    func reading(_ value: JSONValue?) -> Constraint {
        guard let value, value.object != nil, values.contains(where: { $0.string != nil }) else { return self }
        if ParseDate(value) != nil { return mapValues { $0.string.flatMap(ParseDate.init(iso:))?.json ?? $0 } }
        guard let pointer = Pointer(value), comparesIdentity else { return self }
        let prefix = pointer.className + "$"
        return mapValues { compared in
            guard let text = compared.string else { return compared }
            let id = text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
            return Pointer(className: pointer.className, objectId: id).json
        }
    }
}
