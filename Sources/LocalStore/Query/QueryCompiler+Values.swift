import GRDB
import ParseModel

/// The SQL of comparisons with values: equality, order, and lists.
extension QueryCompiler {
    // MARK: Equality

    mutating func matches(_ column: FieldColumn, _ value: JSONValue) -> String {
        if let stored = column.storedColumn { return matchesStored(stored, "=", value) }
        if value.isNull { return column.exists(false) }
        if isRelation(column), let hasMember = hasMember(column, value) { return hasMember }
        let equals = column.orElement { values.equals($0, value) }
        guard let hasMember = hasMember(column, value) else { return equals }
        return "(\(equals) OR \(hasMember))"
    }

    /// Tests whether the field equals a value. For null, also tests whether null is an element of the field's array.
    mutating func matchesOrHolds(_ column: FieldColumn, _ value: JSONValue) -> String {
        let matches = matches(column, value)
        return value.isNull && column.storedColumn == nil ? "(\(matches) OR \(column.hasNullElement))" : matches
    }

    /// Tests whether a relation has the pointer's object as a member.
    /// - Returns: nil if the value is not a pointer, or if the column cannot be a relation.
    private mutating func hasMember(_ column: FieldColumn, _ value: JSONValue) -> String? {
        guard let pointer = Pointer(value) else { return nil }
        return hasMember(column, pointer.className) { $0.list([.string(pointer.objectId)]) }
    }

    // MARK: Order

    mutating func compares(_ column: FieldColumn, _ sign: String, _ value: JSONValue) -> String {
        if let stored = column.storedColumn { return matchesStored(stored, sign, value) }
        switch Operand(value) {
        case .null, .array, .object: return Self.never
        case let operand: return column.orElement { values.compares($0, sign, operand) }
        }
    }

    /// Compares `objectId`, `createdAt` or `updatedAt`, which have columns of their own.
    private mutating func matchesStored(
        _ column: FieldColumn.Stored, _ sign: String, _ value: JSONValue
    ) -> String {
        switch column {
        case .id: value.string.map { "id \(sign) \(bind($0))" } ?? Self.never
        case .createdAt, .updatedAt:
            Operand.date(value).map { "\(column.rawValue) \(sign) \(bind($0.milliseconds))" } ?? Self.never
        }
    }

    // MARK: Lists

    /// Tests equality with any of the values. Values of one kind are bound as one JSON array, so that long lists are possible.
    /// Null matches a missing value, and null as an element of an array.
    /// - Parameter others: comparisons and patterns on the same field. The condition is also true if one of them is.
    mutating func anyOf(_ column: FieldColumn, _ listed: [JSONValue], or others: [Constraint] = []) -> String {
        if let stored = column.storedColumn { return anyOfStored(stored, listed) }
        let groups = ValueGroups(listed)
        let isOfPointers = isRelation(column) && groups.alone.isEmpty && others.isEmpty
        let lists = isOfPointers ? [] : groups.lists
        var terms = listed.contains(.null) ? [column.exists(false)] : []
        if !(groups.alone.isEmpty && lists.isEmpty && others.isEmpty) {
            terms.append(
                column.orElement { field in
                    let tests =
                        groups.alone.map { values.equals(field, $0) } + lists.map { values.isListed(field, in: $0) }
                        + others.map { holds($0, field) }
                    return Self.joined(tests.map(FieldColumn.stoppable), "OR") ?? Self.never
                })
        }
        terms += groups.lists.compactMap { hasMember(column, $0) }
        return Self.joined(terms, "OR") ?? Self.never
    }

    private mutating func hasMember(_ column: FieldColumn, _ list: ValueGroups.List) -> String? {
        guard case .member("Pointer", let members, _) = list.kind, let memberClass = members.first?.value else {
            return nil
        }
        return hasMember(column, memberClass) { $0.list(list.values) }
    }

    /// The SQL of a comparison or pattern on the field that was collected by `SharedField`.
    private mutating func holds(_ constraint: Constraint, _ field: FieldColumn.Reference) -> String {
        switch constraint {
        case .less(let value): values.compares(field, "<", Operand(value))
        case .lessOrEqual(let value): values.compares(field, "<=", Operand(value))
        case .greater(let value): values.compares(field, ">", Operand(value))
        case .greaterOrEqual(let value): values.compares(field, ">=", Operand(value))
        case .regex(let pattern, let options): values.fits(field, pattern, options)
        default: Self.never
        }
    }

    /// Tests that the field equals all the values, or that its array contains them. If there are more than
    /// `SharedField.singleMax` values of one kind, one pass over the array compares them together.
    mutating func allOf(_ column: FieldColumn, _ listed: [JSONValue]) -> String {
        let distinct = listed.count > SharedField.singleMax ? Array(Set(listed)) : []
        guard !distinct.isEmpty, column.storedColumn == nil, !isRelation(column) else {
            return Self.joined(listed.map { matchesOrHolds(column, $0) }, "AND") ?? Self.never
        }
        let groups = ValueGroups(distinct)
        var terms = groups.alone.map { matchesOrHolds(column, $0) }
        for group in groups.lists {
            var found: [String]
            if group.values.count == 1 {
                found = [column.orElement { values.isListed($0, in: group) }]
            } else {
                var value = FieldColumn.element.value
                if case .member(_, _, let last) = group.kind { value = FieldColumn.element.member(last) }
                let isListed = values.isListed(FieldColumn.element, in: group)
                let count = "(SELECT count(DISTINCT \(value)) FROM \(column.elements) WHERE \(isListed))"
                found = [column.ifArray("\(count) = (SELECT count(DISTINCT value) FROM \(values.list(group.values)))")]
            }
            let members = group.values.compactMap { hasMember(column, .init(kind: group.kind, values: [$0])) }
            found += Self.joined(members, "AND").map { [$0] } ?? []
            terms.append(Self.joined(found, "OR") ?? Self.never)
        }
        return Self.joined(terms, "AND") ?? Self.never
    }

    mutating func isContained(_ column: FieldColumn, in listed: [JSONValue]) -> String {
        guard column.storedColumn == nil else { return Self.never }
        let groups = ValueGroups(listed)
        return column.eachElement { element in
            let terms =
                groups.alone.map { "coalesce(\(values.equals(element, $0)), 0)" }
                + groups.lists.map { "coalesce(\(values.isListed(element, in: $0)), 0)" }
            return Self.joined(terms, "OR") ?? "0"
        }
    }

    private mutating func anyOfStored(_ column: FieldColumn.Stored, _ listed: [JSONValue]) -> String {
        switch column {
        case .id: "id IN \(list(listed.filter { $0.string != nil }))"
        case .createdAt, .updatedAt:
            "\(column.rawValue) IN \(list(listed.compactMap { Operand.date($0).map { .int($0.milliseconds) } }))"
        }
    }
}
