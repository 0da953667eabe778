import ParseModel

/// An index on one field of one class, by the field's sort key.
///
/// A query also finds an array by an element, and a relation by a pointer to a member. This index finds neither. So queries use
/// the index only while no object of the class has an array or a relation in the field. A second index lists such objects.
struct FieldIndex: Hashable, Sendable {
    let className: String
    let path: FieldPath

    /// - Returns: nil if the class or the field cannot have an index. The names of both are part of the SQL.
    init?(className: String, path: FieldPath) {
        let letters = className.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || $0 == UInt8(ascii: "_")
        }
        guard letters, !className.isEmpty, FieldColumn(path).isIndexable else { return nil }
        self.className = className
        self.path = path
    }

    /// - Parameter name: the name of an index in the file.
    /// - Returns: nil if the name does not have the form of `name`, or if its class or field cannot have an index.
    init?(name: String) {
        let parts = name.split(separator: " ")
        guard parts.count == 3, parts[0] == Self.kind, let path = try? FieldPath(String(parts[2])) else { return nil }
        self.init(className: String(parts[1]), path: path)
    }

    private static let kind = "field"

    var name: String { "\(Self.kind) \(className) \(path.dotted)" }
    /// The name of the second index, which lists the objects whose field is an array or a relation.
    private var listName: String { "odd \(className) \(path.dotted)" }

    /// The condition of the partial index. SQLite uses the index only for queries that contain the same text.
    var condition: String { "class = '\(className)' AND view IS NOT NULL" }

    var key: String { FieldColumn(path).sortExpression }

    /// The condition for objects whose field is an array or a relation.
    private var listCondition: String {
        let column = FieldColumn(path)
        return "\(condition) AND (\(column.type) = 'array' OR \(column.own.member("__type")) = 'Relation')"
    }

    // MARK: Statements

    static let namesSQL = "SELECT name FROM sqlite_schema WHERE type = 'index' AND name GLOB '\(kind) *' ORDER BY name"

    /// By the column `acl`, SQLite skips the objects that a principal may not read without reading their rows. `pk` before it
    /// keeps the order of equal keys.
    var makingSQL: [String] {
        [
            "CREATE INDEX IF NOT EXISTS \"\(name)\" ON objects (\(key), pk, acl) WHERE \(condition)",
            "CREATE INDEX IF NOT EXISTS \"\(listName)\" ON objects (pk) WHERE \(listCondition)",
        ]
    }

    var droppingSQL: [String] { ["DROP INDEX IF EXISTS \"\(name)\"", "DROP INDEX IF EXISTS \"\(listName)\""] }

    /// The statements that drop a field index and its second index.
    /// - Parameter name: the name of the field index. The name may have the form of an earlier version.
    static func droppingSQL(named name: String) -> [String] {
        [name, "odd" + name.dropFirst(kind.count)].map {
            "DROP INDEX IF EXISTS \"\($0.replacing("\"", with: "\"\""))\""
        }
    }

    /// The class and field in the name of an index, as `class field`.
    static func description(ofName name: String) -> String { String(name.dropFirst(kind.count + 1)) }

    /// The query for whether any object has an array or a relation in the field. If so, the index is not used.
    var hasListsSQL: String {
        "SELECT EXISTS (SELECT 1 FROM objects INDEXED BY \"\(listName)\" WHERE \(listCondition))"
    }

    /// Like `hasListsSQL`, but by a scan, for use before the indexes exist.
    var scanForListsSQL: String { "SELECT EXISTS (SELECT 1 FROM objects WHERE \(listCondition))" }
}

extension ParseQuery {
    /// The fields whose indexes could serve the query, the best first: fields in equalities, then the field of the order, then
    /// fields in comparisons. Empty if the query selects the objects by their ids or by a relation.
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
        let first = ordersByScore ? nil : order.first?.path
        let ordering = first.map { FieldColumn($0).storedColumn == nil ? [$0] : [] } ?? []
        return equal + ordering + ranged
    }
}

/// The parts of a condition that an index can serve.
extension QueryCompiler {
    /// The sort key of a string, number, boolean, date or pointer; nil for other values.
    static func key(_ value: JSONValue) -> JSONValue? {
        switch Operand(value) {
        case .string, .number, .bool: value
        case .member(let type, let members) where type == "Date" || type == "Pointer":
            members.last.map { .string($0.value) }
        default: nil
        }
    }

    /// The parts of the predicate that SQLite can search in the index, as SQL conditions. The query also evaluates the whole
    /// predicate.
    mutating func sought(_ predicate: Predicate, by index: FieldIndex) -> [String] {
        predicate.required.compactMap { term in
            guard case .field(index.path, let constraint) = term else { return nil }
            return switch constraint {
            case .equal(let value): Self.key(value).map { "\(index.key) = \(bindKey($0))" }
            case .less(let value): Self.key(value).map { "\(index.key) < \(bindKey($0))" }
            case .lessOrEqual(let value): Self.key(value).map { "\(index.key) <= \(bindKey($0))" }
            case .greater(let value): Self.key(value).map { "\(index.key) > \(bindKey($0))" }
            case .greaterOrEqual(let value): Self.key(value).map { "\(index.key) >= \(bindKey($0))" }
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
    }

    /// The literal prefix of a pattern in the form of the SDKs, `^abc` or `^\Qabc\E`; nil for other patterns.
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
