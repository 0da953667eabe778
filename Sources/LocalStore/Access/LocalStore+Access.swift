import GRDB
import ParseModel
import StoreService

extension LocalStore {
    /// The principal's rights on a class. Replicas enforce only the built-in rules of special classes.
    func rules(of className: String, as principal: Principal) throws -> AccessRules {
        AccessRules(
            principal,
            try rightsCache.rights(of: className) {
                // A snapshot that the caller already has could be older than the last change of the permissions.
                try readOnce { try SchemaTable(db: $0).permissions(of: className) }
            })
    }

    /// Whether the principal may read an object by its ACL.
    /// - Parameter key: the value of the object's column `acl`.
    func isReadable(_ key: Int64, by principal: Principal, in db: Database) throws -> Bool {
        // An object without an ACL, or with one by which everybody may read, needs no look-up.
        guard key > 0, !principal.readsEverything, !configuration.identity.isReplica else { return true }
        return try principal.user != nil && aclCache.acl(key, in: db).allowsReading(by: principal)
    }
}
