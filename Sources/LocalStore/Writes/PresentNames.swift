import GRDB
import ParseModel
import StoreService

/// Replaces earlier ids of objects (aliases) and earlier names of files by the present ones in the writes of clients.
struct PresentNames {
    let transaction: StoreTransaction

    private var db: Database { transaction.db }

    func resolve(_ operations: FieldOperations, of className: String) throws -> FieldOperations {
        try resolve((operations, CheckedBody.References(in: operations)), of: className)
    }

    /// Replaces earlier ids and names in the operations of a write. Checks that the principal may refer to the files.
    /// - Parameter className: the class of the written object.
    func resolve(
        _ write: (operations: FieldOperations, references: CheckedBody.References), of className: String
    ) throws -> FieldOperations {
        let operations = try FileTable(db: db).resolve(
            write.references.files, in: write.operations, now: transaction.now, transaction.store.valueRules,
            check: transaction.checkReference)
        let idFields = try transaction.idFields(of: className)
        let pointers = write.references.pointers + idFields.pointers(in: operations)
        guard !pointers.isEmpty else { return operations }
        let aliases = Aliases(db: db)
        var present: [Pointer: Pointer] = [:]
        var hasAliases: [String: Bool] = [:]
        for pointer in pointers where present[pointer] == nil {
            let name = pointer.className
            let mayBeAlias = try hasAliases[name] ?? aliases.exist(in: name)
            hasAliases[name] = mayBeAlias
            guard mayBeAlias else { continue }
            present[pointer] = Pointer(className: name, objectId: try aliases.id(of: name, pointer.objectId))
        }
        guard !present.isEmpty else { return operations }
        return idFields.replacingIds(in: operations.replacingPointers { present[$0] ?? $0 }) { present[$0] ?? $0 }
    }
}
