import GRDB
import ParseModel
import StoreService

/// `/schemas` and `/purge` of a store that has no remote.
extension LocalStore {
    package func schemas() throws -> [ClassSchema] {
        try read { db in
            let names = try String.fetchAll(
                db,
                sql: """
                    SELECT class FROM schemas UNION SELECT name FROM classes UNION SELECT class FROM fields
                    UNION SELECT class FROM objects
                    """)
            return try Set(names + DefaultFields.classesFromTheStart).sorted().map {
                try ClassSchema(stored: $0, in: db)
            }
        }
    }

    package func schema(of className: String) throws -> ClassSchema? {
        try readOnce { try ClassSchema(known: className, in: $0) }
    }

    package func changeSchema(
        _ className: String, _ change: @escaping @Sendable (ClassSchema?) throws -> SchemaChange
    ) async throws -> ClassSchema {
        try await write { transaction in
            let before = try ClassSchema(known: className, in: transaction.db)
            let change = try change(before)
            let (count, max) = (change.schema.added.count, transaction.store.classFieldsMax)
            guard count <= max || count <= before?.added.count ?? 0 else {
                throw ParseError.tooManyFields(className, max: max)
            }
            try transaction.save(change.schema)
            try transaction.dropFields(change.deleted, of: className)
            for (field, value) in change.schema.relations where value != before?.relations[field] {
                try transaction.show(relation: field, value, in: className)
            }
            return change.schema
        }
    }

    package func dropSchema(_ className: String) async throws {
        try await write { transaction in
            let count = try Int.fetchOne(
                transaction.db, sql: "SELECT count(*) FROM objects WHERE class = ?", arguments: [className])
            guard count == 0 else {
                throw ParseError(
                    .impossibleSchemaChange,
                    "Class \(className) is not empty, contains \(count ?? 0) objects, cannot drop schema.")
            }
            for table in ["schemas", "fields"] {
                try transaction.execute("DELETE FROM \(table) WHERE class = ?", [className])
            }
            try transaction.execute("DELETE FROM classes WHERE name = ?", [className])
        }
    }

    package func dropObjects(of className: String) async throws {
        try await write { transaction in _ = try transaction.purge(className) }
    }
}

extension ClassSchema {
    /// Nil where neither a write nor `/schemas` has made the class.
    init?(known className: String, in db: Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM schemas WHERE class = ?1) OR EXISTS (SELECT 1 FROM classes WHERE name = ?1)
                    OR EXISTS (SELECT 1 FROM fields WHERE class = ?1) OR EXISTS (SELECT 1 FROM objects WHERE class = ?1)
                """)
        let isKnown = try Bool.fetchOne(statement, arguments: [className]) ?? false
        guard isKnown || DefaultFields.classesFromTheStart.contains(className) else { return nil }
        try self.init(stored: className, in: db)
    }

    init(stored className: String, in db: Database) throws {
        let statement = try db.cachedStatement(sql: "SELECT permissions, indexes FROM schemas WHERE class = ?")
        let row = try Row.fetchOne(statement, arguments: [className])
        self.init(
            className, added: try Self.fields(of: className, in: db),
            permissions: try (row?[0] as String?).flatMap {
                try JSONReader.read($0, depthMax: JSONReader.storedDepthMax).object
            },
            indexes: try (row?[1] as String?).flatMap {
                try JSONReader.read($0, depthMax: JSONReader.storedDepthMax).object
            } ?? [:])
    }

    private static func fields(of className: String, in db: Database) throws -> [String: SchemaField] {
        let statement = try db.cachedStatement(sql: "SELECT name, type FROM fields WHERE class = ?")
        var fields: [String: SchemaField] = [:]
        for row in try Row.fetchAll(statement, arguments: [className]) {
            fields[row[0]] = try JSONReader.read(row[1] as String, depthMax: JSONReader.storedDepthMax).object.flatMap(
                SchemaField.init(stored:))
        }
        return fields
    }
}

extension StoreTransaction {
    func save(_ schema: ClassSchema) throws {
        try execute(
            "INSERT OR REPLACE INTO schemas (class, permissions, indexes) VALUES (?, ?, ?)",
            [schema.className, schema.permissions?.jsonText, schema.indexes.jsonText])
        try execute("DELETE FROM fields WHERE class = ?", [schema.className])
        for (name, field) in schema.added {
            try execute(
                "INSERT INTO fields (class, name, type) VALUES (?, ?, ?)",
                [schema.className, name, field.json.jsonText])
        }
    }

    /// Takes fields out of all objects of a class. As on a Parse Server, that is no update of them.
    fileprivate func dropFields(_ names: [String], of className: String) throws {
        for name in names {
            try execute("DELETE FROM relation_members WHERE class = ? AND field = ?", [className, name])
            let ids = try String.fetchAll(
                db, sql: "SELECT id FROM objects WHERE class = ? AND json_type(view, ?) IS NOT NULL ORDER BY pk",
                arguments: [className, "$.\"\(name)\""])
            for id in ids {
                guard var object = try LocalObject(className, id, in: db) else { continue }
                object.life.view?.fields[name] = nil
                try object.save(in: self)
            }
        }
    }
}
