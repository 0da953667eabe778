import GRDB
import ParseModel
import StoreService

/// `/schemas` and `/purge` of a standalone store.
extension LocalStore {
    package func schemas() throws -> [ClassSchema] { try read { try SchemaTable(db: $0).all() } }

    package func schema(of className: String) throws -> ClassSchema? {
        try readOnce { try ClassSchema(known: className, in: $0) }
    }

    package func changeSchema(
        _ className: String, _ change: @escaping @Sendable (ClassSchema?) throws -> SchemaChange
    ) async throws -> ClassSchema {
        try await write { try SchemaWrites(transaction: $0).change(className, change) }
    }

    package func dropSchema(_ className: String) async throws {
        try await write { try SchemaWrites(transaction: $0).drop(className) }
    }

    package func dropObjects(of className: String) async throws {
        try await write { transaction in
            let pointers = try transaction.pointersOfLists(of: className)
            let roles = className == "_Role" ? try RoleChange(purgingRolesIn: transaction) : nil
            _ = try ClassTable(db: transaction.db).purge(className, now: transaction.now, pointers: pointers)
            transaction.sessions.noteRemoval(of: className)
            try roles?.finish()
        }
    }
}
