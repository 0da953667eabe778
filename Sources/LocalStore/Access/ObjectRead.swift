import GRDB
import ParseModel
import StoreService

/// Reads an object by its id or by an alias, by the rights of a principal.
struct ObjectRead {
    let rules: AccessRules
    let access: StoreAccess
    let damaged: DamagedObjects

    /// - Parameter read: gives a connection. The statements need no common snapshot, because the first one reads the object.
    /// - Returns: nil for an unknown id, and for an object that the principal may not read.
    /// - Throws: the refusal of a read by the rights on the class, `StoreError.damaged`.
    func object(
        _ objectId: String, by read: ((Database) throws -> StoredObject?) throws -> StoredObject?
    ) throws -> StoredObject? {
        let className = rules.className
        let limit = try rules.authorize(.get, objectId)
        return try read { db in
            var found = try StoredObject.withACL(className, objectId, in: db)
            if found == nil {
                guard let id = try Aliases(db: db).known(className, objectId) else { return nil }
                found = try StoredObject.withACL(className, id, in: db)
            }
            guard let (object, acl) = found, try access.allowsReading(acl, by: rules.principal, in: db) else {
                return nil
            }
            if try damaged.all(of: className, in: db).contains(where: { $0.objectId == object.objectId }) {
                throw StoreError.damaged(className: className, objectId: object.objectId)
            }
            if let limit, try !limit.holdsForPointers(object.fields(of: className), of: className) { return nil }
            return try object.shown(by: rules)
        }
    }
}
