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
        try await write { transaction in
            let before = try ClassSchema(known: className, in: transaction.db)
            let change = try change(before)
            let (count, max) = (change.schema.added.count, transaction.store.classFieldsMax)
            guard count <= max || count <= before?.added.count ?? 0 else {
                throw ParseError.tooManyFields(className, max: max)
            }
            let table = SchemaTable(db: transaction.db)
            if change.schema.permissions != nil { transaction.access.noteRestriction() }
            try table.save(change.schema)
            try RightsChanges(transaction: transaction).record(
                of: className, from: before?.permissions, to: change.schema.permissions)
            try DroppedFields(transaction: transaction).drop(change.deleted, of: className)
            for (field, value) in change.schema.relations where value != before?.relations[field] {
                try table.show(relation: field, value, in: className)
            }
            return change.schema
        }
    }

    package func dropSchema(_ className: String) async throws {
        try await write { transaction in
            let table = SchemaTable(db: transaction.db)
            let before = try table.permissions(of: className)
            try table.drop(className)
            try RightsChanges(transaction: transaction).record(of: className, from: before, to: nil)
        }
    }

    package func dropObjects(of className: String) async throws {
        try await write { transaction in
            let pointers = try transaction.pointersOfLists(of: className)
            _ = try ClassTable(db: transaction.db).purge(className, now: transaction.now, pointers: pointers)
        }
    }
}

/// Removes fields from all objects of a class. As in Parse Server, the objects' `updatedAt` does not change.
struct DroppedFields {
    let transaction: StoreTransaction

    func drop(_ names: [String], of className: String) throws {
        let db = transaction.db
        for name in names {
            try db.run("DELETE FROM relation_members WHERE class = ? AND field = ?", [className, name])
            for id in try SchemaTable(db: db).objectIds(of: className, with: name) {
                guard var object = try LocalObject(className, id, in: db) else { continue }
                object.life.view?.fields[name] = nil
                try object.save(in: transaction)
            }
        }
    }
}
