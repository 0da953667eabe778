import GRDB
import ParseModel
import SyncModel

/// The mappings of classes to the remote's tables. The declared part is in the options of a class. The types that the remote describes
/// are in the class's schema. A local write adds no type: its value would change the type of the column in every object.
struct ClassMappings {
    let db: Database

    /// The mapping of a class that applies.
    func mapping(of className: String) throws -> ClassMapping {
        try mapping(of: className, declared: ClassTable(db: db).options(of: className).mapping)
    }

    func mapping(of className: String, declared: ClassMapping) throws -> ClassMapping {
        var mapping = declared
        try db.forEachRow("SELECT name, type FROM fields WHERE class = ?", [className]) { row in
            guard let type = try row.object(1).flatMap(FieldType.init(json:)), ClassMapping.converts(type) else {
                return
            }
            let name = row.text(0)
            if mapping.fields[name] == nil { mapping.fields[name] = type }
        }
        return mapping
    }

    /// Sets the declared types in the schema of a class. A field that is no longer declared loses its type, and a later write
    /// can give it another one.
    /// - Parameters:
    ///   - fields: the declared types.
    ///   - before: the types that were declared before.
    /// - Throws: `ParseError` 111 (incorrect type) if the schema has a type for the field that needs no conversion, except
    ///   String: without a mapping, a date of the remote is a text.
    func declare(_ fields: [String: FieldType], insteadOf before: [String: FieldType], of className: String) throws {
        let schema = try ClassSchema(stored: className, in: db)
        let table = SchemaTable(db: db)
        for (name, type) in before where fields[name] == nil && schema[name]?.type == type {
            try table.remove(name, from: className)
        }
        for (name, type) in fields.sorted(by: { $0.key < $1.key }) where before[name] != type {
            if let present = schema[name]?.type, present != .string, !ClassMapping.converts(present) {
                throw ParseError.schemaMismatch(className, name, expected: present, got: type)
            }
            try table.remove(name, from: className)
            try table.add(name, type.json, to: className)
        }
    }
}
