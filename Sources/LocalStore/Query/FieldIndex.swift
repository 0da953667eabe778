import ParseModel

/// An index on one field of one class, which sorts objects by the field's sort key. If `order` is set, objects with
/// equal keys are sorted by this second field. A query for one value in this order then reads only the objects that it
/// returns.
///
/// The index does not find an array by an element, a relation by a pointer to a member, or a file by its name, but
/// queries must. So queries use it only while no object of the class has an array, a relation or a file in the field. A
/// second index lists such objects.
struct FieldIndex: Hashable, Sendable {
    let className: String
    let path: FieldPath
    /// The field that sorts objects with equal keys; nil to sort them in the order in which they were first stored
    /// (`pk`).
    let order: FieldPath?

    /// - Returns: nil if the class or a field cannot have an index. Their names are part of the SQL, so only letters, digits and
    ///   underscores are allowed.
    init?(className: String, path: FieldPath, order: FieldPath? = nil) {
        let letters = className.utf8.allSatisfy {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
                || $0 == UInt8(ascii: "_")
        }
        guard letters, !className.isEmpty, FieldColumn(path).isIndexable else { return nil }
        if let order {
            let column = FieldColumn(order)
            guard order != path, column.isIndexable || column.storedColumn != nil else { return nil }
        }
        self.className = className
        self.path = path
        self.order = order
    }

    /// - Parameter name: the name of an index in the file.
    /// - Returns: nil if the name does not have the form of `name`, or if its class or fields cannot have an index.
    init?(name: String) {
        let parts = name.split(separator: " ").map(String.init)
        guard (3...4).contains(parts.count), parts[0] == Self.kind, let path = try? FieldPath(parts[2]) else {
            return nil
        }
        var order: FieldPath?
        if parts.count == 4 {
            guard let named = try? FieldPath(parts[3]) else { return nil }
            order = named
        }
        self.init(className: parts[1], path: path, order: order)
    }

    private static let kind = "values"
    private static let listKind = "others"
    /// The first words in the names of indexes that earlier versions created, and of their second indexes.
    private static let earlierKinds = ["field", "fields"]
    private static let earlierListKind = "odd"

    var name: String { "\(Self.kind) \(description)" }
    /// The class and the fields, as `class field` or `class field order`.
    var description: String { ([className, path.dotted] + (order.map { [$0.dotted] } ?? [])).joined(separator: " ") }
    /// The name of the second index, which lists the objects whose field is an array, a relation or a file. All indexes on the field
    /// share it.
    private var listName: String { "\(Self.listKind) \(className) \(path.dotted)" }

    /// The index on the same field without an order.
    var unordered: FieldIndex? { FieldIndex(className: className, path: path) }

    func isOnSameField(as other: FieldIndex) -> Bool { className == other.className && path == other.path }

    /// The condition of the partial index. SQLite uses the index only for queries with the same condition as text.
    var condition: String { "class = '\(className)' AND view IS NOT NULL" }

    var key: String { FieldColumn(path).sortExpression }

    /// The SQL of the kind of the field's value (text, number or boolean). It is a part of the index, so that a
    /// comparison need not read the object. Values of different types can have equal keys, for example a date and a
    /// string with the text of the date.
    var kind: String { FieldColumn(path).kindExpression }

    /// The condition for objects whose field is an array, a relation or a file.
    private var listCondition: String {
        let column = FieldColumn(path)
        return "\(condition) AND (\(column.type) = 'array' OR \(column.own.member("__type")) IN ('Relation', 'File'))"
    }

    // MARK: Statements

    static let namesSQL = """
        SELECT name FROM sqlite_schema
        WHERE type = 'index' AND (\(([kind] + earlierKinds).map { "name GLOB '\($0) *'" }.joined(separator: " OR ")))
        ORDER BY name
        """

    /// The statements that create the index and its second index. The index ends with `pk`, which keeps the order of
    /// equal keys, and `acl`, by which SQLite skips objects that the principal may not read without reading their rows.
    var makingSQL: [String] {
        let keys =
            order.map { "\(key), \(kind), \(FieldColumn($0).sortExpression), pk, acl" } ?? "\(key), pk, acl, \(kind)"
        return [
            "CREATE INDEX IF NOT EXISTS \"\(name)\" ON objects (\(keys)) WHERE \(condition)",
            "CREATE INDEX IF NOT EXISTS \"\(listName)\" ON objects (pk) WHERE \(listCondition)",
        ]
    }

    /// The statements that drop the index.
    /// - Parameter keepsList: whether the second index stays, because another index on the field needs it.
    func droppingSQL(keepsList: Bool) -> [String] {
        ["DROP INDEX IF EXISTS \"\(name)\""] + (keepsList ? [] : ["DROP INDEX IF EXISTS \"\(listName)\""])
    }

    /// The statements that drop an index that no query can use, such as one of an earlier version, and its second index.
    /// - Parameter name: the name of the index.
    static func droppingSQL(named name: String) -> [String] {
        ([name] + [listKind, earlierListKind].map { "\($0) " + description(ofName: name) }).map {
            "DROP INDEX IF EXISTS \"\($0.replacing("\"", with: "\"\""))\""
        }
    }

    /// The class and fields in the name of an index.
    static func description(ofName name: String) -> String { String(name.drop { $0 != " " }.dropFirst()) }

    /// The query that tests whether any object has an array, a relation or a file in the field. If so, the index is not used.
    var hasListsSQL: String {
        "SELECT EXISTS (SELECT 1 FROM objects INDEXED BY \"\(listName)\" WHERE \(listCondition))"
    }

    /// The same test as `hasListsSQL`, by a scan of the objects, for use before the indexes exist.
    var scanForListsSQL: String { "SELECT EXISTS (SELECT 1 FROM objects WHERE \(listCondition))" }
}
