import GRDB
import ParseModel
import StoreService

/// Creates, changes and removes the schemas of a standalone store.
struct SchemaWrites {
    let transaction: StoreTransaction

    private var table: SchemaTable { SchemaTable(db: transaction.db) }

    /// Creates a class or changes its schema.
    /// - Throws: the errors of `change`; `ParseError` 111 (incorrect type) if the class would have too many fields.
    func change(_ className: String, _ change: (ClassSchema?) throws -> SchemaChange) throws -> ClassSchema {
        let before = try ClassSchema(known: className, in: transaction.db)
        let change = try change(before)
        let (count, max) = (change.schema.added.count, transaction.store.classFieldsMax)
        guard count <= max || count <= before?.added.count ?? 0 else {
            throw ParseError.tooManyFields(className, max: max)
        }
        try table.save(change.schema)
        try RightsChanges(transaction).record(
            of: className, from: before?.permissions, to: change.schema.permissions)
        try DroppedFields(transaction: transaction).drop(change.deleted, of: className)
        for (field, value) in change.schema.relations where value != before?.relations[field] {
            try table.show(relation: field, value, in: className)
            transaction.objects.removeAllAtCommit()
        }
        return change.schema
    }

    /// Removes a class that has no objects.
    func drop(_ className: String) throws {
        let before = try PermissionTable(db: transaction.db).permissions(of: className)
        try table.drop(className)
        try RightsChanges(transaction).record(of: className, from: before, to: nil)
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
