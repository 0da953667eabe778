import GRDB
import ParseModel
import Synchronization

/// Caches recently used ACLs, so that reads and writes of objects with a cached ACL run no statement for it.
///
/// The ACL with a number never changes, so cached ACLs stay valid. A rollback drops the cached numbers for writes,
/// because the transaction may have stored their ACLs.
///
/// The type is `Sendable` because its only property without a lock is used on the writer's queue alone.
final class ACLCache: TransactionObserver, @unchecked Sendable {
    /// The maximum number of ACLs cached for reads, and of numbers cached for writes. A full cache is emptied.
    private static let countMax = 5000

    private let known = Mutex<[Int64: AccessControlList]>([:])
    // Used only on the writer's queue.
    private var keys: [AccessControlList: Int64] = [:]

    /// Whether an ACL allows a principal to read.
    /// - Parameters:
    ///   - key: a value of the column `acl` other than 0.
    ///   - load: reads the ACL from the file.
    func allowsReading(
        _ key: Int64, by principal: Principal, load: () throws -> AccessControlList
    ) rethrows -> Bool {
        // The comparison runs under the lock, because a copy of the ACL costs more.
        if let known = known.withLock({ $0[key]?.allowsReading(by: principal) }) { return known }
        let acl = try load()
        known.withLock { known in
            if known.count >= Self.countMax { known = [:] }
            known[key] = acl
        }
        return acl.allowsReading(by: principal)
    }

    /// The value of the column `acl` for the field `ACL` of an object. Stores the ACL if it is new. Called on the writer's queue.
    func key(of value: JSONValue?, in db: Database) throws -> Int64 {
        guard let acl = AccessControlList(value) else { return 0 }
        if let key = keys[acl] { return key }
        let key = try ACLTable(db: db).key(of: acl)
        if keys.count >= Self.countMax { keys = [:] }
        keys[acl] = key
        return key
    }

    /// Empties the cache for writes. Called on the writer's queue when changes of a transaction are undone.
    func forgetKeys() { keys = [:] }

    // MARK: TransactionObserver

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) {}
    func databaseDidRollback(_ db: Database) { forgetKeys() }
}
