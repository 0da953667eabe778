import GRDB
import ParseModel

/// Adapts strings in a query's comparisons to the types of the fields.
extension QueryPreparation {
    /// In comparisons with pointer fields, replaces ids by pointers, as Parse Server's adapters for MongoDB and PostgreSQL do. In
    /// an aggregate pipeline, also replaces strings that are compared with date fields by dates, as the MongoDB adapter does.
    ///
    /// The type of a field can be unknown, for example in a replica that cannot read the remote's schema. Then both the string
    /// and its replacement match.
    func readingTexts(_ predicate: Predicate, of className: String, isPipeline: Bool) throws -> Predicate {
        try predicate.mapFields { path, constraint in
            let constraint = try constraint.mapSubquery { query in
                var query = query
                query.predicate = try readingTexts(query.predicate, of: query.className, isPipeline: false)
                return query
            }
            return try readingTexts(path, constraint, of: className, isPipeline: isPipeline)
        }
    }

    /// Adapts the strings of one constraint. Its subquery stays unchanged.
    func readingTexts(
        _ path: FieldPath, _ constraint: Constraint, of className: String, isPipeline: Bool
    ) throws -> Predicate {
        guard path.segments.count == 1, FieldColumn(path).storedColumn == nil,
            constraint.values.contains(where: { $0.string != nil })
        else { return .field(path, constraint) }
        switch try type(of: path.segments[0], in: className) {
        case .pointer(let target) where constraint.comparesIdentity:
            return .field(path, constraint.mapValues { $0.asPointer(to: target, isPipeline: isPipeline) ?? $0 })
        case .date where isPipeline: return .field(path, constraint.mapValues { $0.asDate ?? $0 })
        case nil: return either(path, constraint, isPipeline: isPipeline)
        default: return .field(path, constraint)
        }
    }

    private func either(_ path: FieldPath, _ constraint: Constraint, isPipeline: Bool) -> Predicate {
        let others = constraint.values.compactMap { (isPipeline ? $0.asDate : nil) ?? $0.asPointerToAnything }
        guard !others.isEmpty else { return .field(path, constraint) }
        switch constraint {
        case .equal(let value): return .field(path, .in([value] + others))
        case .notEqual(let value): return .field(path, .notIn([value] + others))
        case .in(let values): return .field(path, .in(values + others))
        case .notIn(let values): return .field(path, .notIn(values + others))
        case .less, .lessOrEqual, .greater, .greaterOrEqual:
            guard isPipeline else { break }
            return .or([.field(path, constraint), .field(path, constraint.mapValues { $0.asDate ?? $0 })])
        default: break
        }
        return .field(path, constraint)
    }

    /// The type of a field in the schema of a class; nil for a field without a known type.
    func type(of field: String, in className: String) throws -> FieldType? {
        if let usual = DefaultFields.of(className).first(where: { $0.name == field }) { return usual.type }
        let text = try db.text("SELECT type FROM fields WHERE class = ? AND name = ?", [className, field])
        return try text.flatMap { try JSONReader.read($0).object }.flatMap(FieldType.init(json:))
    }
}

extension JSONValue {
    /// The pointer for an id. In an aggregate pipeline, the id may have MongoDB's form, for example `Country$xO5TCC3Ntj`.
    fileprivate func asPointer(to className: String, isPipeline: Bool) -> JSONValue? {
        guard var id = string else { return nil }
        if isPipeline, id.hasPrefix(className + "$") { id.removeFirst(className.count + 1) }
        return Pointer(className: className, objectId: id).json
    }

    /// A pointer to an object of any class, for a string with the form of a Parse id; nil for other values.
    fileprivate var asPointerToAnything: JSONValue? {
        guard let id = string, id.utf8.count == 10,
            id.utf8.allSatisfy({
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0
            })
        else { return nil }
        return ["__type": "Pointer", "objectId": .string(id)]
    }

    fileprivate var asDate: JSONValue? { string.flatMap(ParseDate.init(iso:))?.json }
}
