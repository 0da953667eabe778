import GRDB
import ParseModel
import SyncModel

/// Reads and changes the mapping of a class: the types of fields that the remote's rows contain as strings. The options
/// of the class declare some types, and the remote's schema of the class describes the others. A local write adds no
/// type, because a new type would change the values of all objects.
struct ClassMappings {
    let db: Database

    /// The effective mapping of a class: the declared types, and the described types of the other fields.
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

    /// Sets the declared types in the schema of a class. A field that is no longer declared loses its type; a later write can
    /// then give it another type.
    /// - Parameters:
    ///   - fields: the declared types.
    ///   - before: the types that were declared before.
    /// - Throws: `ParseError` 111 (incorrect type) if the schema has a type for the field that needs no conversion. String is
    ///   allowed, because without a mapping a date of the remote is a string.
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
