/// An operation on a path inside a field: `"address.city": "Oslo"`, `"tags.0": "a"`.
package struct NestedOperation: Sendable, Hashable {
    package let field: String
    /// The path after the field: at least one object key or array index.
    package let path: [String]
    package let operation: FieldOperation

    /// The dotted path, as in the request body.
    package var name: String { ([field] + path).joined(separator: ".") }

    /// Returns the value of the field after the operation. Nil, as parameter and as result, stands for an absent field.
    /// - Throws: Parse error 111 (incorrect type) if the path does not fit the value, and the errors of `FieldOperation.apply`.
    package func apply(to value: JSONValue?, className: String) throws(ParseError) -> JSONValue? {
        try applied(to: value, path[...], at: field, className)
    }

    private func applied(
        to value: JSONValue?, _ path: ArraySlice<String>, at place: String, _ className: String
    ) throws(ParseError) -> JSONValue? {
        guard let key = path.first else { return try operation.apply(to: value, field: place, className: className) }
        let present = value?.isNull == true ? nil : value
        // A delete of an absent value has no effect.
        if present == nil, operation == .delete { return value }
        let next = place + "." + key
        switch present {
        case nil, .object:
            var object = present?.object ?? [:]
            guard object["__type"] == nil else { throw mismatch(present, key, place, className) }
            object[key] = try applied(to: object[key], path.dropFirst(), at: next, className)
            return .object(object)
        case .array(var elements):
            // The index after the last element appends an element. A larger index is refused: it would leave a gap.
            guard let index = Int(key), key.utf8.allSatisfy(\.isDigit), index <= elements.count else {
                throw mismatch(present, key, place, className)
            }
            let old = index < elements.count ? elements[index] : nil
            let new = try applied(to: old, path.dropFirst(), at: next, className) ?? .null
            if index < elements.count { elements[index] = new } else { elements.append(new) }
            return .array(elements)
        default: throw mismatch(present, key, place, className)
        }
    }

    private func mismatch(
        _ present: JSONValue?, _ key: String, _ place: String, _ className: String
    ) -> ParseError {
        guard let expected = present.flatMap(FieldType.init(of:)) else {
            return ParseError(.incorrectType, "schema mismatch for \(className).\(place)")
        }
        let got: FieldType = key.utf8.allSatisfy(\.isDigit) && expected != .array ? .array : .object
        return .schemaMismatch(className, place, expected: expected, got: got)
    }
}
