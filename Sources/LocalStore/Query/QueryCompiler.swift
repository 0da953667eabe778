import GRDB
import ParseModel

/// Turns a Parse query into SQL over the `objects` table. Pure: it reads nothing.
///
/// Values are always bound; field names are safe by `FieldPath`'s rule. Comparisons keep to one type, as MongoDB's do:
/// a number never equals a string, and a field that holds an array matches where one of its elements does.
struct QueryCompiler {
    /// The class of the objects that are looked for.
    let className: String
    private(set) var arguments = StatementArguments()
    /// How many values the SQL binds.
    private(set) var valueCount = 0

    /// Whether the members of one relation are looked for, by whose ids SQLite finds them.
    private var asksForMembers = false

    init(className: String) { self.className = className }

    /// A condition without `WHERE`.
    mutating func condition(_ predicate: Predicate) -> String {
        switch predicate {
        case .and(let parts):
            Self.joined(parts.map { condition($0) }, "AND") ?? "1"
        case .or(let parts):
            Self.joined(parts.map { condition($0) }, "OR") ?? "0"
        case .field(let path, let constraint): self.constraint(constraint, FieldColumn(path))
        case .relatedTo(let owner, let field): isMember(of: owner, field)
        }
    }

    /// An `ORDER BY` list. Objects that no key tells apart come in the order of their making.
    func order(_ keys: [SortKey]) -> String {
        // A plus keeps SQLite from walking through the whole class in this order to look for a few members on the way.
        let sign = asksForMembers ? "+" : ""
        return (keys.map { sign + FieldColumn($0.path).sortExpression + ($0.descending ? " DESC" : "") } + ["pk"])
            .joined(separator: ", ")
    }

    private mutating func constraint(_ constraint: Constraint, _ column: FieldColumn) -> String {
        switch constraint {
        case .equal(let value): matches(column, value)
        case .notEqual(let value): "NOT \(matches(column, value))"
        case .in(let values): anyOf(column, values)
        case .notIn(let values): "NOT \(anyOf(column, values))"
        case .exists(let exists): column.exists(exists)
        case .less(let value): compares(column, "<", value)
        case .lessOrEqual(let value): compares(column, "<=", value)
        case .greater(let value): compares(column, ">", value)
        case .greaterOrEqual(let value): compares(column, ">=", value)
        case .regex(let pattern, let options):
            column.orElement {
                "\($0.type) = 'text' AND \(QueryFunctions.regex)(\(bind(pattern)), \(bind(options)), \($0.value))"
            }
        }
    }

    /// SQLite bounds how deep an expression nests, and of operators in a row each counts; so the tree is a balanced one.
    private static func joined(_ terms: [String], _ sign: String) -> String? {
        guard terms.count > 1 else { return terms.first }
        let middle = terms.count / 2
        guard let first = joined(Array(terms[..<middle]), sign), let second = joined(Array(terms[middle...]), sign)
        else { return nil }
        return "(\(first) \(sign) \(second))"
    }

    // MARK: Relations

    /// A relation holds objects of one class; asked about another one it has no members.
    private mutating func isMember(of owner: Pointer, _ field: String) -> String {
        asksForMembers = true
        return """
            id IN (SELECT member_id FROM relation_members WHERE class = \(bind(owner.className)) \
            AND id = \(bind(owner.objectId)) AND field = \(bind(field)) AND member_class = \(bind(className)) AND in_view)
            """
    }

    /// A relation equals a pointer where the object is one of its members.
    private mutating func hasMember(_ column: FieldColumn, _ memberClass: String, _ ids: [JSONValue]) -> String? {
        guard let field = column.relationName else { return nil }
        return """
            id IN (SELECT id FROM relation_members INDEXED BY relation_members_by_member \
            WHERE class = \(bind(className)) AND field = \(bind(field)) \
            AND member_class = \(bind(memberClass)) AND \(isIn("member_id", ids)) AND in_view)
            """
    }

    // MARK: Lists

    /// Values of one kind are bound as one JSON array, so that a list may be long.
    private mutating func anyOf(_ column: FieldColumn, _ values: [JSONValue]) -> String {
        if let stored = column.storedColumn { return anyOfStored(stored, values) }
        var alone: [JSONValue] = []
        var lists: [(kind: Operand.ListKind, values: [JSONValue])] = []
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
        let terms =
            alone.map { matches(column, $0) }
            + lists.map { list in column.orElement { self.isListed(list.kind, list.values, $0) } }
            + lists.compactMap { list in
                guard case .member("Pointer", let members, _) = list.kind, let memberClass = members.first?.value else {
                    return nil
                }
                return hasMember(column, memberClass, list.values)
            }
        return Self.joined(terms, "OR") ?? "0"
    }

