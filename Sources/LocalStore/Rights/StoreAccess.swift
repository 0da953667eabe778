import GRDB
import ParseModel
import StoreService

/// The rights that a store enforces, with their caches. A store that does not enforce rights applies only the built-in
/// rules of special classes.
final class StoreAccess: Sendable {
    /// Whether the store enforces ACLs and the permissions of classes.
    let isEnforced: Bool
    /// Whether a class without a stored schema gives no permission, instead of every permission (`PermissionTable`).
    let closesUnknown: Bool
    let rights: ClassRightsCache
    let acls = ACLCache()

    init(_ rights: StoreSettings.Rights) {
        isEnforced = rights != .byRemote
        closesUnknown = rights == .site
        self.rights = ClassRightsCache(isEnforced: isEnforced)
    }

    /// The stored permissions of classes.
    func permissions(in db: Database) -> PermissionTable { PermissionTable(db: db, closesUnknown: closesUnknown) }

    /// Whether ACLs and permissions restrict what the principal reads.
    func restricts(_ principal: Principal) -> Bool { isEnforced && !principal.readsEverything }

    /// Whether the principal may read an object by its ACL.
    /// - Parameters:
    ///   - key: the value of the object's column `acl`.
    ///   - readers: gives a connection for an ACL that is not cached.
    func allowsReading(_ key: Int64, by principal: Principal, from readers: ReaderPool) throws -> Bool {
        // An object without an ACL, or with public read access, needs no look-up.
        guard key > 0, isEnforced, !principal.readsEverything else { return true }
        return try principal.user != nil
            && acls.allowsReading(key, by: principal) { try readers.readOnce { try ACLTable(db: $0).acl(key) } }
    }
}
