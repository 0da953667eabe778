import GRDB
import ParseModel
import StoreService

/// The stored schemas of classes: in a standalone store those that clients have set, in a replica those of the remote.
struct SchemaTable {
    let db: Database

    /// All classes with a schema or objects, and the built-in classes, sorted.
    func all() throws -> [ClassSchema] {
        let names = try db.texts(
            """
            SELECT class FROM schemas UNION SELECT name FROM classes UNION SELECT class FROM fields
            UNION SELECT class FROM objects
            """)
        return try Set(names + DefaultFields.classesFromTheStart).sorted().map { try ClassSchema(stored: $0, in: db) }
    }

    /// The remote's latest schemas.
    func ofRemote() throws -> Set<ClassSchema> {
        Set(try db.texts("SELECT class FROM schemas").map { try ClassSchema(stored: $0, in: db) })
    }

    /// Replaces the stored schemas of the remote's classes.
    /// - Returns: the classes whose new schema lacks a field of the earlier one.
    func replace(with schemas: [ClassSchema], known: [String: ClassSchema]) throws -> [String] {
        var losing: [String] = []
        for schema in schemas where known[schema.className] != schema {
            let before =
                try known[schema.className].map { Set($0.added.keys) }
                ?? Set(FieldSamples(db: db).fields(of: schema.className))
            if before.contains(where: { schema[$0] == nil }) { losing.append(schema.className) }
        }
        // Only classes that the remote describes lose their stored types. Another class keeps the types that its
        // options have declared.
        try db.run("DELETE FROM fields WHERE EXISTS (SELECT 1 FROM schemas s WHERE s.class = fields.class)")
        try db.run("DELETE FROM schemas")
        for schema in schemas { try save(schema) }
        return losing
    }

    func save(_ schema: ClassSchema) throws {
        try db.run(
            "INSERT OR REPLACE INTO schemas (class, permissions, indexes) VALUES (?, ?, ?)",
            [schema.className, schema.permissions?.jsonText, schema.indexes.jsonText])
        try db.run("DELETE FROM fields WHERE class = ?", [schema.className])
        for (name, field) in schema.added { try add(name, field.json, to: schema.className) }
    }

    /// Adds a field to a schema.
    /// - Parameter type: the type of the field, with its options.
    func add(_ field: String, _ type: JSONObject, to className: String) throws {
        try db.run("INSERT INTO fields (class, name, type) VALUES (?, ?, ?)", [className, field, type.jsonText])
    }

    /// Removes the type of a field. The values of the field stay.
    func remove(_ field: String, from className: String) throws {
        try db.run("DELETE FROM fields WHERE class = ? AND name = ?", [className, field])
    }

    /// Adds the value of a new relation field to all objects of a class. As in Parse Server, the objects' `updatedAt`
    /// does not change.
    func show(relation field: String, _ value: JSONValue, in className: String) throws {
        try db.run(
            """
            UPDATE objects SET view = json_set(view, ?1, json(?2))
            WHERE class = ?3 AND view IS NOT NULL AND json_type(view, ?1) IS NULL
            """, ["$.\"\(field)\"", value.jsonText, className])
    }

    /// Removes the schema of a class without objects.
    /// - Throws: `ParseError` 255 (impossible schema change) for a class with objects.
    func drop(_ className: String) throws {
        let count = try db.count("SELECT count(*) FROM objects WHERE class = ?", [className])
        guard count == 0 else {
            throw ParseError(
                .impossibleSchemaChange,
                "Class \(className) is not empty, contains \(count) objects, cannot drop schema.")
        }
        try db.run("DELETE FROM schemas WHERE class = ?", [className])
        try db.run("DELETE FROM fields WHERE class = ?", [className])
        try db.run("DELETE FROM classes WHERE name = ?", [className])
    }

    /// The ids of the objects that show the field to clients.
    func objectIds(of className: String, with field: String) throws -> [String] {
        try db.texts(
            "SELECT id FROM objects WHERE class = ? AND json_type(view, ?) IS NOT NULL ORDER BY pk",
            [className, "$.\"\(field)\""])
    }
}

extension ClassSchema {
    /// The schema of a class in a replica: the remote's schema, and the types that the options of the class have
    /// declared.
    /// - Returns: nil if the remote has not described the class, and its options have declared no type.
    init?(inReplica className: String, in db: Database) throws {
        let isKnown = try db.isTrue(
            """
            SELECT EXISTS (SELECT 1 FROM schemas WHERE class = ?1) OR EXISTS (SELECT 1 FROM fields WHERE class = ?1)
            """, [className])
        guard isKnown else { return nil }
        try self.init(stored: className, in: db)
    }

    /// The schema of a known class in a standalone store.
    /// - Returns: nil for an unknown class. A class is known if it is built in, or if a write or `/schemas` has created it.
    init?(known className: String, in db: Database) throws {
        let isKnown = try db.isTrue(
            """
            SELECT EXISTS (SELECT 1 FROM schemas WHERE class = ?1) OR EXISTS (SELECT 1 FROM classes WHERE name = ?1)
                OR EXISTS (SELECT 1 FROM fields WHERE class = ?1) OR EXISTS (SELECT 1 FROM objects WHERE class = ?1)
            """, [className])
        guard isKnown || DefaultFields.classesFromTheStart.contains(className) else { return nil }
        try self.init(stored: className, in: db)
    }

    /// The stored schema of a class; without fields and permissions if none is stored.
    init(stored className: String, in db: Database) throws {
        let row = try db.firstRow("SELECT permissions, indexes FROM schemas WHERE class = ?", [className]) {
            (permissions: try $0.object(0), indexes: try $0.object(1))
        }
        var fields: [String: SchemaField] = [:]
        try db.forEachRow("SELECT name, type FROM fields WHERE class = ?", [className]) { row in
            fields[row.text(0)] = try row.object(1).flatMap(SchemaField.init(stored:))
        }
        self.init(className, added: fields, permissions: row?.permissions, indexes: row?.indexes ?? [:])
    }
}
