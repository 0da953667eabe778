import LocalStore
import ParseModel
import StoreService
import Synchronization

/// Tells which users a site replica knows to be locked out: those whose row the replica has had and no longer has, and
/// those whose row has an empty ACL.
final class LockCheck: Sendable {
    /// The users whose row a replica has once had, as `replica/userId`.
    private let known = Mutex<Set<String>>([])

    func isLockedOut(_ userId: String, at replica: PeopleReplica) -> Bool {
        guard replica.product.knowsLocks, let store = replica.stores?.own else { return false }
        let name = "\(replica.name)/\(userId)"
        guard let row = try? store.objects.object("_User", userId, as: .master) else {
            return known.withLock { $0.contains(name) }
        }
        known.withLock { _ = $0.insert(name) }
        return (try? row.fields(of: "_User")["ACL"]?.object?.isEmpty) == true
    }
}
