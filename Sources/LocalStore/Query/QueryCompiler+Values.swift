import GRDB
import ParseModel

/// The SQL for comparisons with values: equality, order, and lists.
extension QueryCompiler {
    // MARK: Equality

    mutating func matches(_ column: FieldColumn, _ value: JSONValue) -> String {
        if let stored = column.storedColumn { return matchesStored(stored, "=", value) }
        if value.isNull { return column.exists(false) }
        if isRelation(column), let hasMember = hasMember(column, value) { return hasMember }
        let equals = column.orElement { self.equals($0, value) }
        guard let hasMember = hasMember(column, value) else { return equals }
        return "(\(equals) OR \(hasMember))"
    }

    /// Equality of the field and a value, or null as an element of the field's array.
    mutating func matchesOrHolds(_ column: FieldColumn, _ value: JSONValue) -> String {
        let matches = matches(column, value)
        return value.isNull && column.storedColumn == nil ? "(\(matches) OR \(column.hasNullElement))" : matches
    }

    /// - Returns: nil if the value is not a pointer, or if the column cannot be a relation.
    private mutating func hasMember(_ column: FieldColumn, _ value: JSONValue) -> String? {
        guard let pointer = Pointer(value) else { return nil }
        return hasMember(column, pointer.className) { $0.list([.string(pointer.objectId)]) }
    }

    /// Equality of a field and a value. Arrays and objects are compared as a whole, without regard to the order of keys.
    private mutating func equals(_ field: FieldColumn.Reference, _ value: JSONValue) -> String {
        switch Operand(value) {
        case .null: "\(field.type) = 'null'"
        case .array, .object:
            // SQLite evaluates the terms of AND in any order. Only CASE ensures that the function receives JSON.
            "CASE WHEN \(field.type) IN ('object', 'array') "
                + "THEN \(QueryFunctions.jsonEqual)(\(field.value), \(bind(value.jsonText))) END"
        case let operand: scalar(operand, "=", field)
        }
    }

    // MARK: Order

    mutating func compares(_ column: FieldColumn, _ sign: String, _ value: JSONValue) -> String {
        if let stored = column.storedColumn { return matchesStored(stored, sign, value) }
        switch Operand(value) {
        case .null, .array, .object: return Self.never
        case let operand: return column.orElement { self.scalar(operand, sign, $0) }
        }
    }

    /// Compares a field with a value by the SQL operator `sign`. A typed Parse value, such as a pointer, is compared member by
    /// member: the last member by `sign`, and the others by equality.
    private mutating func scalar(_ operand: Operand, _ sign: String, _ field: FieldColumn.Reference) -> String {
        switch operand {
        case .string(let text): "\(field.text) \(sign) \(bind(text))"
        case .number(let number, _): "\(field.type) IN ('integer', 'real') AND \(field.value) \(sign) \(bind(number))"
        case .bool(let flag): "\(field.type) IN ('true', 'false') AND \(field.value) \(sign) \(bind(flag ? 1 : 0))"
        case .member(let type, let members):
            "\(field.type) = 'object' AND \(field.member("__type")) = \(bind(type))"
                + members.dropLast().map { " AND \(field.member($0.key)) = \(bind($0.value))" }.joined()
                + (members.last.map { " AND \(field.member($0.key)) \(sign) \(bind($0.value))" } ?? "")
        case .null, .array, .object: "0"
        }
    }

    /// Compares objectId, createdAt or updatedAt, which have their own columns.
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

    /// Equality with any of the values. Values of one kind are bound as one JSON array, so that long lists are possible.
    mutating func anyOf(_ column: FieldColumn, _ values: [JSONValue]) -> String {
        if let stored = column.storedColumn { return anyOfStored(stored, values) }
        let groups = Groups(values)
        let isOfPointers = isRelation(column) && groups.alone.isEmpty
        let terms =
            groups.alone.map { matchesOrHolds(column, $0) }
            + (isOfPointers ? [] : groups.lists).map { list in
                column.orElement { self.isListed(list.kind, list.values, $0) }
            }
            + groups.lists.compactMap { list in
                guard case .member("Pointer", let members, _) = list.kind, let memberClass = members.first?.value else {
                    return nil
                }
                return hasMember(column, memberClass) { $0.list(list.values) }
            }
        return Self.joined(terms, "OR") ?? Self.never
    }

    mutating func isContained(_ column: FieldColumn, in values: [JSONValue]) -> String {
        guard column.storedColumn == nil else { return Self.never }
        let groups = Groups(values)
        return column.eachElement { element in
            let terms =
                groups.alone.map { "coalesce(\(equals(element, $0)), 0)" }
                + groups.lists.map { "coalesce(\(isListed($0.kind, $0.values, element)), 0)" }
            return Self.joined(terms, "OR") ?? "0"
        }
    }

    private struct Groups {
        var alone: [JSONValue] = []
        var lists: [(kind: Operand.ListKind, values: [JSONValue])] = []

        init(_ values: [JSONValue]) {
            for value in values {
                guard let (kind, value) = Operand(value).listed else {
                    alone.append(value)
                    continue
                }
                if let place = lists.firstIndex(where: { $0.kind == kind }) {
                    lists[place].values.append(value)
                } else {
                    lists.append((kind, [value]))
                }
            }
        }
    }

    private mutating func isListed(
        _ kind: Operand.ListKind, _ values: [JSONValue], _ field: FieldColumn.Reference
    ) -> String {
        switch kind {
        case .string: "\(field.text) IN \(list(values))"
        case .number: "\(field.type) IN ('integer', 'real') AND \(field.value) IN \(list(values))"
        case .member(let type, let members, let last):
            "\(field.type) = 'object' AND \(field.member("__type")) = \(bind(type))"
                + members.map { " AND \(field.member($0.key)) = \(bind($0.value))" }.joined()
                + " AND \(field.member(last)) IN \(list(values))"
        }
    }

    private mutating func anyOfStored(_ column: FieldColumn.Stored, _ values: [JSONValue]) -> String {
        switch column {
        case .id: "id IN \(list(values.filter { $0.string != nil }))"
        case .createdAt, .updatedAt:
            "\(column.rawValue) IN \(list(values.compactMap { Operand.date($0).map { .int($0.milliseconds) } }))"
        }
    }

    mutating func list(_ values: [JSONValue]) -> String {
        "(SELECT value FROM json_each(\(bind(JSONValue.array(values).jsonText))))"
    }
}
