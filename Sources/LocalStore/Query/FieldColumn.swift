import ParseModel

/// A field of an object in SQL: a column of `objects`, or a path in the JSON column `view`.
struct FieldColumn {
    enum Stored: String {
        case id
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    /// The SQL expressions for one JSON value, such as a field or an array element.
    struct Reference {
        let type: String
        let value: String
        /// Returns the SQL for a member of an object, by the member's name.
        let member: (String) -> String
        /// The SQL of the text that is compared with strings: the value of a string, or the name of a file. NULL for
        /// other values.
        let text: String
        /// An SQL condition on the type of the value. It is false if `text` must be NULL for a value of this type.
        let hasText: String
    }

    let storedColumn: Stored?
    /// A SQLite JSON path as an expression, for example `'$."date"."iso"'`. It is safe in SQL, because `FieldPath` admits only
    /// letters, digits and underscores.
    let jsonPath: String

    init(_ path: FieldPath) {
        storedColumn =
            switch path.dotted {
            case "objectId": .id
            case "createdAt": .createdAt
            case "updatedAt": .updatedAt
            default: nil
            }
        jsonPath = Self.quoted(path.segments)
        segments = path.segments
    }

    private let segments: [String]

    /// The name of a field that can be a relation. Nil for a field with its own column, and for a path of several segments.
    var relationName: String? { storedColumn == nil && segments.count == 1 ? segments[0] : nil }

    var value: String { "json_extract(view, \(jsonPath))" }
    var type: String { "json_type(view, \(jsonPath))" }

    /// The SQL of the key by which objects are sorted: the ISO text of a date, the id of a pointer, or the value of a
    /// string, number or boolean.
    var sortExpression: String {
        storedColumn?.rawValue ?? "coalesce(\(own.member("iso")), \(own.member("objectId")), \(value))"
    }

    /// The results of `kindExpression`. The most frequent kinds are 0 and 1, because an index of SQLite needs no byte
    /// to store these two numbers.
    enum Kind {
        static let text = 0
        static let number = 1
        static let bool = 2
    }

    /// The SQL of the kind of the field's value: one of `Kind`, or NULL for a value of another type.
    var kindExpression: String {
        "CASE \(type) WHEN 'text' THEN \(Kind.text) WHEN 'integer' THEN \(Kind.number) WHEN 'real' THEN \(Kind.number) "
            + "WHEN 'true' THEN \(Kind.bool) WHEN 'false' THEN \(Kind.bool) END"
    }

    /// The field's value as a whole, even if it is an array.
    var own: Reference {
        let member = { "json_extract(view, \(Self.quoted(self.segments + [$0])))" }
        // A file inside a field is an object, as on Parse Server.
        guard segments.count == 1 else { return Reference(type: type, value: value, member: member) }
        return Reference(
            type: type, value: value, member: member,
            text: "CASE \(type) WHEN 'text' THEN \(value) WHEN 'object' THEN "
                + "CASE \(member("__type")) WHEN 'File' THEN \(member("name")) END END",
            hasText: "\(type) IN ('text', 'object')")
    }

    /// An element of an array. In the SQL, `e` is the row of `json_each` for the element.
    static var element: Reference {
        let member = { (name: String) in
            // `json_extract` fails on a string, and SQLite evaluates the terms of AND in any order. So CASE tests for an object first.
            "CASE WHEN e.type = 'object' THEN json_extract(e.value, '$.\"\(name)\"') END"
        }
        return Reference(type: "e.type", value: "e.value", member: member)
    }

    func exists(_ exists: Bool) -> String {
        if storedColumn != nil { return exists ? "1" : QueryCompiler.never }
        return Self.stoppable(exists ? "coalesce(\(type) <> 'null', 0)" : "coalesce(\(type) = 'null', 1)")
    }

    /// The SQL for `FROM` that has one row for each element of the field's array. `json_each` gets only the array and
    /// not the whole view, because it keeps a copy and a much larger parse tree of its argument until the statement
    /// ends.
    var elements: String { "json_each(\(value)) e" }

    /// An SQL expression: the result of `test` for a field with an array, and 0 for any other field. CASE compares the type
    /// first, because SQLite evaluates the terms of AND in any order, and `elements` fails on a text.
    func ifArray(_ test: String) -> String { Self.stoppable("CASE \(type) WHEN 'array' THEN \(test) ELSE 0 END") }

