import ParseModel

/// Where SQL finds a field of an object: in a column of its own, or inside the view.
struct FieldColumn {
    enum Stored: String {
        case id
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }

    /// How to speak of a value: its JSON type, the value, and members of it where it is an object.
    struct Reference {
        let type: String
        let value: String
        let member: (String) -> String
    }

    let storedColumn: Stored?
    /// A SQLite JSON path as an expression, for instance `'$."date"."iso"'`. Safe to write into SQL: `FieldPath` admits
    /// letters, digits and underscores only.
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

    /// The field's name, where the path leads to a field of its own and not into one: what a relation may be called.
    var relationName: String? { storedColumn == nil && segments.count == 1 ? segments[0] : nil }

    var value: String { "json_extract(view, \(jsonPath))" }
    var type: String { "json_type(view, \(jsonPath))" }

    /// Dates sort by their text, which is of one length, and pointers by their id; strings, numbers and booleans by
    /// themselves.
    var sortExpression: String {
        storedColumn?.rawValue ?? "coalesce(\(own.member("iso")), \(own.member("objectId")), \(value))"
    }

    /// The field's value itself.
    var own: Reference {
        Reference(type: type, value: value) { "json_extract(view, \(Self.quoted(self.segments + [$0])))" }
    }

    /// An element of the array that the field is, where SQL has it as `e`.
    static var element: Reference {
        Reference(type: "e.type", value: "e.value") {
            // Of the terms of AND this one may be looked at first, and only an object can be looked into.
            "CASE WHEN e.type = 'object' THEN json_extract(e.value, '$.\"\($0)\"') END"
        }
    }

    func exists(_ exists: Bool) -> String {
        if storedColumn != nil { return exists ? "1" : QueryCompiler.never }
        return exists ? "coalesce(\(type) <> 'null', 0)" : "coalesce(\(type) = 'null', 1)"
    }

    /// A test that holds for the field's value or, where that is an array, for one of its elements. Never NULL.
    func orElement(_ test: (Reference) -> String) -> String {
        "(coalesce(\(test(own)), 0) OR (\(type) = 'array' AND EXISTS "
            + "(SELECT 1 FROM json_each(view, \(jsonPath)) e WHERE \(test(Self.element)))))"
    }

    /// A test that holds for every element of the array that the field has to be. Never NULL.
    func eachElement(_ test: (Reference) -> String) -> String {
        "(coalesce(\(type) = 'array', 0) AND NOT EXISTS "
            + "(SELECT 1 FROM json_each(view, \(jsonPath)) e WHERE NOT coalesce(\(test(Self.element)), 0)))"
    }

    /// Whether an index can be made of the field: SQLite takes no query inside of one.
    var isIndexable: Bool { storedColumn == nil && segments.count(where: \.isIndex) <= Self.spelledNumbersMax }

    /// With each number a path that is spelled out doubles in length. Indexes of paths with so many numbers are spelled so.
    private static let spelledNumbersMax = 2

    /// A number names an element of an array or a member of an object: the value on the way to it decides.
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

    /// The path by one table for each number, of one row, which holds the path up to there: as long as the path has segments.
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

    /// The part of a path that a number adds.
    private static func place(_ number: String, behind path: String) -> String {
        "CASE json_type(view, \(path)) WHEN 'array' THEN '[\(number)]' ELSE \(member(number)) END"
    }

    private static func member(_ name: String) -> String { "'.\"\(name)\"'" }

    /// One literal where both are.
    private static func joined(_ path: String, _ member: String) -> String {
        path.hasSuffix("END") ? "\(path) || \(member)" : "\(path.dropLast())\(member.dropFirst())"
    }
}

extension String {
    /// SQLite counts elements in 32 bits; no array has so many.
    fileprivate var isIndex: Bool {
        utf8.count < 10 && utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}
