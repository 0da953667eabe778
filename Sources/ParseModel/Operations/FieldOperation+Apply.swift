extension FieldOperation {
    /// Applies the operation to a field value.
    /// - Parameter old: the current value; nil for an absent field.
    /// - Returns: the new value; nil if the field is absent after the operation.
    /// - Throws: Parse error 111 (incorrect type) if the operation does not fit the current value, 107 (invalid JSON) if a sum is
    ///   too large. Only relation operations fit a relation value.
    package func apply(to old: JSONValue?, field: String, className: String) throws(ParseError) -> JSONValue? {
        let present = old?.isNull == true ? nil : old
        let relation = present.flatMap(Self.relationClass)
        switch self {
        case .set(let value):
            guard relation == nil else { throw mismatch(present, field, className) }
            return value
        case .delete:
            guard relation == nil else {
                throw ParseError(
                    .incorrectType,
                    "\(className).\(field) is a relation and cannot be deleted: remove its members instead")
            }
            // As on Parse Server, a Delete of the ACL sets an empty ACL. Bodies already contain an empty ACL instead of
            // the Delete, but a queue of an earlier version may contain the Delete.
            return field == "ACL" ? [:] : nil
        case .increment(let amount):
            guard let present else { return .number(amount) }
            guard let number = present.number else { throw mismatch(present, field, className) }
            guard let sum = number.adding(amount) else {
                throw ParseError(.invalidJSON, "The sum in \(className).\(field) is too large for a number.")
            }
            return .number(sum)
        case .add, .addUnique, .remove:
            guard let elements = (present ?? .array([])).array else { throw mismatch(present, field, className) }
            return .array(applied(to: elements))
        case .relation(let change):
            guard present == nil || relation == change.memberClass else { throw mismatch(present, field, className) }
            return change.fieldValue
        }
    }

    /// The elements of an array after an Add, AddUnique or Remove. Every other operation leaves the elements unchanged.
    func applied(to elements: [JSONValue]) -> [JSONValue] {
        switch self {
        case .add(let added): return elements + added
        case .addUnique(let added): return elements.appendingUnique(added)
        case .remove(let removed):
            let identities = Set(removed.map(ElementIdentity.init))
            return elements.filter { !identities.contains(ElementIdentity($0)) }
        case .set, .delete, .increment, .relation: return elements
        }
    }

    /// The member class of a relation value; nil for every other value.
    private static func relationClass(of value: JSONValue) -> String? {
        guard case .relation(let className) = FieldType(of: value) else { return nil }
        return className
    }

    private func mismatch(_ present: JSONValue?, _ field: String, _ className: String) -> ParseError {
        guard let present, let expected = FieldType(of: present), let got = type else {
            return ParseError(.incorrectType, "schema mismatch for \(className).\(field)")
        }
        return .schemaMismatch(className, field, expected: field == "ACL" ? .acl : expected, got: got)
    }
}

extension [JSONValue] {
    /// Returns the array with each missing element of `added` appended once. Existing duplicates stay.
    func appendingUnique(_ added: [JSONValue]) -> [JSONValue] {
        var seen = Set(map(ElementIdentity.init))
        return self + added.filter { seen.insert(ElementIdentity($0)).inserted }
    }
}

/// The part of an array element that AddUnique and Remove compare. For a pointer or an included object these are class
/// and id, for any other element the whole value.
private enum ElementIdentity: Hashable {
    case object(Pointer)
    case value(JSONValue)

    init(_ value: JSONValue) {
        if let object = value.object, let type = object["__type"]?.string, type == "Pointer" || type == "Object",
            let className = object["className"]?.string, let objectId = object["objectId"]?.string
        {
            self = .object(Pointer(className: className, objectId: objectId))
        } else {
            self = .value(value)
        }
    }
}