    /// Wraps an expression so that SQLite checks for an interruption after it. SQLite checks at jumps, and each branch
    /// of a CASE ends with a jump. Without the wrapping, SQLite evaluates all conditions on a row before it checks, and
    /// each function keeps a copy of the row until then.
    static func stoppable(_ expression: String) -> String { "CASE WHEN 1 THEN \(expression) END" }

    /// An SQL expression: whether the field is an array with null as an element. Never NULL.
    var hasNullElement: String { ifArray("EXISTS (SELECT 1 FROM \(elements) WHERE e.type = 'null')") }

    /// An SQL expression: whether the field's value, or any element of an array in the field, passes the test. Never NULL.
    func orElement(_ test: (Reference) -> String) -> String {
        let own = test(own)
        let some = ifArray("EXISTS (SELECT 1 FROM \(elements) WHERE \(test(Self.element)))")
        return Self.stoppable("(coalesce(\(own), 0) OR \(some))")
    }

    /// An SQL expression: whether the field is an array and all its elements pass the test. Never NULL.
    func eachElement(_ test: (Reference) -> String) -> String {
        ifArray("NOT EXISTS (SELECT 1 FROM \(elements) WHERE NOT coalesce(\(test(Self.element)), 0))")
    }

    /// Whether the field can have a field index. Fields with a column of their own have other indexes. A path with more than
    /// `spelledNumbersMax` numeric segments needs a subquery, which SQLite refuses in an index.
    var isIndexable: Bool { storedColumn == nil && segments.count(where: \.isIndex) <= Self.spelledNumbersMax }

    /// The maximum number of numeric segments in a path that `quoted` supports. Each segment doubles the length of the
    /// SQL.
    private static let spelledNumbersMax = 2

    /// The SQL of a JSON path, with nested expressions for numeric segments. A numeric segment is an array index if the
    /// value before it is an array, otherwise an object key.
    private static func quoted(_ segments: [String]) -> String {
        guard segments.count(where: \.isIndex) <= spelledNumbersMax else { return inSteps(segments) }
        var path = "'$'"
        for segment in segments {
            path =
                segment.isIndex
                ? "\(path) || \(place(segment, behind: path))" : joined(path, member(segment))
        }
        return path
    }

    /// The SQL of a JSON path, with one `WITH` table for each numeric segment. The only row of a table contains the
    /// path up to its segment. So the length of the SQL grows only linearly with the number of segments.
    private static func inSteps(_ segments: [String]) -> String {
        var steps: [String] = []
        var path = "'$'"
        func from() -> String { steps.isEmpty ? "" : " FROM path_\(steps.count)" }
        for segment in segments {
            guard segment.isIndex else {
                path += " || " + member(segment)
                continue
            }
            steps.append("path_\(steps.count + 1)(p) AS MATERIALIZED (SELECT \(path)\(from()))")
            path = "p || " + place(segment, behind: "p")
        }
        return "(WITH \(steps.joined(separator: ", ")) SELECT \(path)\(from()))"
    }

    /// The SQL for a numeric segment of a JSON path: an array index if the value at `path` is an array, otherwise an object key.
    private static func place(_ number: String, behind path: String) -> String {
        "CASE json_type(view, \(path)) WHEN 'array' THEN '[\(number)]' ELSE \(member(number)) END"
    }

    private static func member(_ name: String) -> String { "'.\"\(name)\"'" }

    /// Appends a member to an SQL expression for a JSON path. If the expression ends with a string literal, the member
    /// becomes a part of this literal.
    private static func joined(_ path: String, _ member: String) -> String {
        path.hasSuffix("END") ? "\(path) || \(member)" : "\(path.dropLast())\(member.dropFirst())"
    }
}

extension FieldColumn.Reference {
    /// A value that is compared with strings only if it is a string.
    fileprivate init(type: String, value: String, member: @escaping (String) -> String) {
        self.init(
            type: type, value: value, member: member, text: "CASE \(type) WHEN 'text' THEN \(value) END",
            hasText: "\(type) = 'text'")
    }
}

extension String {
    /// Whether the segment can be an array index: a number of at most nine digits. SQLite counts elements in 32 bits.
    fileprivate var isIndex: Bool {
        utf8.count < 10 && utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}
