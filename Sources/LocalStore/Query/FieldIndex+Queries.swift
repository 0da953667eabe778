import ParseModel

extension ParseQuery {
    /// The fields whose indexes can speed up the query, in order of preference: fields in equalities, the first field
    /// of the order, fields in comparisons. Empty if the query selects objects by their ids or by a relation, because
    /// these have indexes anyway.
    var indexablePaths: [FieldPath] {
        let required = predicate.required
        let isFoundAnyway = required.contains { term in
            switch term {
            case .relatedTo: true
            case .field(let path, .equal), .field(let path, .in): FieldColumn(path).storedColumn == .id
            default: false
            }
        }
        guard !isFoundAnyway else { return [] }
        var equal: [FieldPath] = []
        var ranged: [FieldPath] = []
        for case .field(let path, let constraint) in required where FieldColumn(path).storedColumn == nil {
            switch constraint {
            case .equal(let value) where value.bool == nil && QueryCompiler.key(value) != nil: equal.append(path)
            case .in(let values) where values.allSatisfy({ QueryCompiler.key($0) != nil }): equal.append(path)
            case .inQuery: equal.append(path)
            case .regex(let pattern, "") where QueryCompiler.prefix(of: pattern) != nil: equal.append(path)
            case .less, .lessOrEqual, .greater, .greaterOrEqual: ranged.append(path)
            default: break
            }
        }
        let ordering = orderPath.map { FieldColumn($0).storedColumn == nil ? [$0] : [] } ?? []
        return equal + ordering + ranged
    }

    /// The first field of the order; nil without an order, and for an order by score or distance.
    private var orderPath: FieldPath? { ordersByScore || ordersByDistance ? nil : order.first?.path }

    /// The second field of the best index on `path`. It is the first field of the query's order, if the query tests
    /// `path` for equality with one value. Nil otherwise, and if the query's order begins with `path`.
    func order(behind path: FieldPath) -> FieldPath? {
        guard let orderPath, orderPath != path else { return nil }
        let asksForOne = predicate.required.contains { term in
            if case .field(path, .equal(let value)) = term { QueryCompiler.kind(of: value) != nil } else { false }
        }
        return asksForOne ? orderPath : nil
    }
}

/// Divides a query's conditions by whether an index on a field can answer them.
extension QueryCompiler {
    /// The key under which an index stores a string, number, boolean, date or pointer; nil for other values.
    static func key(_ value: JSONValue) -> JSONValue? {
        switch Operand(value) {
        case .string, .number, .bool: value
        case .member(let type, let members) where type == "Date" || type == "Pointer":
            members.last.map { .string($0.value) }
        default: nil
        }
    }

    /// The value of `FieldColumn.kindExpression` for a field with this value; nil if the value has no kind.
    static func kind(of value: JSONValue) -> Int? {
        switch Operand(value) {
        case .string: FieldColumn.Kind.text
        case .number: FieldColumn.Kind.number
        case .bool: FieldColumn.Kind.bool
        default: nil
        }
    }

    /// Divides a predicate for a search in the index: `sought` has the SQL conditions that SQLite can search in the
    /// index, `rest` the others. A comparison with a string, number or boolean is only in `sought`, because no object
    /// has an array in the field while the index is used. Other comparisons are in both parts.
    mutating func divide(_ predicate: Predicate, by index: FieldIndex) -> (sought: [String], rest: Predicate) {
        var sought: [String] = []
        var rest: [Predicate] = []
        for term in predicate.required {
            guard case .field(index.path, let constraint) = term, let condition = self.sought(constraint, by: index)
            else {
                rest.append(term)
                continue
            }
            if let kind = Self.kind(of: constraint) {
                sought.append("\(condition) AND \(index.kind) = \(kind)")
            } else {
                sought.append(condition)
                rest.append(term)
            }
        }
        return (sought, .and(rest))
    }

    /// The kind (text, number or boolean) of the values that a constraint compares with the field. Nil if the kind and
    /// the sort key of the field do not suffice for the comparison.
    private static func kind(of constraint: Constraint) -> Int? {
        switch constraint {
        case .equal(let value), .less(let value), .lessOrEqual(let value), .greater(let value),
            .greaterOrEqual(let value):
            return kind(of: value)
        case .in(let values):
            let kinds = Set(values.map(kind(of:)))
            return kinds.count == 1 ? kinds.first ?? nil : nil
        default: return nil
        }
    }

    private mutating func sought(_ constraint: Constraint, by index: FieldIndex) -> String? {
        switch constraint {
        case .equal(let value): compare(index, "=", value)
        case .less(let value): compare(index, "<", value)
        case .lessOrEqual(let value): compare(index, "<=", value)
        case .greater(let value): compare(index, ">", value)
        case .greaterOrEqual(let value): compare(index, ">=", value)
        case .in(let values):
            values.contains { Self.key($0) == nil }
                ? nil : "\(index.key) IN \(list(values.compactMap(Self.key)))"
        case .regex(let pattern, ""):
            Self.prefix(of: pattern).map { prefix in
                let first = "\(index.key) >= \(bind(prefix))"
                return first + (Self.next(after: prefix).map { " AND \(index.key) < \(bind($0))" } ?? "")
            }
        case .inQuery(let query): "\(index.key) IN (SELECT id FROM \(table(of: query)))"
        default: nil
        }
    }

    private mutating func compare(_ index: FieldIndex, _ sign: String, _ value: JSONValue) -> String? {
        Self.key(value).map { "\(index.key) \(sign) \(bindKey($0))" }
    }

    /// The literal prefix of a pattern that SDKs generate for "starts with", `^abc` or `^\Qabc\E`; nil for other
    /// patterns.
    static func prefix(of pattern: String) -> String? {
        guard pattern.hasPrefix("^") else { return nil }
        var text = pattern.dropFirst()
        if text.hasPrefix("\\Q"), text.hasSuffix("\\E") {
            text = text.dropFirst(2).dropLast(2)
            return text.isEmpty || text.contains("\\E") ? nil : String(text)
        }
        let isPlain = text.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == " "
        }
        return text.isEmpty || !isPlain ? nil : String(text)
    }

    /// The lowest string above all strings with this prefix; nil if the last character has no successor.
    private static func next(after prefix: String) -> String? {
        var scalars = prefix.unicodeScalars
        guard let last = scalars.popLast() else { return nil }
        // Unicode scalars skip the surrogates, U+D800 to U+DFFF.
        guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1) else { return nil }
        scalars.append(next)
        return String(scalars)
    }

    private mutating func bindKey(_ key: JSONValue) -> String {
        switch Operand(key) {
        case .string(let text): bind(text)
        case .number(let number, _): bind(number)
        case .bool(let flag): bind(flag ? 1 : 0)
        default: "NULL"
        }
    }
}
