import GRDB
import ParseModel
import Synchronization

/// The rights in a store, with their caches. A replica enforces only the built-in rules of special classes.
final class StoreAccess: Sendable {
    let isEnforced: Bool
    let rights: ClassRightsCache
    let acls = ACLCache()
    /// Whether the file may have an ACL or permissions. Once true, it stays true while the store is open.
    private let mayHaveRestrictions = Atomic(false)

    /// - Parameter isEnforced: whether the store enforces ACLs and the permissions of classes.
    init(isEnforced: Bool) {
        self.isEnforced = isEnforced
        rights = ClassRightsCache(isEnforced: isEnforced)
    }

    /// Whether ACLs and permissions restrict what the principal reads.
    func restricts(_ principal: Principal) -> Bool { isEnforced && !principal.readsEverything }

    /// Whether the principal may read an object by its ACL.
    /// - Parameter key: the value of the object's column `acl`.
    func allowsReading(_ key: Int64, by principal: Principal, in db: Database) throws -> Bool {
        // An object without an ACL, or with one by which everybody may read, needs no look-up.
        guard key > 0, isEnforced, !principal.readsEverything else { return true }
        return try principal.user != nil && acls.acl(key, in: db).allowsReading(by: principal)
    }

    // MARK: The change feed

    /// Notes whether an opened file has an ACL or permissions.
    func findRestrictions(in db: Database) throws {
        let hasSome = try db.isTrue(
            "SELECT EXISTS (SELECT 1 FROM acls) OR EXISTS (SELECT 1 FROM schemas WHERE permissions IS NOT NULL)")
        if hasSome { noteRestriction() }
    }

    /// Called before the commit of an ACL or of permissions, so that no reader sees a later entry of the feed without the rights.
    func noteRestriction() { mayHaveRestrictions.store(true, ordering: .sequentiallyConsistent) }

    /// The value of the column `acl` for the field `ACL` of an object. Called on the writer's queue.
    func aclKey(of value: JSONValue?, in db: Database) throws -> Int64 {
        if value != nil { noteRestriction() }
        return try acls.key(of: value, in: db)
    }

    /// Whether the entries of the feed depend on the reader. Streams of other readers share the entries in memory. The stream of a
    /// user ends with the session, so it is never shared.
    func restrictsFeed(for principal: Principal) -> Bool {
        guard restricts(principal) else { return false }
        return principal.user != nil || mayHaveRestrictions.load(ordering: .sequentiallyConsistent)
    }
}
