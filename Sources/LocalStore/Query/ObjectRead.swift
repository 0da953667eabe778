import GRDB
import ParseModel
import StoreService

/// A read of one object by its id or by an alias (an earlier id), with the rights of a principal.
struct ObjectRead {
    let rules: AccessRules
    let access: StoreAccess
    let damaged: DamagedObjects
    let cache: ObjectCache
    /// Provides the connections. The statements of the read need no common snapshot, because one statement reads the
    /// whole object.
    let readers: ReaderPool

    private var className: String { rules.className }

    /// - Returns: nil for an unknown id, and for an object that the principal may not read.
    /// - Throws: the error with which the rights on the class refuse the read; `StoreError.damaged`.
    func object(_ objectId: String) throws -> StoredObject? {
        let limit = try rules.authorize(.get, objectId)
        guard let found = try entry(objectId),
            try access.allowsReading(found.acl, by: rules.principal, from: readers)
        else { return nil }
        let object = found.object
        if try isDamaged(object.objectId) {
            throw StoreError.damaged(className: className, objectId: object.objectId)
        }
        if let limit, try !limit.holdsForPointers(object.fields(of: className), of: className) { return nil }
        return try object.shown(by: rules)
    }

    private func entry(_ objectId: String) throws -> StoredObject.Row? {
        let found = try cache.entry(className, objectId) {
            try readable(objectId)
        }
        if let found { return found }
        guard let id = try readers.readOnce({ try Aliases(db: $0).known(className, objectId) }) else { return nil }
        return try cache.entry(className, id) {
            try readable(id)
        }
    }

    /// Reads the row of the object, and checks its JSON unless a check of the whole file has found all damaged objects.
    /// - Throws: `StoreError.damaged` for unreadable JSON.
    private func readable(_ objectId: String) throws -> StoredObject.Row? {
        let row = try StoredObject.row(className, objectId, from: readers)
        guard !damaged.areAllKnown, let row else { return row }
        do {
            _ = try row.object.fields(of: className)
        } catch {
            try readers.readOnce { try damaged.look(for: [className], in: $0) }
            throw error
        }
        return row
    }

    private func isDamaged(_ objectId: String) throws -> Bool {
        guard damaged.hasAny(of: className) else { return false }
        return try readers.readOnce { db in
            try damaged.all(of: className, in: db).contains { $0.objectId == objectId }
        }
    }
}
