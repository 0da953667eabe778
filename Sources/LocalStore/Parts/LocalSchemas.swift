import GRDB
import ParseModel
import StoreService

/// Reads and changes the schemas of a standalone store, for the routes `/schemas` and `/purge`.
struct LocalSchemas: SchemaStore {
    let transactions: Transactions

    func all() throws -> [ClassSchema] { try transactions.read { try SchemaTable(db: $0).all() } }

    func schema(of className: String) throws -> ClassSchema? {
        try transactions.readOnce { try ClassSchema(known: className, in: $0) }
    }

    func changeSchema(
        _ className: String, _ change: @escaping @Sendable (ClassSchema?) throws -> SchemaChange
    ) async throws -> ClassSchema {
        try await transactions.write { try SchemaWrites(transaction: $0).change(className, change) }
    }

    func dropSchema(_ className: String) async throws {
        try await transactions.write { try SchemaWrites(transaction: $0).drop(className) }
    }

    func dropObjects(of className: String) async throws {
        try await transactions.write { try $0.dropObjects(of: className) }
    }
}

extension StoreTransaction {
    /// Deletes all objects of a class of a standalone store. If the class is `_Role`, the change feed records which
    /// users lose rights. If the class contains roles, users or sessions, the cached sessions are dropped.
    fileprivate func dropObjects(of className: String) throws {
        let pointers = try pointersOfReads(of: className)
        let roles = className == "_Role" ? try RoleChange(purgingRolesIn: RightsChanges(self)) : nil
        _ = try ClassTable(db: db).purge(className, now: now, pointers: pointers)
        sessions.noteRemoval(of: className)
        try roles?.finish()
    }
}