    private mutating func isListed(
        _ kind: Operand.ListKind, _ values: [JSONValue], _ field: FieldColumn.Reference
    ) -> String {
        switch kind {
        case .string: "\(field.type) = 'text' AND \(isIn(field.value, values))"
        case .number: "\(field.type) IN ('integer', 'real') AND \(isIn(field.value, values))"
        case .member(let type, let members, let last):
            "\(field.type) = 'object' AND \(field.member("__type")) = \(bind(type))"
                + members.map { " AND \(field.member($0.key)) = \(bind($0.value))" }.joined()
                + " AND \(isIn(field.member(last), values))"
        }
    }

    private mutating func anyOfStored(_ column: FieldColumn.Stored, _ values: [JSONValue]) -> String {
        switch column {
        case .id: isIn("id", values.filter { $0.string != nil })
        case .createdAt, .updatedAt:
            isIn(column.rawValue, values.compactMap { Operand.date($0).map { .int($0.milliseconds) } })
        }
    }

    private mutating func isIn(_ expression: String, _ values: [JSONValue]) -> String {
        "\(expression) IN (SELECT value FROM json_each(\(bind(JSONValue.array(values).jsonText))))"
    }

    // MARK: Equality

    private mutating func matches(_ column: FieldColumn, _ value: JSONValue) -> String {
        if let stored = column.storedColumn { return matchesStored(stored, "=", value) }
        switch Operand(value) {
        case .null: return column.exists(false)
        case .array, .object:
            // An array or object equals as a whole, whatever the order of its keys; or it is an element of the field.
            let text = value.jsonText
            return "(coalesce(\(jsonEquals(column.type, column.value, text)), 0) OR \(elementEquals(column, text)))"
        case let operand:
            let equals = column.orElement { self.scalar(operand, "=", $0) }
            guard let pointer = Pointer(value),
                let hasMember = hasMember(column, pointer.className, [.string(pointer.objectId)])
            else { return equals }
            return "(\(equals) OR \(hasMember))"
        }
    }

    private mutating func elementEquals(_ column: FieldColumn, _ text: String) -> String {
        "EXISTS (SELECT 1 FROM json_each(view, \(column.jsonPath)) WHERE \(column.type) = 'array' "
            + "AND \(jsonEquals("type", "value", text)))"
    }

    /// SQLite looks at the terms of AND in any order, or at all of them; only CASE keeps texts that are no JSON from the function.
    private mutating func jsonEquals(_ type: String, _ value: String, _ text: String) -> String {
        "CASE WHEN \(type) IN ('object', 'array') THEN \(QueryFunctions.jsonEqual)(\(value), \(bind(text))) END"
    }

    // MARK: Order

    private mutating func compares(_ column: FieldColumn, _ sign: String, _ value: JSONValue) -> String {
        if let stored = column.storedColumn { return matchesStored(stored, sign, value) }
        switch Operand(value) {
        case .null, .array, .object: return "0"
        case let operand: return column.orElement { self.scalar(operand, sign, $0) }
        }
    }

    private mutating func scalar(_ operand: Operand, _ sign: String, _ field: FieldColumn.Reference) -> String {
        switch operand {
        case .string(let text): "\(field.type) = 'text' AND \(field.value) \(sign) \(bind(text))"
        case .number(let number, _): "\(field.type) IN ('integer', 'real') AND \(field.value) \(sign) \(bind(number))"
        case .bool(let flag): "\(field.type) IN ('true', 'false') AND \(field.value) \(sign) \(bind(flag ? 1 : 0))"
        case .member(let type, let members):
            "\(field.type) = 'object' AND \(field.member("__type")) = \(bind(type))"
                + members.map { " AND \(field.member($0.key)) \(sign) \(bind($0.value))" }.joined()
        case .null, .array, .object: "0"
        }
    }

    /// objectId, createdAt and updatedAt have columns of their own.
    private mutating func matchesStored(
        _ column: FieldColumn.Stored, _ sign: String, _ value: JSONValue
    ) -> String {
        switch column {
        case .id: value.string.map { "id \(sign) \(bind($0))" } ?? "0"
        case .createdAt, .updatedAt:
            Operand.date(value).map { "\(column.rawValue) \(sign) \(bind($0.milliseconds))" } ?? "0"
        }
    }

    private mutating func bind(_ value: some DatabaseValueConvertible) -> String {
        arguments += [value]
        valueCount += 1
        return "?"
    }
}
