extension FieldOperation {
    /// What the field holds after the operation; nil means that the field is absent, before or after.
    /// - Throws: 111 where the operation does not fit the present value, 107 where a sum is too large for a number.
    ///   Nothing but its own operations fits a relation.
    package func apply(to old: JSONValue?, field: String, className: String) throws(ParseError) -> JSONValue? {
        let present = old?.isNull == true ? nil : old
        let relation = present?.relationClass
        switch self {
        case .set(let value):
            guard relation == nil else { throw mismatch(present, field, className) }
            return value
        case .delete:
            guard relation == nil else {
                throw ParseError(
                    .incorrectType,
                    "\(className).\(field) is a relation, which cannot be deleted: remove its members instead")
            }
            return nil
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

    /// What an array operation makes of an array.
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

    private func mismatch(_ present: JSONValue?, _ field: String, _ className: String) -> ParseError {
        guard let present, let expected = FieldType(of: present), let got = type else {
            return ParseError(.incorrectType, "schema mismatch for \(className).\(field)")
        }
        return .schemaMismatch(className, field, expected: field == "ACL" ? .acl : expected, got: got)
    }
}

extension JSONValue {
    /// The class of the members, where the value is a relation's.
    fileprivate var relationClass: String? {
        guard case .relation(let className) = FieldType(of: self) else { return nil }
        return className
    }
}

extension [JSONValue] {
    /// The array with those elements appended that it does not hold yet, each once. What it holds stays, twice or not.
    func appendingUnique(_ added: [JSONValue]) -> [JSONValue] {
        var seen = Set(map(ElementIdentity.init))
        return self + added.filter { seen.insert(ElementIdentity($0)).inserted }
    }
}

/// What makes two elements of an array the same one to AddUnique and Remove: for pointers and included objects the
/// object that they mean, for everything else the whole value.
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
