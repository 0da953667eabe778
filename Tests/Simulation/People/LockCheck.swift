import LocalStore
import ParseModel
import StoreService
import Synchronization

/// Lists the users whom a site replica knows to be locked out: those whose row is missing, and those whose ACL is empty.
final class LockCheck: Sendable {
    /// The users whose row a replica has had, as `replica/userId`.
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
