import GRDB
import ParseModel
import StoreService
import SyncModel

/// Finds the writes of an object that its reader may not make, for the object's `_sync` field.
struct DeniedWrites {
    let rules: AccessRules
    /// Whether this store enforces ACLs and permissions.
    let isEnforced: Bool
    /// Whether only the remote checks the rights to write. The roles of the principal are then unknown here.
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

    /// - Returns: nil if the principal may make the write on no object at all.
    private func access(to request: WriteRequest) -> WriteAccess? {
        try? WriteAccess(of: request, rules, isEnforced: isEnforced)
    }

    private func isDenied(_ life: ObjectLife, _ access: WriteAccess) -> Bool {
        if isEnforced { return life.rightsState.map { !access.allowsWriting($0) } ?? false }
        guard isJudgedByRemote, !rules.principal.writesEverything, let acl = life.base?.fields["ACL"]?.object else {
            return false
        }
        // The principal may have a role that this gateway does not know. So an ACL entry for any role allows the write.
        return !acl.contains { name, entry in
            entry.object?["write"] == true
                && (name == "*" || name.hasPrefix("role:") || rules.principal.user?.objectId.isExactly(name) == true)
        }
    }
}

extension StoreAccess {
    /// Finds the writes that the principal may not make. Uses the principal's rights on a class.
    func deniedWrites(by rules: AccessRules, _ settings: StoreSettings) -> DeniedWrites {
        DeniedWrites(
            rules: rules, isEnforced: isEnforced, isJudgedByRemote: !isEnforced && !settings.seesEverything)
    }
}
