import GRDB
import ParseModel

/// The values that an SQL statement binds, and the SQL of tests that compare a field, or an element of its array, with
/// bound values.
///
/// Each test first compares the type of the field by CASE. With AND instead, SQLite may evaluate both terms: it would
/// extract the text of a large array once for each test, and keep it in memory until the statement ends.
struct BoundValues {
    private(set) var bindings: SQLiteBindings = []

    /// Binds a value.
    /// - Returns: the placeholder of the value.
    mutating func bind(_ value: any SQLiteBindable) -> String {
        bindings.append(value)
        return "?"
    }

    /// Binds values as one JSON array.
    /// - Returns: a list for SQL's `IN`.
    mutating func list(_ values: [JSONValue]) -> String {
        "(SELECT value FROM json_each(\(bind(JSONValue.array(values).jsonText))))"
    }

    /// Tests equality. Arrays and objects are compared as a whole; the order of keys does not matter.
    mutating func equals(_ field: FieldColumn.Reference, _ value: JSONValue) -> String {
        switch Operand(value) {
        case .null: "\(field.type) = 'null'"
        case .array, .object:
            "CASE WHEN \(field.type) IN ('object', 'array') "
                + "THEN \(QueryFunctions.jsonEqual)(\(field.value), \(bind(value.jsonText))) END"
        case let operand: compares(field, "=", operand)
        }
    }

    /// Tests an order or equality by the SQL operator `sign`. A value with a `__type`, such as a pointer, is compared
    /// by its members: the last member by `sign`, the others by equality. Null, arrays and objects have no order.
    mutating func compares(_ field: FieldColumn.Reference, _ sign: String, _ operand: Operand) -> String {
        switch operand {
        case .string(let text): "\(field.text) \(sign) \(bind(text))"
        case .number(let number, _): Self.ifNumber(field, "\(field.value) \(sign) \(bind(number))")
        case .bool(let flag):
            "CASE WHEN \(field.type) IN ('true', 'false') THEN \(field.value) \(sign) \(bind(flag ? 1 : 0)) END"
        case .member(let type, let members):
            "\(field.type) = 'object' AND \(field.member("__type")) = \(bind(type))"
                + members.dropLast().map { " AND \(field.member($0.key)) = \(bind($0.value))" }.joined()
                + (members.last.map { " AND \(field.member($0.key)) \(sign) \(bind($0.value))" } ?? "")
        case .null, .array, .object: "0"
        }
    }

    /// Tests whether the field equals one of the values in a group of the same kind.
    mutating func isListed(_ field: FieldColumn.Reference, in group: ValueGroups.List) -> String {
        switch group.kind {
        case .string: "\(field.text) IN \(list(group.values))"
        case .number: Self.ifNumber(field, "\(field.value) IN \(list(group.values))")
        case .member(let type, let members, let last):
            "\(field.type) = 'object' AND \(field.member("__type")) = \(bind(type))"
                + members.map { " AND \(field.member($0.key)) = \(bind($0.value))" }.joined()
                + " AND \(field.member(last)) IN \(list(group.values))"
        }
    }

    private static func ifNumber(_ field: FieldColumn.Reference, _ test: String) -> String {
        "CASE WHEN \(field.type) IN ('integer', 'real') THEN \(test) END"
    }

    mutating func fits(_ field: FieldColumn.Reference, _ pattern: String, _ options: String) -> String {
        "\(field.hasText) AND \(QueryFunctions.regex)(\(bind(pattern)), \(bind(options)), \(field.text))"
    }
}

/// Compared values, grouped by kind: one SQL list can hold all values of one kind.
struct ValueGroups {
    struct List {
        let kind: Operand.ListKind
        var values: [JSONValue]
    }

    /// The values that are compared one by one, because SQL cannot compare a list of such values at once.
    private(set) var alone: [JSONValue] = []
    private(set) var lists: [List] = []

    init(_ values: [JSONValue]) {
        for value in values {
            guard let (kind, value) = Operand(value).listed else {
                alone.append(value)
                continue
            }
            if let place = lists.firstIndex(where: { $0.kind == kind }) {
                lists[place].values.append(value)
            } else {
                lists.append(List(kind: kind, values: [value]))
            }
        }
    }
}
