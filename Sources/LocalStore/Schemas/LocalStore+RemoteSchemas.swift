import GRDB
import ParseModel
import StoreService

/// What the remote says of its classes, kept to refuse at once what it would refuse later. Types that objects have are
/// no such word.
extension LocalStore {
    /// Puts what the remote says in the place of what it said before.
    package func takeRemoteSchemas(_ schemas: [ClassSchema]) async throws {
        precondition(configuration.identity.isReplica, "a store without a remote has the word itself")
        let known = try remoteSchemas()
        guard known != Set(schemas) else { return }
        let knownByName = Dictionary(known.map { ($0.className, $0) }, uniquingKeysWith: { first, _ in first })
        try await write { transaction in
            for schema in schemas where knownByName[schema.className] != schema {
                try transaction.takeDroppedFields(of: schema, known: knownByName[schema.className])
            }
            try transaction.execute("DELETE FROM schemas")
            try transaction.execute("DELETE FROM fields")
            for schema in schemas { try transaction.save(schema) }
        }
    }

    /// What the remote has said last.
    package func remoteSchemas() throws -> Set<ClassSchema> {
        try read { db in
            Set(try String.fetchAll(db, sql: "SELECT class FROM schemas").map { try ClassSchema(stored: $0, in: db) })
        }
    }
}

extension ClassSchema {
    /// Nil where the remote has not told of such a class.
    init?(ofRemote className: String, in db: Database) throws {
        let statement = try db.cachedStatement(sql: "SELECT EXISTS (SELECT 1 FROM schemas WHERE class = ?)")
        guard try Bool.fetchOne(statement, arguments: [className]) == true else { return nil }
        try self.init(stored: className, in: db)
    }
}
