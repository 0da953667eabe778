import GRDB
import ParseModel
import StoreService
import SyncModel

/// Finds the writes of an object that its reader is not allowed to make, for `_sync`.
struct DeniedWrites {
    let rules: AccessRules
    /// Whether ACLs and permissions restrict the principal here.
    let isEnforced: Bool
    /// Whether only the remote checks the rights on writes. The roles of the principal are then unknown here.
    let isJudgedByRemote: Bool

    func writes(of object: StoredObject, in db: Database) throws -> [ObjectMark.DeniedWrite] {
        let (className, objectId) = (rules.className, object.objectId)
        let update = access(to: .update(className: className, objectId: objectId, body: [:]))
        let delete = access(to: .delete(className: className, objectId: objectId))
        let dependsOnObject =
            object.json.firstRange(of: "\"ACL\"".utf8) != nil || update?.isLimited == true || delete?.isLimited == true
        let life = dependsOnObject ? try LocalObject(className, objectId, in: db)?.life : nil
        let all: [(ObjectMark.DeniedWrite, WriteAccess?)] = [(.update, update), (.delete, delete)]
        return all.compactMap { write, access in
            guard let access else { return write }
            return life.map { isDenied($0, access) } == true ? write : nil
        }
    }

    /// - Returns: nil if the principal may not make the write on any object.
    private func access(to request: WriteRequest) -> WriteAccess? {
        try? WriteAccess(of: request, rules, isEnforced: isEnforced)
    }

    private func isDenied(_ life: ObjectLife, _ access: WriteAccess) -> Bool {
        if isEnforced { return life.rightsState.map { !access.allowsWriting($0) } ?? false }
        guard isJudgedByRemote, !rules.principal.writesEverything, let acl = life.base?.fields["ACL"]?.object else {
            return false
        }
        // The principal may have a role that this gateway does not know. An entry for a role therefore allows the write.
        return !acl.contains { name, entry in
            entry.object?["write"] == true
                && (name == "*" || name.hasPrefix("role:") || rules.principal.user?.objectId.isExactly(name) == true)
        }
    }
}

extension StoreAccess {
    /// The rights of a principal, prepared to find the writes that this store or the remote would deny.
    func deniedWrites(by rules: AccessRules, _ settings: StoreSettings) -> DeniedWrites {
        DeniedWrites(
            rules: rules, isEnforced: isEnforced, isJudgedByRemote: !isEnforced && !settings.seesEverything)
    }
}
